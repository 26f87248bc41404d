"""Boards: create, rename, recolour, archive, restore, delete."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.access import not_found
from boards.actions.allowances import DAY, is_used_up, use
from boards.actions.boards.deletion import AT_ONCE, delete_in_pieces
from boards.actions.change import Change, change
from boards.actions.guards import require_archived
from boards.actions.ordering import GAP
from boards.actions.people.newcomers import first_change
from boards.actions.sharing.pending import end_invitations, end_link, end_offer
from boards.actor import Actor
from boards.backgrounds import valid_background
from boards.board_templates import Template
from boards.colours import Hue, valid_hue
from boards.errors import Invalid, LimitReached
from boards.hints import hint
from boards.models import Board, Card, Counted, Label, List, Membership, OwnerActivity, Role, Verb
from boards.models.records import BoardCreated, BoardDeleted
from boards.text import BOARD_TITLE, clean_line
from core.bus.access_check import check_access
from core.text.locale import locale_of

if TYPE_CHECKING:
    from accounts.models import User

CAPS_A_DAY = 3  # how many times the cap of boards may be created in a day


def create_board(*, actor: Actor, title: str, template: str = Template.BLANK, hue: int = Hue.BLUE) -> Board:
    """Create a board with the lists and labels of `template`, in the language of the actor's account.

    Raises Invalid, and LimitReached at the plan's cap of owned boards or when too many were created in a day.
    """
    board = Board(title=valid_title(title), hue=valid_hue(hue))
    chosen = valid_template(template)
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        require_room_for_a_board(account)
        count_new_board(account)
        with first_change(actor, board) as c, locale_of(actor.user):
            c.add_all(List(title=name, position=GAP * place) for place, name in enumerate(chosen.lists, 1))
            c.add_all(Label(name=name, hue=hue) for name, hue in chosen.labels)
            c.record(Verb.BOARD_CREATED, board, BoardCreated(template=(None, chosen.value)))
    return board


def valid_title(value: str) -> str:
    return clean_line(value, "title", BOARD_TITLE)


def valid_template(value: str) -> Template:
    if value not in Template.values:
        allowed = ", ".join(Template.values)
        raise Invalid.of("template", _("%(field)s must be one of %(allowed)s."), allowed=allowed)
    return Template(value)


def room_for_boards(account: "User") -> int | None:
    """Return how many more open boards the account may own; None where its plan has no cap."""
    cap = account.plan.max_boards
    return None if cap is None else max(0, cap - boards_owned(account))


def boards_owned(account: "User") -> int:
    """Return how many boards count against the cap of the plan."""
    return Board.objects.owned_by(account).open().count()


def require_room_for_a_board(account: "User") -> None:
    """Raise LimitReached at the plan's cap. The account must be locked, or parallel calls could exceed the cap."""
    cap = account.plan.max_boards
    if cap is not None and not room_for_boards(account):
        raise LimitReached(
            ngettext(
                "You have reached your plan's limit of %(cap)s owned board. Archive or delete it to make room.",
                "You have reached your plan's limit of %(cap)s owned boards. Archive or delete one to make room.",
                cap,
            )
            % {"cap": cap},
            Board,
        )


def count_new_board(account: "User") -> None:
    """Count a new board, and raise LimitReached if too many were created within a day, archived and deleted ones too.

    The account must be locked. Where the plan has no cap, nothing is counted.
    """
    cap = account.plan.max_boards
    if cap is None:
        return
    most = cap * CAPS_A_DAY
    if is_used_up(account, Counted.BOARD, {DAY: most}):
        text = ngettext(
            "Your plan allows %(most)s new board in 24 hours, including archived and deleted ones. Try again tomorrow.",
            "Your plan allows %(most)s new boards in 24 hours, including archived and deleted ones. Try again tomorrow.",
            most,
        )
        raise LimitReached(text % {"most": most})
    use(account, Counted.BOARD)


def lock_account(user_id: UUID | None) -> "User":
    """Lock the account until the transaction ends, and return it with its plan; raise NotFound if there is none any more.

    Accounts are always locked before boards, so that two actions cannot deadlock.
    """
    accounts = get_user_model().objects.select_for_update(no_key=True, of=("self",)).select_related("plan")
    account = accounts.filter(pk=user_id).first() if user_id else None
    if account is None or account.is_former:
        raise not_found()
    return account


def update_board(
    *,
    actor: Actor,
    board_id: UUID | None,
    title: str | None = None,
    hue: int | None = None,
    background: str | None = None,
) -> Board:
    """Change the title, the color or what lies behind the lists; None leaves a field as it is."""
    values: dict[str, str | int] = {}
    if title is not None:
        values["title"] = valid_title(title)
    if hue is not None:
        values["hue"] = valid_hue(hue)
    if background is not None:
        values["background"] = valid_background(background)
    with change(actor, Board, board_id) as c:
        if c.set(c.board, **values):
            c.record(Verb.BOARD_CHANGED, c.board)
    return c.board


def archive_board(*, actor: Actor, board_id: UUID | None) -> Board:
    """Archive the board. Its pending invitations, its offer and its public link end."""
    with change(actor, Board, board_id, needs=Role.OWNER, archived_board=True) as c:
        if c.board.archived_at is None:
            end_invitations(c)
            end_offer(c)
            end_link(c)
            c.set(c.board, archived_at=c.now)
            c.record(Verb.BOARD_ARCHIVED, c.board)
            for user_id in _members_of(c):
                check_access(user_id)
    return c.board


def restore_board(*, actor: Actor, board_id: UUID | None) -> Board:
    """Restore an archived board. Archived boards do not count towards the plan's cap, so it may raise LimitReached."""
    with transaction.atomic():
        owner = lock_account(_owner_id(board_id) if actor.operates(Board) else actor.user.pk)
        with change(actor, Board, board_id, needs=Role.OWNER, archived_board=True) as c:
            if c.board.archived_at is not None:
                require_room_for_a_board(owner)
                c.set(c.board, archived_at=None)
                c.record(Verb.BOARD_RESTORED, c.board)
    return c.board


def _owner_id(board_id: UUID | None) -> UUID | None:
    return Membership.objects.filter(board=board_id, role=Role.OWNER).values_list("user_id", flat=True).first()


def delete_board(*, actor: Actor, board_id: UUID | None, in_pieces: bool = False, only_archived: bool = False) -> None:
    """Delete a board permanently, with everything on it and its history. Open pages of it are closed.

    With `only_archived`, raise Conflict for a board that is not archived.

    The owner's history (OwnerActivity) keeps a line about the deletion. A large board is gone at once too, while its rows
    are deleted by a task; `in_pieces` does so with any board.
    """
    with change(actor, Board, board_id, needs=Role.OWNER, archived_board=True, deletes=True) as c:
        pk = c.board.pk
        if only_archived:
            require_archived(c.board)
        members = _members_of(c)
        _record_deletion(c, members)
        if in_pieces or max(c.board.version, c.board.last_card_number) > AT_ONCE:
            delete_in_pieces(c.board)
        else:
            c.board.delete()
        transaction.on_commit(lambda: hint(pk, c.number), robust=True)
        for user_id in members:
            check_access(user_id)


def _members_of(c: Change[Board]) -> dict[UUID, str]:
    """Return the roles of the members by their ids."""
    return dict(Membership.objects.filter(board=c.board).values_list("user_id", "role"))


def _record_deletion(c: Change[Board], members: dict[UUID, str]) -> None:
    if not members:
        raise not_found()  # it is being deleted already
    counts = {model: model._default_manager.filter(board=c.board).count() for model in (List, Card)}
    record = BoardDeleted(member_ids=(list(members), None), lists=(counts[List], None), cards=(counts[Card], None))
    owner_id = next(user_id for user_id, role in members.items() if role == Role.OWNER)
    OwnerActivity.objects.create(owner_id=owner_id, board_id=c.board.pk, **c.line(Verb.BOARD_DELETED, c.board, record))
