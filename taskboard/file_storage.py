"""Whether uploaded files can be stored and read: the start, `/healthz` and doctor say so. Boards work without."""

import logging
import os
import threading
import time
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage

from core.outage import one_line

NOWHERE = "no-such-folder"  # a short list, and a failure where the bucket or the right to list it is missing
EVERY = 10.0  # seconds: each look at a bucket is a request that may cost money, and /healthz is public
PATIENCE = 0.2  # seconds that a caller waits for a look

log = logging.getLogger(__name__)


def name_of_storage() -> str:
    return f"the bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else f"the folder {settings.FILES}"


def storage_trouble() -> str:
    """Return a sentence about the fault of the file storage; "" if it works."""
    try:
        if settings.S3_BUCKET:
            default_storage.listdir(NOWHERE)
        else:
            require_writable(settings.FILES)
    except Exception as error:  # each kind of storage has errors of its own
        return f"Files cannot be kept in {name_of_storage()}: {one_line(error)}"
    return ""


def require_writable(folder: Path) -> None:
    """Raise OSError unless files can be made in the folder, or the folder itself, which the first file makes."""
    place = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not place.is_dir():
        raise NotADirectoryError(f"{place} is not a folder.")
    if not os.access(place, os.W_OK | os.X_OK):
        raise PermissionError(f"this user cannot write to {place}.")


class Watch:
    """The latest state of the storage. A thread of its own looks, as one that hangs must hold up nobody."""

    def __init__(self) -> None:
        self.answers = True
        self._next = 0.0
        self._thread = threading.Thread()
        self._lock = threading.Lock()

    def ask(self) -> bool:
        """Return the last state. If it is old, check again, and wait for a moment."""
        with self._lock:
            if not self._thread.is_alive() and time.monotonic() >= self._next:
                self._next = time.monotonic() + EVERY
                self._thread = threading.Thread(target=self.look, name="storage", daemon=True)
                self._thread.start()
                self._thread.join(PATIENCE)
        return self.answers

    def look(self) -> None:
        trouble = storage_trouble()
        if trouble and self.answers:
            log.warning("%s Everything but files works meanwhile.", trouble)
        elif not trouble and not self.answers:
            log.warning("Files can be kept in %s again.", name_of_storage())
        self.answers = not trouble


WATCH = Watch()
