"""The task that makes an export. Whatever ends it, a row that is done has its whole file, and no other file stays."""

import errno
import io
import logging
import os
import secrets
import time
from contextlib import suppress
from datetime import timedelta
from typing import IO, Any, cast

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.db import Error, OperationalError, transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_tasks import task

from boards.reader import Reader
from core.files.storage import StorageFails
from exporter.files import delete_file
from exporter.models import KEPT_FOR, Export, ExportState, Problem
from exporter.progress import Progress
from exporter.writing import NoBoard, write
from jobs.backend import HEAVY
from notifications.events.telling import tell
from notifications.kinds import Kind

TELL_EVERY = 1.0  # seconds
log = logging.getLogger(__name__)


class NotWanted(Exception):
    """The export was cancelled or deleted, or another worker makes it now."""


@task(queue_name=HEAVY, tries=5, first=timedelta(seconds=10), keep=timedelta(0))
def make_export(export_id: str) -> None:
    export = begin(export_id)
    if export is None:
        return
    try:
        size = write_file(export)
        finish(export, size)
    except NotWanted:
        delete_file(export.name)
        Export.objects.filter(pk=export.pk, state=ExportState.CANCELLED, name=export.name).delete()
    except Error:  # of the database, which may come back: tried again
        delete_file(export.name)
        raise
    except Exception as error:
        delete_file(export.name)
        fail(export, problem_of(error))
    except BaseException:
        delete_file(export.name)
        raise


def begin(export_id: str) -> Export | None:
    """Take the export for this attempt, with a new name for its file; return None where it is not wanted any more.

    The file of an attempt that was killed is deleted here. One that goes on nevertheless finds its name gone.
    """
    found = Export.objects.filter(pk=export_id).first()
    if found is None or not found.is_active:
        Export.objects.filter(pk=export_id, state=ExportState.CANCELLED).delete()
        return None
    before, name = found.name, secrets.token_urlsafe(24)
    mine = Export.objects.active().filter(pk=found.pk, name=before)
    if not mine.update(state=ExportState.RUNNING, name=name, cards_done=0, files_done=0, work_done=0):
        return None
    if before:
        delete_file(before)
    return Export.objects.select_related("user").filter(pk=found.pk, name=name).first()


def write_file(export: Export) -> int:
    """Write the file in the storage; return its size."""
    reader = Reader(export.user, None if export.board_id is None else frozenset({export.board_id}))
    default_storage.save(export.path, ContentFile(b""))  # makes the folder, with the storage's own permissions
    with default_storage.open(export.path, "wb") as file:
        measured = Measured(file)
        write(export.form, reader, cast(IO[bytes], measured), Watched(export))
        bring_to_disk(file)
    return measured.size


class Measured(io.RawIOBase):
    """A file for writing that counts its bytes."""

    def __init__(self, file: File) -> None:
        self._file, self.size = file, 0

    def write(self, data: Any) -> int:
        self._file.write(data)
        self.size += len(data)
        return len(data)


def bring_to_disk(file: File) -> None:
    """Have a file of the folder on the disk before its row says that it is done."""
    file.flush()
    with suppress(AttributeError, io.UnsupportedOperation):  # of a storage that is no folder
        os.fsync(file.fileno())


class Watched(Progress):
    """Writes into the row how far the export is, every second, and notices there when it is not wanted any more."""

    def __init__(self, export: Export) -> None:
        super().__init__()
        self._row = Export.objects.filter(pk=export.pk, state=ExportState.RUNNING, name=export.name)
        self._next = 0.0

    def tell(self) -> None:
        if time.monotonic() < self._next:
            return
        fields = ("boards", "cards", "cards_done", "files", "files_done", "work", "work_done")
        try:
            if not self._row.update(**{name: getattr(self, name) for name in fields}):
                raise NotWanted
        except OperationalError:  # a database that is busy: the next second has news too
            log.info("the progress of an export could not be noted", exc_info=True)
        self._next = time.monotonic() + TELL_EVERY


def finish(export: Export, size: int) -> None:
    now = timezone.now()
    with transaction.atomic():
        mine = Export.objects.filter(pk=export.pk, state=ExportState.RUNNING, name=export.name)
        done = {"state": ExportState.DONE, "size": size, "ready_at": now, "expires_at": now + KEPT_FOR}
        if not mine.update(**done, cards_done=F("cards"), files_done=F("files")):
            raise NotWanted
        tell_person(export, "done")


def fail(export: Export, problem: Problem) -> None:
    with transaction.atomic():
        mine = Export.objects.filter(pk=export.pk, state=ExportState.RUNNING, name=export.name)
        if mine.update(state=ExportState.FAILED, problem=problem, expires_at=timezone.now() + KEPT_FOR):
            tell_person(export, "failed")


def tell_person(export: Export, state: str) -> None:
    with translation.override(export.user.language):
        name = export.title or _("all boards")
    data = {"what": "export", "state": state, "name": name, "link": "/settings/data"}
    tell(export.user_id, Kind.FINISHED, str(export.pk), data)


def problem_of(error: Exception) -> Problem:
    if isinstance(error, NoBoard):
        return Problem.NO_BOARD
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        log.error("An export failed, as there is no room: %s", error)
        return Problem.DISK_FULL
    if isinstance(error, (OSError, StorageFails)) or type(error).__module__.startswith("botocore"):
        log.error("An export failed, as its file could not be stored: %s", error)
        return Problem.STORAGE
    log.exception("An export failed")
    return Problem.FAULT
