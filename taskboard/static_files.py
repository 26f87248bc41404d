"""The answer to a request for a static file, by WhiteNoise."""

from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError


class StaticFiles(WhiteNoiseMiddleware):
    """Finds out what to say of a file when it is first asked for, not of all files when the process starts."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.paths: dict[str, str] = {}  # of all files, by their address
        super().__init__(*arguments, **options)

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: dict[str, Any] | None = None) -> None:
        if not self.is_compressed_variant(path, stat_cache):
            self.paths[url] = path

    def __call__(self, request: HttpRequest) -> HttpResponse:  # type: ignore[override]
        url = request.path_info
        if url in self.paths and url not in self.files:
            with suppress(MissingFileError):
                self.files[url] = self.get_static_file(self.paths[url], url)
        return super().__call__(request)  # type: ignore[no-any-return]
