"""The socket of a board's page that is open by its public link: `/ws/public/<key>?since=…&change=…&language=…&beats`.

It has no session and no user: the page is not told who else is here, and nobody is told of it.
"""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from boards.models import PublicLink
from boards.reading.public import find_link, reader_by
from boards.statements import read_last_change
from web.fragments import with_files_below
from web.live.consumer import CHECKS_EVERY, LiveConsumer
from web.live.cursor import Cursor
from web.live.gate import TOO_MANY, has_room_for_link
from web.live.threads import CHECKING
from web.live.visitors import NO_SUCH_BOARD, Visitor
from web.unlocking import is_unlocked

LANGUAGES = {code for code, _name in settings.LANGUAGES}


class PublicConsumer(LiveConsumer):
    has_bell = False  # whatever the address asks for: it would be that of the owner
    link: Any

    def asked(self) -> dict[UUID, Cursor]:
        return {}  # which board it is says the link

    async def identify(self) -> UUID | int:
        """Return the board's owner: what ends their access ends that of everybody with the link."""
        found = await CHECKING.run(self.read_link)
        if found is None:
            return NO_SUCH_BOARD
        if not await has_room_for_link(self.scope, found.pk):
            return TOO_MANY
        self.link, self.cursors = found, {found.board_id: self.asked_cursor}
        owner_id: UUID = found.owner_id  # type: ignore[attr-defined]  # as find_link reads it
        return owner_id

    def worded(self, text: str) -> str:
        """Return the message with the page's own addresses of files, as web/public/access.py has them on pages."""
        return with_files_below(f"/public/{self.scope['url_route']['kwargs']['key']}", text)

    async def look(self) -> Visitor | int:
        found = await CHECKING.run(self.visit)
        if found is None:
            return NO_SUCH_BOARD
        return found

    def visit(self) -> Visitor | None:
        found = self.read_link()
        if found is None or found.pk != self.link.pk or found.board_id not in self.cursors:
            return None
        self.link = found
        present = {found.board_id: Cursor(found.board.version, read_last_change(found.board))}
        return Visitor(reader_by(found, self.language), present, {})

    def read_link(self) -> PublicLink | None:
        """Return the link of the address; None if it shows nothing, or its password has not been typed in this browser."""
        found = find_link(self.scope["url_route"]["kwargs"]["key"])
        return found if found is not None and is_unlocked(found, self.scope["cookies"]) else None

    def next_check_in(self) -> float:
        """Check when the link expires, too."""
        ends_at = self.link.expires_at
        if ends_at is None:
            return CHECKS_EVERY
        return min(CHECKS_EVERY, max(0.0, (ends_at - timezone.now()).total_seconds()) + 0.05)

    @property
    def language(self) -> str:
        """Return the language of the page, which told it in its address."""
        asked = self.query.get("language", [""])[0]
        return asked if asked in LANGUAGES else settings.LANGUAGE_CODE

    @property
    def reader_name(self) -> str:
        return ""
