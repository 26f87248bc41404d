"""The tasks of an import, for a worker. A task that runs again after a crash goes on where the row says."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from boards.actions.imports import discard_import
from boards.errors import DomainError
from boards.models import Board
from core.text.locale import locale_of
from importer.attempts import StillWanted, Stopped, TooLong, mine, note, take
from importer.formats.source import Unreadable
from importer.models import BUSY, OPEN, Import, ImportState
from importer.reading import read_report
from importer.storing import delete_unused, forget, local
from importer.writing import write_boards
from jobs.backend import HEAVY
from jobs.clock import every
from notifications.events.telling import tell
from notifications.kinds import Kind

KEEP_UPLOAD = timedelta(days=1)
KEEP_ROW = timedelta(days=90)
TRIES = 3
LONGEST_READING = 300  # seconds of processor time, in which others wait; 20,000 cards take 3


@task(queue_name=HEAVY, tries=TRIES, first=timedelta(seconds=10))
def read_file(import_id: str) -> None:
    """Make the report."""
    row = take(import_id, ImportState.READING)
    if row is None:
        return

    def read() -> None:
        with local(row) as path:
            report = read_report(row, path, StillWanted(row, LONGEST_READING))
        mine(row).update(report=report, state=ImportState.REPORTED, changed_at=timezone.now())

    _with_words(row, read)


@task(queue_name=HEAVY, tries=TRIES, first=timedelta(seconds=10))
def write_file(import_id: str) -> None:
    """Write the boards."""
    Import.objects.filter(pk=import_id, state=ImportState.WAITING).update(state=ImportState.RUNNING)
    row = take(import_id, ImportState.RUNNING)
    if row is None:
        return

    def write() -> None:
        with local(row) as path:
            write_boards(row, path)
        with transaction.atomic():
            _tell(row, "done")  # first: if this fails, the row here is still one that can be failed
            note(row, state=ImportState.DONE, secrets={})
        _forget_file(row)

    _with_words(row, write)


def _with_words(row: Import, do: Callable[[], None]) -> None:
    """Do it in the language of the account. What the file, a rule or a cap stops ends the import with that sentence."""
    with locale_of(row.user):
        try:
            do()
        except Stopped:
            discard_at_hand(row.pk)
        except (Unreadable, TooLong, DomainError) as error:
            fail(row, str(error))
        except FileNotFoundError:
            fail(row, _("The file is no longer there. Choose it again."))
        except Exception:
            if row.attempt >= TRIES:
                fail(
                    row,
                    _(
                        "Something went wrong on our side, not with your file. Try again, or ask the operator of "
                        "this service."
                    ),
                )
            raise


def fail(row: Import, why: str) -> None:
    with transaction.atomic():
        if not mine(row).update(state=ImportState.FAILED, error=why, secrets={}, changed_at=timezone.now()):
            return
        if row.state == ImportState.RUNNING:
            _tell(row, "failed")
    _forget_file(row)


def _tell(row: Import, state: str) -> None:
    data = {"what": "import", "state": state, "name": row.file_name, "link": row.get_absolute_url()}
    tell(row.user_id, Kind.FINISHED, f"import:{row.pk}", data)


def _forget_file(row: Import) -> None:
    Import.objects.filter(pk=row.pk).update(file="")
    forget(row.file)


def discard_at_hand(import_id: UUID) -> None:
    """Delete the unfinished board that was being written when the import ended."""
    row = Import.objects.filter(pk=import_id).exclude(at_hand=None).exclude(state__in=BUSY).first()
    if row is not None and row.at_hand:
        _discard(row.at_hand)
        Import.objects.filter(pk=import_id, at_hand=row.at_hand).update(at_hand=None)


def _discard(board_id: UUID) -> None:
    discard_import(board_id=board_id)


@every(timedelta(hours=1), "imports")
@task(tries=1)
def tidy_imports() -> None:
    """End imports that nobody has decided on for a day, and delete unfinished boards of stopped ones."""
    now = timezone.now()
    for row in Import.objects.filter(changed_at__lt=now - KEEP_UPLOAD).exclude(file="").select_related("user"):
        waited = Import.objects.filter(pk=row.pk, state__in=OPEN)
        waited.update(state=ImportState.CANCELLED, secrets={}, changed_at=now)
        _forget_file(row)
    for pk in Import.objects.exclude(at_hand=None).exclude(state__in=BUSY).values_list("pk", flat=True):
        discard_at_hand(pk)
    at_hand = Import.objects.exclude(at_hand=None).values("at_hand")
    for board_id in (
        Board.objects.filter(version=0, memberships=None).exclude(pk__in=at_hand).values_list("pk", flat=True)
    ):
        _discard(board_id)  # its account was deleted meanwhile
    Import.objects.filter(changed_at__lt=now - KEEP_ROW).exclude(state__in=OPEN).delete()
    delete_unused(now)
