"""Permission checks: who can read what, and which role a change needs.

A row that a reader cannot see is answered like one that does not exist, so that nobody can find out which ids exist.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from boards.actor import Actor
from boards.errors import DomainError, NotAllowed, NotFound
from boards.models import Board, List, Membership, Role
from boards.reader import Reader
from core import sql
from core.sql import table

if TYPE_CHECKING:
    from accounts.models import User


def not_found() -> NotFound:
    """Return the error for a row that does not exist and for one that the reader cannot see: the same for both."""
    return NotFound(_("This does not exist, or you don't have access to it. Check the address or id."))


def no_list_yet() -> NotFound:
    return NotFound(_("This board has no lists yet. Add a list first."))


def role_on(board_id: UUID, reader: Reader) -> Role | None:
    memberships = Membership.objects.filter(reader.membership(), board_id=board_id)
    found = memberships.values_list("role", flat=True).first()
    return Role(found) if found else None


def sees_all(board_ids: Collection[UUID], reader: Reader) -> bool:
    """Tell whether the reader can see each of these boards, archived ones too."""
    memberships = Membership.objects.filter(reader.membership(), board__in=board_ids)
    return not board_ids or memberships.count() == len(board_ids)


def require(role: Role, needed: Role) -> None:
    """Raise NotAllowed when `role` is below `needed`."""
    if refused := refusal(role, needed):
        raise refused


def refusal(role: Role, needed: Role) -> NotAllowed | None:
    """Return the error for a `role` below `needed`, else None."""
    if needed is Role.EDITOR and not role.can_edit:
        return NotAllowed(_("You can view this board but not change it. Ask its owner to make you an editor."))
    if needed is Role.OWNER and not role.can_own:
        return NotAllowed(_("Only the owner of this board can do this."))
    return None


def require_rights(actor: Actor, *, deletes: bool = False) -> None:
    """Raise NotAllowed when the actor's token may not write, or not delete what a change with `deletes` deletes."""
    if lacking := lacking_right(actor, deletes=deletes):
        raise lacking


def lacking_right(actor: Actor, *, deletes: bool) -> NotAllowed | None:
    if not actor.writes:
        return read_only()
    if deletes and not actor.deletes:
        return NotAllowed(_("This token may not delete. Use one that may, or archive instead."))
    return None


def read_only() -> NotAllowed:
    return NotAllowed(_("This token may only read. Use one that may write."))


def require_all_boards(actor: Actor) -> None:
    """Raise NotAllowed when the actor may not create boards: a new one would be outside of the token's chosen boards."""
    require_rights(actor)
    if actor.boards is not None:
        raise NotAllowed(_("This token is limited to some boards, so it can't create any. Use one for all boards."))


def why_no_card(*, actor: Actor, list_id: UUID | None = None, board_id: UUID | None = None) -> DomainError:
    """Return the error for a card that could not be created there: NotAllowed if the list or board exists, else
    NotFound. For a token of chosen boards no other board exists.

    This is the one exception to the rule above: over REST, and only here, other users learn that a list or board
    exists.
    """
    target: dict[str, Any] = {"pk": list_id} if list_id else {"board": board_id}
    lists, boards = List.objects.open().filter(board__archived_at=None), Board.objects.open()
    if actor.boards is not None:
        lists, boards = lists.filter(board__in=actor.boards), boards.filter(pk__in=actor.boards)
    if lists.filter(**target).exists():
        if not actor.writes:
            return read_only()
        return NotAllowed(_("You must be an editor or the owner of this board. Ask its owner to make you an editor."))
    if list_id is None and board_id and boards.filter(pk=board_id).exists():
        return NotFound(
            _("This board has no lists yet. Add one in the browser, or create a board from a template such as kanban.")
        )
    return NotFound(_("This list or board does not exist, or it is archived. Check listId and boardId."))


def acquaintances(reader: Reader, *, not_on: UUID) -> "QuerySet[User]":
    """Return the active people who share an open board with the reader and are not members of `not_on`."""
    known: Any = RawSQL(*acquaintance_ids(reader))  # noqa: S611 (own SQL)
    others = get_user_model().objects.filter(pk__in=known)
    return others.exclude(Exists(Membership.objects.filter(user=OuterRef("pk"), board=not_on)))


def acquaintance_ids(reader: Reader) -> sql.Statement:
    """Return the statement of the ids of the active people who share an open board with the reader."""
    mine, params = reader.membership_sql("mine")
    members = (
        f"SELECT theirs.user_id FROM {table(Membership)} mine JOIN {table(Membership)} theirs ON theirs.board_id = mine.board_id"  # noqa: S608 (own names)
        f" JOIN {table(Board)} board ON board.id = mine.board_id AND board.archived_at IS NULL"
        f" JOIN {table(get_user_model())} person ON person.id = theirs.user_id AND person.is_active"
        f" WHERE {mine} AND person.id <> %s"
    )
    return sql.Statement(members, sql.keys([*params, reader.user.pk]))


def board_ids(reader: Reader) -> sql.Statement:
    """Return the statement of the ids of the boards that the reader can see, archived ones too."""
    mine, params = reader.membership_sql("mine")
    return sql.Statement(f"SELECT mine.board_id FROM {table(Membership)} mine WHERE {mine}", sql.keys(params))  # noqa: S608 (own names)
