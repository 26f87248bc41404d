"""Read the address of the search: `?q=&board=&label=&who=&due=&state=&archived=&after=`. Values that nobody knows
count as none. With `&shown=ID.ID` a script asks for these results alone, as they are now.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from accounts.models import User
from boards.reading.filters import DUE, ME, NOBODY
from boards.reading.search_filters import Filters, State
from core.ids import parse_id
from web.my.narrowing import label_in

STATES = (State.OPEN, State.DONE)


@dataclass(frozen=True, slots=True)
class Asked:
    query: str = ""
    board: UUID | None = None
    label: str = ""  # a name, which several boards may have
    who: str = ""  # the id of a user, ME or NOBODY
    due: str = ""
    state: str = ""
    archived: bool = False
    after: str = ""  # a cursor

    @property
    def narrows(self) -> bool:
        """Tell whether anything but the words decides which cards are found."""
        return any((self.board, self.label, self.who, self.due, self.state))

    @property
    def is_wide(self) -> bool:
        """Tell whether boards and people are looked for too."""
        return bool(self.query) and not self.narrows and not self.after

    def filters(self, user: User) -> Filters:
        person = user.pk if self.who == ME else parse_id(self.who)
        return Filters(
            query=self.query,
            board_id=self.board,
            label_names=(self.label,) if self.label else None,
            assignee_ids=(person,) if person else None,
            unassigned=self.who == NOBODY,
            due=(self.due,) if self.due else (),
            done=self.state == State.DONE if self.state else None,
            states=(*STATES, State.ARCHIVED) if self.archived else STATES,
            everywhere=True,
            best_first=True,
        )

    def address(self, **other: object) -> str:
        """Return the address of the page that asks this from its beginning, but for `other`."""
        asked = {
            "q": self.query,
            "board": self.board,
            "label": self.label,
            "who": self.who,
            "due": self.due,
            "state": self.state,
            "archived": int(self.archived),
        } | other
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"{reverse('search')}?{query}".rstrip("?")


def shown_in(sent: Mapping[str, str], most: int) -> set[UUID] | None:
    """Return the ids of the results that a page shows, at most so many; None if the address does not name any."""
    if "shown" not in sent:
        return None
    return {pk for one in sent["shown"].split(".")[:most] if (pk := parse_id(one))}


def asked_in(sent: Mapping[str, str]) -> Asked:
    who, due, state = sent.get("who", ""), sent.get("due", ""), sent.get("state", "")
    return Asked(
        query=sent.get("q", "").strip(),
        board=parse_id(sent.get("board", "")),
        label=label_in(sent),
        who=who if who in (ME, NOBODY) or parse_id(who) else "",
        due=due if due in DUE else "",
        state=state if state in STATES else "",
        archived=sent.get("archived") == "1",
        after=sent.get("after", ""),
    )
