"""Undo one change of the history, by an ordinary change that names it. Values that somebody else has changed since
stay, and are named. The inverse of each verb is in `inverses/`. Undoing an undo is redo.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from operator import or_
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.boards.board import lock_account
from boards.actions.files.caps import Owners, lock_owners
from boards.actions.inverses import INVERSES
from boards.actions.inverses.undoing import Undoing
from boards.actions.locks import role_for_change
from boards.actor import Actor
from boards.errors import Conflict, DomainError, NotAllowed, NotFound
from boards.models import Activity, Role, Verb
from boards.statements import lock_boards, read_role

OF_ARCHIVED_BOARDS = (Verb.BOARD_ARCHIVED, Verb.BOARD_RESTORED, Verb.BOARD_CREATED)
FOR_GOOD = (Verb.CARD_DELETED, Verb.LIST_DELETED, Verb.BOARD_DELETED)
LINKS = (Verb.LINK_CREATED, Verb.LINK_CHANGED, Verb.LINK_RENEWED, Verb.LINK_WITHDRAWN)
BRING_FILES = (Verb.ATTACHMENT_DELETED, Verb.CARD_LEFT, Verb.CARD_ARRIVED)
TWO_BOARDS = (Verb.CARD_LEFT, Verb.CARD_ARRIVED)


def can_be_undone(verb: str) -> bool:
    return verb in INVERSES


def undo_change(*, actor: Actor, board_id: UUID | None, number: int, anybodys: bool = False) -> Activity:
    """Take back the change `number` of the board, and return it. One that has been taken back stays as it is.

    Editors may take back their own changes; with `anybodys`, owners those of others too. Raises Conflict when the
    change cannot be taken back: somebody has changed the same since, or what it needs is gone.
    """
    line = Activity.objects.filter(board=board_id, version=number).first() if board_id else None
    if line is None:
        raise not_found()
    if line.user_id != actor.user.pk:
        _require_role(actor, line, anybodys)
    made = len(actor.changes)
    try:
        with transaction.atomic():
            owners = _lock(actor, [line])
            _require_role(actor, line, anybodys)
            if not is_undone(line):
                _take_back(actor, line, owners)
    except DomainError:
        del actor.changes[made:]
        raise
    return line


@contextmanager
def undone_together(actor: Actor, changes: Iterable[tuple[UUID, int]]) -> Iterator[None]:
    """Open a transaction for calls of `undo_change` with these changes, (board, number) each: one commit for all of them.

    A change that is refused does not take the others with it. All that the calls lock is locked here, accounts before
    boards and boards in the order of their ids.
    """
    with transaction.atomic():
        _lock(actor, list(_lines(changes).filter(user=actor.user)))  # others' are refused without a lock
        yield


def _lines(changes: Iterable[tuple[UUID, int]]) -> "QuerySet[Activity]":
    numbers: dict[UUID, list[int]] = {}
    for board_id, number in changes:
        numbers.setdefault(board_id, []).append(number)
    of_boards = (Q(board=board_id, version__in=some) for board_id, some in numbers.items())
    return Activity.objects.filter(reduce(or_, of_boards, Q(pk__in=[])))


def is_undone(line: Activity) -> bool:
    """Tell whether the change was taken back, and that was not taken back in its turn."""
    lines = Activity.objects.filter(board=line.board_id, card_id=line.card_id, undoes__gte=line.version)
    gone: set[int | None] = set()  # those that were taken back by one that stands, which is always later
    for number, undone in lines.order_by("-version").values_list("version", "undoes"):
        if number not in gone:
            gone.add(undone)
    return line.version in gone


def _lock(actor: Actor, lines: Collection[Activity]) -> Owners:
    """Lock what the inverses will change: accounts before boards, and all boards of moves at once.

    Return the owners of the boards to which files may come back.
    """
    if any(line.verb in OF_ARCHIVED_BOARDS for line in lines):
        lock_account(actor.user.pk)
    with_files = [line for line in lines if line.verb in BRING_FILES]
    owners = lock_owners(_boards_of(with_files)) if with_files else {}
    lock_boards(_boards_of(lines))
    return owners


def _boards_of(lines: Iterable[Activity]) -> set[UUID]:
    """Return the boards of these changes, of a move both."""
    found = set()
    for line in lines:
        found.add(line.board_id)
        if line.verb in TWO_BOARDS:
            found.update(map(UUID, line.data.get("board_id", ())))
    return found


def _require_role(actor: Actor, line: Activity, anybodys: bool) -> None:
    role = read_role(line.board_id, actor.user.pk)
    needs = Role.OWNER if anybodys and line.user_id != actor.user.pk else Role.EDITOR
    role_for_change(actor, line.board, role, needs, archived_board=line.verb in OF_ARCHIVED_BOARDS)
    if line.user_id != actor.user.pk and not anybodys:
        raise NotAllowed(_("You can undo only your own changes."))


def _take_back(actor: Actor, line: Activity, owners: Owners) -> None:
    inverse = INVERSES.get(Verb(line.verb))
    if inverse is None:
        raise _why_not(line)
    by = replace(actor, undoing={line.board_id: line.version})
    made = len(actor.changes)
    u = Undoing(line, by, owners)
    try:
        inverse(u)
    except NotFound:
        raise Conflict(_("“%(title)s”, or a part of it, no longer exists.") % {"title": u.title}) from None
    if len(actor.changes) == made:
        raise Conflict(_("There is nothing to undo: “%(title)s” is as it was before.") % {"title": u.title})


def _why_not(line: Activity) -> Conflict:
    if line.verb in FOR_GOOD:
        return Conflict(_("A permanent deletion can't be undone."))
    if line.verb in LINKS:
        return Conflict(_("Changes of the public link can't be undone. Change it in the board's settings."))
    return Conflict(_("Changes of members can't be undone here. Make the opposite change on the Members page."))
