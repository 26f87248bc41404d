"""Pictures that rows of the database name: files under random names in a folder of the default storage.

A picture never changes under its name, so that browsers may keep it for ever; a new one gets a new name.
"""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from core.files.storage import delete_path, open_path, storage_may_fail

NAME = re.compile(r"[-_A-Za-z0-9]{32}")  # 192 random bits
AT_ONCE = 500  # names in one statement


@dataclass(frozen=True, slots=True)
class KeptPictures:
    """`used` returns which of these names rows have. A file without a row is deleted when it is older than `unused_for`: its
    transaction may not have ended yet, or somebody may take back that it was replaced.
    """

    folder: str
    used: Callable[[list[str]], set[str]]
    unused_for: timedelta

    def path_of(self, name: str) -> str:
        return f"{self.folder}/{name}.webp"

    def read(self, name: str) -> bytes | None:
        """Return the content of the picture; None if there is none of this name any more."""
        if not NAME.fullmatch(name):
            return None
        try:
            with open_path(self.path_of(name)) as file:
                return file.read()
        except FileNotFoundError:
            return None

    def save(self, content: bytes) -> str:
        """Store the picture, as core/files/pictures.py has made it. Return its name."""
        name = secrets.token_urlsafe(24)
        with storage_may_fail():
            default_storage.save(self.path_of(name), ContentFile(content))
        return name

    def delete(self, name: str) -> None:
        """Delete it; what cannot be deleted now is by `delete_unused`."""
        delete_path(self.path_of(name))

    def delete_unused(self, now: datetime) -> int:
        """Delete the files that no row has, as after a crash between file and commit. Return how many."""
        try:
            _folders, files = default_storage.listdir(self.folder)
        except FileNotFoundError:  # there has never been one
            return 0
        names = [name for file in files if NAME.fullmatch(name := file.removesuffix(".webp"))]
        deleted = 0
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            for name in set(some) - self.used(some):
                if self._is_old(name, now):
                    self.delete(name)
                    deleted += 1
        return deleted

    def _is_old(self, name: str, now: datetime) -> bool:
        try:
            return default_storage.get_modified_time(self.path_of(name)) < now - self.unused_for
        except FileNotFoundError:
            return False
