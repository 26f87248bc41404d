from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from boards.actions.boards.board import archive_board, restore_board
from boards.actions.people.handover import offer_board
from boards.actor import Actor
from boards.models import Board, Membership, Offer, Role
from boards.models.verbs import Door
from operating.commands.arguments import VerbCommand
from operating.commands.finding import account_of, add_by_argument, operator_of, row_of
from operating.commands.printing import (
    Columns,
    Row,
    add_json_argument,
    add_list_arguments,
    as_json,
    in_words,
    print_list,
)
from security.events import log_event
from security.models import EventKind

COLUMNS: Columns = {
    "ID": "id",
    "TITLE": "title",
    "OWNER": "owner",
    "MEMBERS": "members",
    "OFFERED TO": "offeredTo",
    "LAST CHANGE": "changedAt",
    "ARCHIVED": "archivedAt",
}


class Command(VerbCommand):
    help = "Lists boards; offers one to a new owner, archives or restores it."

    def add_verbs(self) -> None:
        parser = self.verb("list", self.show, "Lists boards, the oldest first.")
        parser.add_argument("--user", metavar="ACCOUNT", help="those of which this account is a member: email or ID")
        parser.add_argument("--archived", action="store_true", help="archived boards alone")
        add_list_arguments(parser)
        words = "Offers a board to one of its members, who becomes the owner by accepting."
        parser = self.deed("hand-over", self.hand_over, words)
        parser.add_argument("--to", metavar="ACCOUNT", required=True, help="email address or ID of a member")
        self.deed("archive", self.archive, "Archives a board. Its invitations, offer and public link end.")
        self.deed("restore", self.restore, "Restores an archived board.")

    def deed(self, name: str, do: Any, words: str) -> Any:
        parser = self.verb(name, do, words)
        parser.add_argument("id", metavar="BOARD", help="its ID, which is in the address of its page")
        add_by_argument(parser)
        add_json_argument(parser)
        return parser

    def show(self, user: str | None, archived: bool, **options: Any) -> None:
        found = boards()
        if user is not None:
            found = found.filter(Exists(Membership.objects.filter(board=OuterRef("pk"), user=account_of(user))))
        if archived:
            found = found.exclude(archived_at=None)
        print_list(self, found, row_of_board, COLUMNS, options)

    def hand_over(self, id: str, to: str, by: str | None, **options: Any) -> None:
        board, heir, actor = board_of(id), account_of(to), actor_of(by)
        role = Membership.objects.filter(board=board, user=heir).values_list("role", flat=True).first()
        if role is None:
            raise CommandError(
                f"{heir.email} is not a member of “{in_words(board.title)}”. Only a member can become the owner."
            )
        if role == Role.OWNER:
            raise CommandError(f"{heir.email} owns “{in_words(board.title)}” already.")
        with transaction.atomic():
            offer_board(actor=actor, board_id=board.pk, user_id=heir.pk)
            if actor.changes:
                log_event(EventKind.BOARD_OFFERED, None, user=heir, by=actor.user, board=str(board.pk))
        self.tell(board, f"is offered to {heir.email}, who accepts or declines it in the browser.", options)

    def archive(self, id: str, by: str | None, **options: Any) -> None:
        board = board_of(id)
        archive_board(actor=actor_of(by), board_id=board.pk)
        self.tell(board, "is archived.", options)

    def restore(self, id: str, by: str | None, **options: Any) -> None:
        board = board_of(id)
        restore_board(actor=actor_of(by), board_id=board.pk)
        self.tell(board, "is restored.", options)

    def tell(self, board: Board, words: str, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(as_json(row_of_board(boards().get(pk=board.pk))))
        else:
            self.stdout.write(f"“{in_words(board.title)}” {words}")


def actor_of(by: str | None) -> Actor:
    return Actor(operator_of(by), door=Door.COMMAND)


def board_of(text: str) -> Board:
    found: Board = row_of(boards(), text, what="board", command="bin/manage boards list")
    return found


def boards() -> QuerySet[Board]:
    """Return all boards with what rows show of them, but those that are being deleted, which have no members."""
    members = Membership.objects.filter(board=OuterRef("pk")).order_by()
    owners = members.filter(role=Role.OWNER)
    return Board.objects.filter(Exists(members)).annotate(
        owner=Subquery(owners.values("user__email")[:1]),
        owner_id=Subquery(owners.values("user_id")[:1]),
        members=Subquery(members.values("board").annotate(number=Count("pk")).values("number")),
        offered_to=Subquery(Offer.objects.filter(board=OuterRef("pk")).values("to__email")[:1]),
    )


def row_of_board(board: Any) -> Row:
    return {
        "id": str(board.pk),
        "title": board.title,
        "owner": board.owner,
        "ownerId": str(board.owner_id),
        "members": board.members,
        "offeredTo": board.offered_to,
        "createdAt": board.created_at,
        "changedAt": board.changed_at,
        "archivedAt": board.archived_at,
    }
