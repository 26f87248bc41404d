"""Read the address of *My work*: `?which=&by=&q=&board=&label=&due=&page=`. Values that nobody knows count as the defaults."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from django.db.models import TextChoices
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from boards.reading.columns import Condition
from boards.reading.filters import DUE
from boards.reading.work import Grouping, Narrowing, assigned_to, created_by, narrowed
from core.ids import parse_id, parse_number
from notifications.concerned import followed_by, mentioning
from web.my.narrowing import label_name

MOST_PAGES = 10_000
FILTERS = ("q", "board", "label", "due")  # of the query, as the fields of Narrowing
EVERYTHING = Narrowing()


class Which(TextChoices):
    ASSIGNED = "assigned", _("Assigned to me")
    FOLLOWED = "followed", _("Followed")
    CREATED = "created", _("Created by me")
    MENTIONED = "mentioned", _("Mentioning me")


CONDITIONS: Mapping[Which, Callable[[User], Condition]] = {
    Which.ASSIGNED: assigned_to,
    Which.FOLLOWED: followed_by,
    Which.CREATED: created_by,
    Which.MENTIONED: mentioning,
}
GROUPINGS = {
    Grouping.DUE: _("By due date"),
    Grouping.BOARD: _("By board"),
    Grouping.LIST: _("By list"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    which: Which = Which.ASSIGNED
    by: Grouping = Grouping.DUE
    page: int = 1
    filter: Narrowing = EVERYTHING

    def condition(self, user: User) -> Condition:
        return narrowed(self.all_of(user), self.filter, user)

    def all_of(self, user: User) -> Condition:
        """Return the cards without the filter."""
        return CONDITIONS[self.which](user)

    def address(self, **other: str) -> str:
        """Return the address of the page that asks this, or another page; the first one, if it asks for none."""
        usual = {"by": Grouping.DUE, "page": "1"}
        asked = {"by": str(self.by)} | other
        pairs = {name: value for name, value in asked.items() if value != usual.get(name)}
        query = "&".join(filter(None, [self.narrowing, urlencode(pairs)]))
        return f"{reverse('my_work')}?{query}".rstrip("?")

    def showing(self, which: Which) -> "Asked":
        """Return what asks for other cards in the same way."""
        return replace(self, which=which, page=1)

    def without(self, name: str) -> "Asked":
        """Return what asks for cards without a condition of the filter: a field of Narrowing."""
        return replace(self, filter=self.filter._replace(**{name: getattr(EVERYTHING, name)}), page=1)

    @property
    def filter_fields(self) -> dict[str, str]:
        sent = zip(FILTERS, self.filter, strict=True)
        return {name: str(value) for name, value in sent if value}

    @property
    def saved(self) -> str:
        """Return the query under which this is saved. It names defaults too, as a later version may have others."""
        return urlencode({"which": self.which, "by": self.by} | self.filter_fields)

    @property
    def as_table(self) -> str:
        """Return the address of the same cards as a table."""
        return f"{reverse('my_table')}?{self.narrowing}".rstrip("?")

    @property
    def narrowing(self) -> str:
        """Return the part of the query that says which cards; "" for the default."""
        usual = {"which": Which.ASSIGNED}
        pairs = {"which": self.which} | self.filter_fields
        return urlencode({name: value for name, value in pairs.items() if value != usual.get(name)})


def asked_in(sent: Mapping[str, str]) -> Asked:
    which, by = sent.get("which", ""), sent.get("by", "")
    return Asked(
        Which(which) if which in Which.values else Which.ASSIGNED,
        Grouping(by) if by in Grouping.values else Grouping.DUE,
        min(max(parse_number(sent.get("page", "")) or 1, 1), MOST_PAGES),
        _filter_in(sent),
    )


def _filter_in(sent: Mapping[str, str]) -> Narrowing:
    due = sent.get("due", "")
    return Narrowing(
        sent.get("q", "").strip(),
        parse_id(sent.get("board", "")),
        label_name(sent.get("label", "")),
        due if due in DUE else "",
    )


def asked_of(query: str) -> Asked:
    """Return what a saved query asks for. Parameters that no longer exist are left out."""
    return asked_in(dict(parse_qsl(query)))
