"""Groups of the OpenID provider: the roles that they give on boards, and the memberships that follow. Operators decide,
not owners: nobody joins a board without having agreed, and an owner could name everybody's group. The operator answers
for both the service and the provider. docs/decisions/accounts.md has the rules.
"""

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from boards.access import not_found
from boards.actions import caps
from boards.actions.change import Change, change
from boards.actions.people.members import take_out, valid_role
from boards.actions.people.newcomers import add_member, joined
from boards.actor import Actor
from boards.errors import Conflict, DomainError, NotAllowed
from boards.models import Board, BoardGroup, GroupMembership, Membership, Role, Verb
from boards.models.group import LONGEST_GROUP
from boards.models.records import GroupGiven, Member
from boards.models.verbs import Door
from boards.statements import lock_board
from boards.text import clean_line
from core.bus.access_check import check_access

if TYPE_CHECKING:
    from accounts.models import User

JOINED, CHANGED, LEFT = "joined", "changed", "left"


class GroupRole(NamedTuple):
    """A user's group on a board, and the role that it gives."""

    group: str
    role: Role


class Followed(NamedTuple):
    done: Counter[str]  # how many boards were JOINED, CHANGED and LEFT
    refused: dict[UUID, str]  # why, by board


def give_group(*, actor: Actor, board_id: UUID, group: str, role: str) -> BoardGroup:
    """Give members of the group this role from their next sign-in on. Who has another one by this group gets it soon.

    Raises NotAllowed for everybody but operators in the admin, and LimitReached.
    """
    wanted, name = valid_role(role), clean_line(group, "group", LONGEST_GROUP)
    with change(actor, Board, board_id, needs=Role.VIEWER, operates=BoardGroup) as c:
        _require_operator(actor)
        found = BoardGroup.objects.filter(board=c.board, group=name).first()
        if found is None:
            _require_room(c.board, name)
            found = BoardGroup(group=name, role=wanted.value)
            c.add(found)
            c.record(Verb.GROUP_ADDED, found, GroupGiven(role=(None, wanted.value)))
        elif c.set(found, role=wanted.value):
            c.record(Verb.GROUP_CHANGED, found)
            settle_members.enqueue(str(c.board.pk), str(actor.user.pk))
    return found


def withdraw_group(*, actor: Actor, group_id: UUID) -> BoardGroup:
    """Take away what the group gives. Memberships that rest on it alone end soon. Raises NotAllowed like `give_group`."""
    with change(actor, BoardGroup, group_id, needs=Role.VIEWER) as c:
        _require_operator(actor)
        c.remove(c.row)
        c.row.pk = group_id
        c.record(Verb.GROUP_REMOVED, c.row, GroupGiven(role=(c.row.role, None)))
        settle_members.enqueue(str(c.board.pk), str(actor.user.pk))
    return c.row


def _require_operator(actor: Actor) -> None:
    if not actor.operates(BoardGroup):
        raise NotAllowed(_("Only operators of this service can decide what access groups give."))


def _require_room(board: Board, group: str) -> None:
    words = _("A board can have %(most)s groups. Withdraw one to add another.")
    caps.require_room(BoardGroup.objects.filter(board=board), caps.GROUPS, words)
    words = _("A group can be given %(most)s boards. Withdraw it from one to add another.")
    caps.require_room(BoardGroup.objects.filter(group=group), caps.BOARDS_OF_GROUP, words)


def readmit(note_id: UUID) -> None:
    """Let somebody who left by hand join again at their next sign-in. Raises Conflict while they are a member."""
    with transaction.atomic():
        note = GroupMembership.objects.filter(pk=note_id).first()
        if note is None or lock_board(note.board_id) is None:
            raise not_found()
        if Membership.objects.filter(pk=note.membership_id).exists():
            raise Conflict(_("This person is already a member."))
        note.delete()


def follow_groups(user: "User", groups: Collection[str]) -> Followed:
    """Add, change and end the memberships that the user's groups decide: each board in a transaction of its own.

    A board that refuses stays as it was and stops no other.
    """
    found = Followed(Counter(), {})
    wanted = set(groups)
    boards = {pk for pk, group in BoardGroup.objects.values_list("board_id", "group") if group in wanted}
    boards |= set(GroupMembership.objects.filter(user=user).values_list("board_id", flat=True))
    for board_id in sorted(boards):
        try:
            if done := _follow(Actor(user), user.pk, board_id, wanted):
                found.done[done] += 1
        except DomainError as error:
            found.refused[board_id] = error.message
    return found


@task(tries=20)
def settle_members(board_id: str, operator_id: str) -> None:
    """Hold those who are on the board by groups to what these give now. Nobody joins: that takes a sign-in."""
    operator = get_user_model().objects.get(pk=operator_id)
    notes = GroupMembership.objects.filter(board=UUID(board_id)).order_by("pk")
    for user_id, groups in list(notes.values_list("user_id", "groups")):
        _follow(Actor(operator, door=Door.ADMIN), user_id, UUID(board_id), set(groups), joins=False)


def _follow(actor: Actor, user_id: UUID, board_id: UUID, groups: set[str], *, joins: bool = True) -> str:
    """Decide about one board, under the locks of the account and the board. Return what was done, "" for nothing."""
    with transaction.atomic():
        accounts = get_user_model().objects.select_for_update(no_key=True)
        user = accounts.filter(pk=user_id).first()
        board = lock_board(board_id) if user else None
        if user is None or board is None:
            return ""
        c = Change(actor, board, Role.VIEWER, board)
        done = _decide(c, user, _given(board, groups), joins=joins and user.is_active)
        c.finish()
        return done


def _given(board: Board, groups: set[str]) -> list[GroupRole]:
    rows = BoardGroup.objects.filter(board=board).order_by("group")
    return [GroupRole(row.group, Role(row.role)) for row in rows if row.group in groups]


def _decide(c: Change[Board], user: "User", given: list[GroupRole], *, joins: bool) -> str:
    note = GroupMembership.objects.filter(board=c.board, user=user).first()
    member = Membership.objects.filter(board=c.board, user=user).select_related("user").first()
    is_theirs = member is not None and (
        note is None or note.membership_id != member.pk or member.role == Role.OWNER
    )  # an invitation made them a member, or they own the board: no group's business
    if is_theirs or not given:
        if note is not None:
            note.delete()
        if is_theirs or note is None or member is None:
            return ""
        by_themselves = c.actor.user.pk == user.pk
        take_out(c, member, Verb.MEMBER_LEFT if by_themselves else Verb.MEMBER_REMOVED, group=", ".join(note.groups))
        return LEFT
    best = next((one for one in given if one.role is Role.EDITOR), given[0])
    if member is None or note is None:
        return _come_back(c, user, note, given, best, joins=joins)
    return _change(c, member, note, given, best)


def _come_back(
    c: Change[Board],
    user: "User",
    note: GroupMembership | None,
    given: list[GroupRole],
    best: GroupRole,
    *,
    joins: bool,
) -> str:
    """Join, but for those who left by hand and are in the same groups as then."""
    names = [one.group for one in given]
    if not joins:
        GroupMembership.objects.filter(board=c.board, user=user).update(groups=names)
        return ""
    if note is not None and note.groups == names:
        return ""
    owned = Membership.objects.filter(board=c.board, role=Role.OWNER)
    if c.board.archived_at is not None or not owned.exists():  # without an owner it is being deleted
        return ""
    words = _("This board has %(most)s members. Groups can't add more.")
    caps.require_room(Membership.objects.filter(board=c.board), caps.MEMBERS, words)
    record = joined(user, best.role.value)
    record |= {"group": (None, best.group)}
    member = add_member(c, user, best.role.value, record)
    values = {"membership_id": member.pk, "groups": names, "role": best.role.value, "at": timezone.now()}
    GroupMembership.objects.update_or_create(board=c.board, user=user, defaults=values)
    return JOINED


def _change(
    c: Change[Board], member: Membership, note: GroupMembership, given: list[GroupRole], best: GroupRole
) -> str:
    """Give what the groups give, if that is not what they gave before: a role that was set by hand stays until then."""
    old, names = note.role, [one.group for one in given]
    if (note.groups, note.role) != (names, best.role.value):
        note.groups, note.role, note.at = names, best.role.value, timezone.now()
        note.save(update_fields=["groups", "role", "at"])
    before = member.role
    if old == best.role or not c.set(member, role=best.role.value):
        return ""
    user = member.user
    record = Member(
        member_id=(user.pk, user.pk),
        member=(user.display_name, user.display_name),
        role=(before, best.role.value),
        group=(None, best.group),
    )
    c.record(Verb.MEMBER_CHANGED, c.board, record)
    check_access(user.pk)
    return CHANGED
