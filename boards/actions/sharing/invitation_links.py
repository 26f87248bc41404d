"""Invitation links: make, withdraw, join by one. docs/decisions/people.md has the reasons."""

import secrets
from datetime import datetime
from uuid import UUID

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.change import Change, change
from boards.actions.people.members import valid_role
from boards.actions.people.newcomers import join_board, joining_change, was_removed_since
from boards.actions.sharing.invitations import require_confirmed
from boards.actor import Actor
from boards.errors import Conflict, Invalid, LimitReached, NotAllowed
from boards.models import Board, InvitationLink, Membership, Role, Verb
from boards.models.invitation_link import LONGEST, LONGEST_NAME, MOST_USES, digest_of
from boards.models.records import LinkMade, LinkWithdrawn
from boards.text import clean_line

MOST_LINKS = 20  # of one board that have not expired


def create_invitation_link(
    *,
    actor: Actor,
    board_id: UUID,
    expires_at: datetime,
    role: str = Role.VIEWER,
    uses: int | None = None,
    name: str = "",
    form: UUID | None = None,
) -> tuple[InvitationLink, str]:
    """Return the new link and its key, which is stored nowhere. `uses` None: no limit.

    With `form`, which becomes the link's id, a repeat makes nothing and raises Conflict. Raises Invalid, NotAllowed while
    the address of the maker is not confirmed, and LimitReached.
    """
    wanted, label = valid_role(role), clean_line(name, "name", LONGEST_NAME) if name else ""
    _require_number(uses)
    _require_time(expires_at)
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        require_confirmed(actor.user)
        if form and InvitationLink.objects.filter(pk=form).exists():
            raise Conflict(_("This form was already sent, so no second link was created."))
        if InvitationLink.objects.listed().filter(board=c.board).count() >= MOST_LINKS:
            text = _("A board can have %(most)s invitation links. Withdraw one to create another.")
            raise LimitReached(text % {"most": MOST_LINKS})
        key = secrets.token_urlsafe(32)
        link = InvitationLink(
            **({"pk": form} if form else {}),
            name=label,
            role=wanted,
            digest=digest_of(key),
            last_four=key[-4:],
            made_by=actor.user,
            expires_at=expires_at,
            uses_left=uses,
        )
        c.add(link)
        record = LinkMade(role=(None, wanted.value), expires_at=(None, expires_at), uses=(None, uses))
        c.record(Verb.INVITATION_LINK_CREATED, link, record)
    return link, key


def _require_number(uses: int | None) -> None:
    if uses is not None and not 1 <= uses <= MOST_USES:
        raise Invalid.of("uses", _("%(field)s must be a number from 1 to %(most)s."), most=MOST_USES)


def _require_time(expires_at: datetime) -> None:
    now = timezone.now()
    if not now < expires_at <= now + LONGEST:
        raise Invalid.of("until", _("%(field)s must be a day within the next %(days)s days."), days=LONGEST.days)


def withdraw_invitation_link(*, actor: Actor, link_id: UUID) -> InvitationLink:
    with change(actor, InvitationLink, link_id, needs=Role.OWNER) as c:
        c.remove(c.row)
        c.row.pk = link_id
        c.record(Verb.INVITATION_LINK_WITHDRAWN, c.row, LinkWithdrawn(role=(c.row.role, None)))
    return c.row


def join_by_link(*, actor: Actor, link_id: UUID, digest: str) -> InvitationLink:
    """Join the board by the link with this id and digest. A member spends no use and keeps their role: nothing changes.

    Raises NotAllowed while the address is not confirmed, and NotFound,
    always in the same words, for a link that is wrong, expired, used up or withdrawn, and for people who were removed
    since it was made.
    """
    found = _live_link(link_id, digest)
    with joining_change(actor, found.board_id) as c:
        found = _live_link(link_id, digest)
        if Membership.objects.filter(board=c.board, user=actor.user).exists():
            return found
        require_confirmed_to_join(actor)
        if was_removed_since(actor.user, found.board_id, found.created_at) or not _take_use(c, found):
            raise not_found()
        join_board(c, found.role, inviter=found.made_by, link=found)
    return found


def live_link(link_id: UUID | None, digest: str) -> InvitationLink | None:
    """Return the link with its board and maker, if it lets somebody join now."""
    links = InvitationLink.objects.live().select_related("board", "made_by")
    return links.filter(pk=link_id, digest=digest).first() if link_id else None


def _live_link(link_id: UUID | None, digest: str) -> InvitationLink:
    found = live_link(link_id, digest)
    if found is None:
        raise not_found()
    return found


def require_confirmed_to_join(actor: Actor) -> None:
    if not actor.user.has_confirmed_address:
        raise NotAllowed(_("Confirm your email address in your settings before you join a board."))


def _take_use(c: Change[Board], link: InvitationLink) -> bool:
    """Spend one use, if there is one: one statement decides, so a last use is spent once."""
    found = InvitationLink.objects.listed().with_uses().filter(pk=link.pk)
    link.version = c.number
    return found.update(uses_left=F("uses_left") - 1, last_used_at=c.now, version=c.number) == 1
