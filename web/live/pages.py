"""The sockets of members: of a board's page, and of a page without a board."""

from typing import Any
from uuid import UUID

from core.ids import parse_id
from web.live.consumer import LiveConsumer
from web.live.cursor import Cursor
from web.live.hub import hub
from web.live.presence import rooms
from web.open_pages import FORM, PAGE, page_group


class PersonConsumer(LiveConsumer):
    """A page without a board: `/ws/me?beats&bell`. It gets the count of the bell."""

    needs_board = False

    def asked(self) -> dict[UUID, Cursor]:
        return {}


class BoardConsumer(LiveConsumer):
    """The page of one board: `/ws/board/<id>?since=<version>&change=<id>&page=<name>&beats&bell`.

    A page that names itself is seen by the others on the board, and sees them (presence.py).
    """

    board_id: UUID
    is_here = False

    def asked(self) -> dict[UUID, Cursor]:
        board_id = parse_id(self.scope["url_route"]["kwargs"]["board_id"])
        if board_id is None:
            return {}
        self.board_id = board_id
        return {board_id: self.asked_cursor}

    async def serve(self) -> int:
        try:
            return await super().serve()
        finally:
            if self.is_here:
                rooms.leave(self)
                hub.leave(self, page_group(self.page))

    def may_go_on(self) -> None:
        if self.page and not self.is_here:
            self.is_here = True
            hub.join(self, page_group(self.page))
            rooms.enter(self)

    def hear(self, group: str, message: dict[str, Any] | None) -> None:
        if not group.startswith(PAGE):
            super().hear(group, message)
        elif message is None:  # what the page said of itself before may be lost: told who is here, it says it again
            rooms.tell_again(self)
        else:
            rooms.note(self, message)

    @property
    def user_id(self) -> UUID:
        return self.visitor.reader.user.pk

    def may_see(self, members: frozenset[UUID]) -> bool:
        return self.visitor.reader.is_among(members, self.board_id)

    def show_presence(self, text: str) -> None:
        self.who_is_here = text
        self.wake.set()

    @property
    def page(self) -> str:
        name = self.query.get("page", [""])[0]
        return name if FORM.fullmatch(name) else ""
