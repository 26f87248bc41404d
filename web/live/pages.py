"""The sockets of members: of a board's page, and of a page without a board."""

import asyncio
from typing import Any
from uuid import UUID

from boards.hints import board_group
from boards.reading.work import MyBoard, my_boards, state_of
from core.http.compact_json import dumps
from core.ids import parse_id
from web.live.consumer import LiveConsumer
from web.live.cursor import Cursor
from web.live.hub import hub
from web.live.presence import rooms
from web.live.threads import READING
from web.open_pages import FORM, PAGE, page_group

COMPARES_EVERY = 1.0  # seconds
WATCHED = 500  # boards whose hints a page hears, the last changed ones; of others it learns by the next check


class PersonConsumer(LiveConsumer):
    """A page without a board: `/ws/me?beats&bell&work=<state>`. It gets the count of the bell.

    With `work` it is told the state of its user's boards (boards/reading/work.py) whenever that has become another one: the
    page then reads its rows again. Access is checked by what reads them.
    """

    needs_board = False
    watched: frozenset[str] = frozenset()  # groups that carry the hints of the user's boards
    state: str | None = None  # of the boards, as the page shows it; None: it does not ask
    must_compare = compare_again = False
    next_compare: asyncio.TimerHandle | None = None

    def asked(self) -> dict[UUID, Cursor]:
        self.state = self.query.get("work", [None])[0]
        return {}

    async def serve(self) -> int:
        try:
            return await super().serve()
        finally:
            hub.leave(self, *self.watched)
            if self.next_compare is not None:
                self.next_compare.cancel()

    def may_go_on(self) -> None:
        if self.state is not None:
            self.compare_soon()

    def hear(self, group: str, message: dict[str, Any] | None) -> None:
        if group in self.watched:
            self.compare_soon()
        else:
            super().hear(group, message)

    def compare_soon(self) -> None:
        """Hints that come in a burst cost one more reading, a little later."""
        if self.next_compare is None:
            self.must_compare = True
            self.wake.set()
        else:
            self.compare_again = True

    async def tell_more(self) -> None:
        if not self.must_compare:
            return
        self.must_compare = False
        self.next_compare = asyncio.get_running_loop().call_later(COMPARES_EVERY, self.compared)
        boards = await READING.run(my_boards, self.visitor.reader)
        if self.watch(boards):  # what changed before that was not heard
            boards = await READING.run(my_boards, self.visitor.reader)
        state = state_of(boards)
        if state != self.state:
            self.state = state
            await self.tell(dumps({"work": state}))

    def watch(self, boards: list[MyBoard]) -> bool:
        """Hear the hints of these boards alone. Return whether some of them were not heard before."""
        groups = frozenset(board_group(one.pk) for one in boards[:WATCHED])
        new, gone, self.watched = groups - self.watched, self.watched - groups, groups
        hub.leave(self, *gone)
        hub.join(self, *new)  # also without any: who left one group is still a page
        return bool(new)

    def compared(self) -> None:
        self.next_compare = None
        if self.compare_again:
            self.compare_again = False
            self.compare_soon()


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
