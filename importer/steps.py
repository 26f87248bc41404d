"""The steps of an import that people take: upload, answers, start, cancel, take back."""

import secrets
import time
from collections.abc import Iterable, Mapping
from io import BytesIO
from types import MappingProxyType
from typing import IO, Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locks import lock_account
from accounts.models import User
from boards.access import acquaintances, not_found
from boards.actions.boards.board import delete_board
from boards.actor import Actor
from boards.errors import Conflict, DomainError, Invalid
from boards.losses import Loss
from boards.models import Board, Card, Door, Membership, Role
from boards.reader import Reader
from core.limits.queues import own_queue
from importer.formats import FORMATS, recognize
from importer.formats.json_reading import storable
from importer.formats.source import Question, SourceKind, Unreadable
from importer.ids import new_salt
from importer.models import BUSY, OPEN, Import, ImportState
from importer.storing import forget, keep, local
from importer.tasks import discard_at_hand, read_file, write_file
from jobs.backend import HEAVY

LONGEST_ANSWER = 500


def upload(user: User, file: IO[bytes], file_name: str, format: str = "") -> Import:
    """Keep the file of a new import. `format` is what the person chose, "" to have it recognized.

    One that still waits for a decision ends; while one is being read or written, Conflict is raised.
    """
    if format and format not in FORMATS:
        raise Invalid(_("Choose one of the formats."), "format")
    name = keep(file)
    try:
        return _uploaded(user, name, storable(file_name)[:255], format, file)
    except BaseException:
        forget(name)
        raise


def upload_nothing(user: User, format: str) -> Import:
    """Begin an import of a format that needs no file: it keeps what it fetches in an empty one."""
    return upload(user, BytesIO(), str(FORMATS[format].TITLE), format)


def _uploaded(user: User, name: str, file_name: str, format: str, file: IO[bytes]) -> Import:
    salt = new_salt(int(time.time() * 1000), secrets.token_bytes(16))
    size = file.seek(0, 2)
    row = Import(user=user, file=name, file_name=file_name or _("File"), format=format, salt=salt, size=size)
    if not format:
        with local(row) as path:
            row.format = recognize(row.source(path))
    if not row.format:
        raise Invalid(_("This file was not recognized. Choose its source, or another file."), "format")
    with transaction.atomic():
        lock_account(user)
        open_ones = list(Import.objects.filter(user=user, state__in=OPEN))
        if any(one.is_busy for one in open_ones):
            raise Conflict(_("Another import is running. Wait for it to finish, or cancel it first."))
        for one in open_ones:
            _end(one)
        row.save(force_insert=True)
    return row


def _end(row: Import) -> None:
    Import.objects.filter(pk=row.pk).update(state=ImportState.CANCELLED, file="", secrets={}, changed_at=timezone.now())
    transaction.on_commit(lambda: forget(row.file), robust=True)


def give_up(row: Import, why: str) -> None:
    """End an import that cannot be read, with the sentence that says why."""
    Import.objects.filter(pk=row.pk, state__in=(ImportState.ASKING, ImportState.REPORTED)).update(
        state=ImportState.FAILED, error=why, file="", secrets={}, changed_at=timezone.now()
    )
    forget(row.file)
    row.state, row.error = ImportState.FAILED, why


def questions_of(row: Import) -> list[Question]:
    """Return what must be asked before the report. Raises Unreadable."""
    with local(row) as path:
        return FORMATS[row.format].questions(row.source(path))


def asked_beside(row: Import) -> list[Question]:
    """Return what is asked beside the report; [] where no answer could change it."""
    has_links = any(loss["loss"] == Loss.FILE_LINKED for loss in row.report.get("losses", ()))
    return [*FORMATS[row.format].BESIDE_REPORT] if has_links or any(row.answers.values()) else []


def all_questions(row: Import) -> list[Question]:
    """Return what is asked before the report and beside it. Raises Unreadable."""
    return [*questions_of(row), *FORMATS[row.format].BESIDE_REPORT]


def answer(row: Import, answers: Mapping[str, str], people: Mapping[str, str] = MappingProxyType({})) -> None:
    """Keep the answers to the questions of the format, and the people who were matched so far.

    Raises Invalid for an answer that is missing or none of its choices. A secret that is left empty stays as it was.
    """
    choices, hidden = dict(row.choices), dict(row.secrets)
    for question in all_questions(row):
        if question.name not in answers:
            continue
        given = _given(answers[question.name])
        _check(question, given)
        if question.kind is not SourceKind.SECRET:
            choices[question.name] = given
        elif given or question.name not in hidden:
            hidden[question.name] = given
    matched = row.people | dict.fromkeys(people, "") | _matched(row, people)
    _move(
        row,
        (ImportState.ASKING, ImportState.REPORTED),
        ImportState.ASKING,
        choices=choices,
        secrets=hidden,
        people=matched,
    )
    row.choices, row.secrets, row.people = choices, hidden, matched


def _given(text: str) -> str:
    return storable(text).strip()[:LONGEST_ANSWER]


def _check(question: Question, given: str) -> None:
    if question.choices and given not in {choice.value for choice in question.choices}:
        raise Invalid(_("Choose one of the answers."), question.name)
    try:
        if question.check:
            question.check(given)
    except Unreadable as error:
        raise Invalid(str(error), question.name) from error


def changes_report(row: Import, answers: Mapping[str, str]) -> bool:
    """Tell whether these answers to the questions beside the report are others than those that it was made with."""
    for question in FORMATS[row.format].BESIDE_REPORT:
        given = _given(answers.get(question.name, ""))
        if question.kind is SourceKind.SECRET:
            if given and given != row.secrets.get(question.name):
                return True
        elif question.name in answers and given != row.choices.get(question.name, ""):
            return True
    return False


def missing(row: Import, questions: Iterable[Question]) -> list[Question]:
    """Return those of the questions that were not answered yet, or not though they must be."""
    given = row.answers
    return [one for one in questions if one.name not in given or (one.required and not given[one.name])]


def begin_reading(row: Import, *, at_once: bool = False) -> None:
    """Have the report made; `at_once` in this process."""
    with transaction.atomic():
        _move(row, (ImportState.ASKING,), ImportState.READING)
        if not at_once:
            read_file.using(queue_name=own_queue(row.user_id, HEAVY)).enqueue(str(row.pk))
    if at_once:
        read_file.call(str(row.pk))


@transaction.atomic
def begin_writing(row: Import, *, people: Mapping[str, str], left_out: Iterable[str], at_once: bool = False) -> None:
    """Start the import with these people and without these boards. With `at_once`, the caller writes. Raises Invalid."""
    if row.state != ImportState.REPORTED:
        raise _moved_on()
    keys = {board["key"] for board in row.report.get("boards", [])}
    row.left_out = sorted(keys & set(left_out))
    if len(row.left_out) == len(keys):
        raise Invalid(_("Choose at least one board."), "boards")
    row.people = _matched(row, people)
    _move(row, (ImportState.REPORTED,), ImportState.WAITING, left_out=row.left_out, people=row.people, attempt=0)
    if not at_once:
        write_file.using(queue_name=own_queue(row.user_id, HEAVY)).enqueue(str(row.pk))


def _matched(row: Import, people: Mapping[str, str]) -> dict[str, str]:
    """Return the mapping. Somebody may only be mapped to themselves or to people with whom they share a board."""
    known = {person["key"] for person in row.report.get("people", [])}
    wanted = {key: user_id for key, user_id in people.items() if user_id and key in known}
    may_be = {str(row.user_id)} | {str(person.pk) for person in people_for(row.user)}
    if not set(wanted.values()) <= may_be:
        raise Invalid(_("Choose people with whom you share a board."), "people")
    return wanted


def people_for(user: User) -> list[User]:
    """Return the people whom the importer may name: they share a board with them. They are invited, not added."""
    nowhere = UUID(int=0)
    return list(acquaintances(Reader(user), not_on=nowhere).order_by("name", "pk")[:200])


def write_now(row: Import) -> None:
    write_file.call(str(row.pk))


def cancel(row: Import) -> None:
    """Stop the import. The boards that are there already stay; of the one at hand nothing does."""
    if not Import.objects.filter(pk=row.pk, state__in=OPEN).update(
        state=ImportState.CANCELLED, secrets={}, changed_at=timezone.now()
    ):
        raise _moved_on()
    was_busy = row.state in BUSY
    row.state = ImportState.CANCELLED
    Import.objects.filter(pk=row.pk).update(file="")
    forget(row.file)
    if not was_busy:
        discard_at_hand(row.pk)


def _move(row: Import, before: Iterable[ImportState], after: ImportState, **values: Any) -> None:
    found = Import.objects.filter(pk=row.pk, state__in=tuple(before))
    if not found.update(state=after, changed_at=timezone.now(), **values):
        raise _moved_on()
    row.state = after


def _moved_on() -> Conflict:
    return Conflict(_("This import has moved on in the meantime. Reload the page."))


class Since:
    """Describe the changes of an imported board since its import, which its deletion would lose."""

    def __init__(self, board: Board, was: dict[str, Any]) -> None:
        self.board = board
        self.changes = board.version - 1
        self.cards = Card.objects.filter(board=board, version__gt=1).count()
        self.others = Membership.objects.filter(board=board).exclude(role=Role.OWNER).count()


def boards_to_take_back(row: Import) -> list[Since]:
    """Return the boards of this import that are still there and still belong to who imported them."""
    ids = {UUID(one["id"]): one for one in row.made}
    found = Board.objects.owned_by(row.user).filter(pk__in=ids).order_by("created_at", "id")
    return [Since(board, ids[board.pk]) for board in found]


def take_back(row: Import) -> int:
    """Delete the boards that this import made, and return how many. Boards that were given to others stay."""
    if not row.can_be_taken_back:
        raise _moved_on()
    deleted = 0
    for one in boards_to_take_back(row):
        try:
            delete_board(actor=Actor(row.user, Door.WEB), board_id=one.board.pk, in_pieces=True)
            deleted += 1
        except DomainError:  # it was given away or deleted at this moment
            continue
    Import.objects.filter(pk=row.pk).update(state=ImportState.TAKEN_BACK, changed_at=timezone.now())
    row.state = ImportState.TAKEN_BACK
    return deleted


def own_import(user: User, pk: UUID) -> Import:
    found = Import.objects.filter(user=user, pk=pk).select_related("user").first()
    if found is None:
        raise not_found()
    return found
