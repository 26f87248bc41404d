"""The public link of a board: switch on, change what it shows, make its address anew, switch off."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.change import Change, change
from boards.actions.sharing.pending import link_of
from boards.actor import Actor
from boards.errors import Invalid, NotAllowed
from boards.models import Board, PublicLink, Role, Verb
from boards.models.public_link import ANYBODY, FRAMES
from boards.models.records import Shared

SHORTEST, LONGEST = 8, 128  # characters of a password
ORIGIN = re.compile(r"https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")
ORIGINS = 10

CHOICES = ("expires_at", "shows_comments", "shows_names", "frames")


def create_public_link(
    *,
    actor: Actor,
    board_id: UUID,
    expires_at: datetime | None = None,
    password: str = "",
    shows_comments: bool = False,
    shows_names: bool = False,
    frames: str = "",
) -> PublicLink:
    """Switch the link on. If it is on already, that one stays as it is.

    `frames` are the origins whose pages may embed the board, "*" for all. Raises NotAllowed where the operator has
    switched public links off.
    """
    chosen = _valid(expires_at=expires_at, shows_comments=shows_comments, shows_names=shows_names, frames=frames)
    hashed = _hashed(password)
    if not settings.PUBLIC_LINKS:
        raise NotAllowed(_("Public links are turned off on this service. Ask its operator."))
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        link = link_of(c.board)
        if link is None:
            link = PublicLink.new(password=hashed, **chosen)
            _require_one_guard(link)
            c.add(link)
            c.record(Verb.LINK_CREATED, c.board, _all_of(link))
    return link


def change_public_link(
    *,
    actor: Actor,
    board_id: UUID,
    expires_at: datetime | None,
    shows_comments: bool,
    shows_names: bool,
    frames: str,
    password: str | None = None,
) -> PublicLink:
    """Change what the link shows, and to whom. The address stays. `password` None leaves it, "" takes it away.

    Raises NotFound when there is no link.
    """
    chosen = _valid(expires_at=expires_at, shows_comments=shows_comments, shows_names=shows_names, frames=frames)
    if password is not None:
        chosen["password"] = _hashed(password)
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        link = _required(c)
        record = Shared()
        if password or (password == "" and link.password):
            record["has_password"] = (bool(link.password), bool(password))
        if c.set(link, **chosen):
            _require_one_guard(link)
            c.record(Verb.LINK_CHANGED, c.board, record)
    return link


def renew_public_link(*, actor: Actor, board_id: UUID) -> PublicLink:
    """Give the link another address, with the same choices. The old address ends at once."""
    with change(actor, Board, board_id, needs=Role.OWNER) as c:
        old = _required(c)
        c.remove(old)
        link = PublicLink.new(password=old.password, **{name: getattr(old, name) for name in CHOICES})
        c.add(link)
        c.record(Verb.LINK_RENEWED, c.board)
    return link


def withdraw_public_link(*, actor: Actor, board_id: UUID) -> None:
    """Switch the link off. Nothing brings this address back. Without a link nothing happens."""
    with change(actor, Board, board_id, needs=Role.OWNER, operates=PublicLink) as c:
        link = link_of(c.board)
        if link is not None:
            c.remove(link)
            c.record(Verb.LINK_WITHDRAWN, c.board)


def valid_frames(text: str) -> str:
    """Return the origins in a text, in lower case with one space between. Raise Invalid for anything else."""
    origins = list(dict.fromkeys(text.lower().replace(",", " ").split()))
    if origins == [ANYBODY]:
        return ANYBODY
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise Invalid(
                _("“%(origin)s” is not the address of a site. Enter one such as https://example.com.")
                % {"origin": origin[:80]},
                "frames",
            )
    found = " ".join(origins)
    if len(origins) > ORIGINS or len(found) > FRAMES:
        raise Invalid(_("Enter at most %(most)d sites, or allow all.") % {"most": ORIGINS}, "frames")
    return found


def _valid(*, expires_at: datetime | None, frames: str, **choices: bool) -> dict[str, Any]:
    if expires_at is not None and expires_at <= timezone.now():
        raise Invalid(_("Choose today or a later day."), "expires")
    return {"expires_at": expires_at, "frames": valid_frames(frames), **choices}


def _hashed(password: str) -> str:
    if password and not SHORTEST <= len(password) <= LONGEST:
        raise Invalid(_("Use %(least)d to %(most)d characters.") % {"least": SHORTEST, "most": LONGEST}, "password")
    return make_password(password) if password else ""


def _require_one_guard(link: PublicLink) -> None:
    """Raise Invalid for a link with a password that may be embedded: browsers keep the cookie of a frame from us."""
    if link.password and link.frames:
        raise Invalid(_("A board with a password cannot be embedded. Remove one of the two."), "frames")


def _required(c: Change[Board]) -> PublicLink:
    link = link_of(c.board)
    if link is None:
        raise not_found()
    return link


def _all_of(link: PublicLink) -> Shared:
    """Return the choices of a new link for the history, without those that are as by default."""
    record = Shared()
    if link.expires_at:
        record["expires_at"] = (None, link.expires_at)
    if link.password:
        record["has_password"] = (False, True)
    if link.shows_comments:
        record["shows_comments"] = (False, True)
    if link.shows_names:
        record["shows_names"] = (False, True)
    if link.frames:
        record["frames"] = ("", link.frames)
    return record
