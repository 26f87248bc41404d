"""The files of Trello's cards. The export has their addresses alone; Trello gives the bytes only with a key and a
token.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from django.utils.translation import gettext as _

from boards.losses import Loss
from boards.outlines import FileOutline
from boards.richtext.links import safe_address
from core.http.outgoing import Unreachable, fetch, origin
from importer.formats.source import Unreadable
from importer.formats.things import Thing

HOSTS = ("https://trello.com", "https://api.trello.com")  # to which key and token may go
SERVERS: tuple[str, ...] = ()  # of these, those that may be on private addresses: none but in tests
MOST = 250_000_000  # bytes, more than Trello takes
SECONDS = 60.0
REDIRECTS = 3  # Trello sends on to where the bytes lie; key and token stay behind
SECRET = re.compile(r"[A-Za-z0-9]{1,200}")


def check_secret(text: str) -> None:
    """Raise Unreadable for a malformed key or token."""
    if text and not SECRET.fullmatch(text):
        raise Unreadable(_("A Trello key and token have only letters and digits. Copy them again."))


class Files:
    """Makes outlines of uploaded files. Raises Unreadable for a malformed key or token."""

    def __init__(self, choices: Mapping[str, Any], still_wanted: Callable[[], None]) -> None:
        self._still_wanted = still_wanted
        key, token = str(choices.get("key") or "").strip(), str(choices.get("token") or "").strip()
        check_secret(key)
        check_secret(token)
        self._header = f'OAuth oauth_consumer_key="{key}", oauth_token="{token}"' if key and token else ""

    def outline(self, key: str, name: str, address: str, one: Thing) -> FileOutline:
        safe = safe_address(address)
        if not safe:
            one.report.lose(Loss.UNSAFE_LINK, one.at("url"))
        return FileOutline(
            file_name=name or "file",
            open=_Opener(safe, self._header, self._still_wanted) if self._header and origin(safe) in HOSTS else None,
            key=key,
            url=safe,
            size=one.whole("bytes"),
            uploaded_by=one.key("idMember"),
            created_at=one.moment("date"),
        )


@dataclass(repr=False)
class _Opener:
    """Fetches a file. It has no repr, for logs: the header holds the token."""

    address: str
    header: str
    still_wanted: Callable[[], None]

    def __call__(self) -> Any:
        return self._fetched()

    @contextmanager
    def _fetched(self) -> Iterator[IO[bytes]]:
        headers = {"Authorization": self.header}
        with fetch(
            self.address,
            headers=headers,
            most=MOST,
            seconds=SECONDS,
            servers=SERVERS,
            redirects=REDIRECTS,
            still_wanted=self.still_wanted,
        ) as answer:
            if answer.status != 200:
                raise Unreachable(f"{origin(self.address)}: {answer.status}")
            yield answer.body
