"""Read the address of the search: `?q=&board=&label=&who=&due=&state=&changed=&archived=&after=`, with several values of
what a board's filter takes several of. Values that nobody knows count as none. With `&shown=ID.ID` a script asks for
these results alone, as they are now.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from accounts.models import User
from boards.reading.filters import CHANGED, DUE, NOBODY, check_number_of_values, ids_of, known_in, people_in
from boards.reading.search_filters import Filters, State
from core.ids import parse_id
from web.my.narrowing import label_name

STATES = (State.OPEN, State.DONE)


@dataclass(frozen=True, slots=True)
class Asked:
    query: str = ""
    board: UUID | None = None
    labels: tuple[str, ...] = ()  # names, which several boards may have
    people: tuple[str, ...] = ()  # ids of users, ME, NOBODY
    due: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    archived: bool = False
    after: str = ""  # a cursor

    @property
    def narrows(self) -> bool:
        """Tell whether anything but the words decides which cards are found."""
        return any((self.board, self.labels, self.people, self.due, self.states, self.changed))

    @property
    def is_wide(self) -> bool:
        """Tell whether boards and people are looked for too."""
        return bool(self.query) and not self.narrows and not self.after

    def filters(self, user: User) -> Filters:
        """Return what the search looks for. Raise Invalid for more values of a kind than a filter takes."""
        check_number_of_values(self.labels, self.people)
        return Filters(
            query=self.query,
            board_id=self.board,
            label_names=self.labels or None,
            assignee_ids=ids_of(self.people, user) or None,
            unassigned=NOBODY in self.people,
            due=self.due,
            done=self.states == (State.DONE,) if len(self.states) == 1 else None,
            states=(*STATES, State.ARCHIVED) if self.archived else STATES,
            changed=self.changed,
            everywhere=True,
            best_first=True,
        )

    def address(self, **other: object) -> str:
        """Return the address of the page that asks this from its beginning, but for `other`."""
        asked = {
            "q": self.query,
            "board": self.board,
            "label": self.labels,
            "who": self.people,
            "due": self.due,
            "state": self.states,
            "changed": self.changed,
            "archived": int(self.archived),
        } | other
        query = urlencode({name: value for name, value in asked.items() if value}, doseq=True)
        return f"{reverse('search')}?{query}".rstrip("?")

    @property
    def unfiltered(self) -> str:
        """Return the address of the page that looks for the same words, whatever the cards."""
        return Asked(self.query, archived=self.archived).address()


def shown_in(sent: Mapping[str, str], most: int) -> set[UUID] | None:
    """Return the ids of the results that a page shows, at most so many; None if the address does not name any."""
    if "shown" not in sent:
        return None
    return {pk for one in sent["shown"].split(".")[:most] if (pk := parse_id(one))}


def asked_in(sent: "MultiValueDict[str, str]") -> Asked:
    return Asked(
        query=sent.get("q", "").strip(),
        board=parse_id(sent.get("board", "")),
        labels=tuple(dict.fromkeys(filter(None, map(label_name, sent.getlist("label"))))),
        people=people_in(sent),
        due=known_in(sent, "due", DUE),
        states=known_in(sent, "state", STATES),
        changed=known_in(sent, "changed", CHANGED),
        archived=sent.get("archived") == "1",
        after=sent.get("after", ""),
    )
