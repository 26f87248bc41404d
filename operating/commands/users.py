"""Verbs of `bin/manage users` that are more than a call."""

from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from account_deletion.deletion import delete_account, is_last_operator
from account_deletion.owned import owned_boards
from accounts.models import ApiToken, User
from boards.errors import NotAllowed
from boards.models import Membership, Role
from core.text.command_lines import for_this_installation
from operating.commands.printing import Columns, Row, in_words

COLUMNS: Columns = {
    "ID": "id",
    "EMAIL": "email",
    "NAME": "name",
    "PLAN": "plan",
    "ACTIVE": "isActive",
    "OPERATOR": "isOperator",
    "BOARDS": "boardsOwned",
    "TOKENS": "apiTokens",
    "LAST SEEN": "lastSeenAt",
}


def counted(users: QuerySet[User]) -> QuerySet[User]:
    """Add what rows show beside the account: how many boards it owns, and how many tokens work."""
    owned = Membership.objects.filter(user=OuterRef("pk"), role=Role.OWNER).order_by()
    live = ApiToken.objects.live().filter(user=OuterRef("pk")).order_by()
    return users.annotate(
        boards_owned=Coalesce(Subquery(owned.values("user").annotate(number=Count("pk")).values("number")), 0),
        api_tokens=Coalesce(Subquery(live.values("user").annotate(number=Count("pk")).values("number")), 0),
    )


def row_of_account(user: User) -> Row:
    return {
        "id": str(user.pk),
        "email": user.email,
        "name": user.name,
        "plan": user.plan_id,
        "isActive": user.is_active,
        "isOperator": user.is_staff,
        "isSuperuser": user.is_superuser,
        "boardsOwned": user.boards_owned,  # type: ignore[attr-defined]  # `counted` adds it
        "apiTokens": user.api_tokens,  # type: ignore[attr-defined]
        "joinedAt": user.date_joined,
        "lastSeenAt": max(filter(None, (user.seen_at, user.last_login)), default=None),
    }


def require_another_operator(user: User) -> None:
    if is_last_operator(user):
        raise CommandError(
            for_this_installation(
                f"{user.email} is the only operator. Make somebody else one first: bin/manage adduser EMAIL --operator"
            )
        )


def what_goes(user: User) -> list[str]:
    """Return the lines that tell what a deletion of the account does to its boards."""
    owned = owned_boards(user)
    lines = [f"The account {user.email} will be deleted. Its name becomes “Former member” where others see it."]
    if alone := [one for one in owned if not one.others]:
        lines.append(f"Boards without other members, deleted with it: {len(alone)}.")
    return lines + [
        f"{one.board.pk}  {in_words(one.board.title)}  ({one.others} other members)" for one in owned if one.others
    ]


def delete(user: User, deleting: set[UUID], by: User) -> None:
    """Delete the account. Raise CommandError, with what to do, where its owner would be refused too."""
    require_another_operator(user)
    shared = [one.board for one in owned_boards(user) if one.others]
    if unknown := deleting - {board.pk for board in shared}:
        raise CommandError(f"--delete-board: {user.email} owns no board {min(unknown)} that has other members.")
    try:
        delete_account(user, deleting=deleting, request=None, by=by)
    except NotAllowed as refusal:
        undecided = [board for board in shared if board.pk not in deleting]
        raise CommandError(
            "\n".join(
                [
                    refusal.message,
                    *(f"  {board.pk}  {board.title}" for board in undecided),
                    for_this_installation("To offer one to a member: bin/manage boards hand-over ID --to EMAIL"),
                    "To delete one with the account: --delete-board ID",
                ]
            )
        ) from None
