"""Read the address of *My work*: `?which=&by=&page=`. Values that nobody knows count as the defaults."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from django.db.models import TextChoices
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from boards.reading.columns import Condition
from boards.reading.work import Grouping, assigned_to, created_by
from core.ids import parse_number
from notifications.concerned import followed_by, mentioning

MOST_PAGES = 10_000


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

    def condition(self, user: User) -> Condition:
        return CONDITIONS[self.which](user)

    def address(self, **other: str) -> str:
        """Return the address of the page that asks this, or another page; the first one, if it asks for none."""
        usual = {"which": Which.ASSIGNED, "by": Grouping.DUE, "page": "1"}
        asked = {"which": str(self.which), "by": str(self.by)} | other
        query = urlencode({name: value for name, value in asked.items() if value != usual.get(name)})
        return f"{reverse('my_work')}?{query}".rstrip("?")

    @property
    def saved(self) -> str:
        """Return the query under which this is saved. It names defaults too, as a later version may have others."""
        return urlencode({"which": self.which, "by": self.by})

    @property
    def as_table(self) -> str:
        """Return the address of the same cards as a table."""
        return f"{reverse('my_table')}?{self.narrowing}".rstrip("?")

    @property
    def narrowing(self) -> str:
        """Return the part of the query that says which cards; "" for the default."""
        return urlencode({"which": self.which}) if self.which != Which.ASSIGNED else ""


def asked_in(sent: Mapping[str, str]) -> Asked:
    which, by = sent.get("which", ""), sent.get("by", "")
    return Asked(
        Which(which) if which in Which.values else Which.ASSIGNED,
        Grouping(by) if by in Grouping.values else Grouping.DUE,
        min(max(parse_number(sent.get("page", "")) or 1, 1), MOST_PAGES),
    )


def asked_of(query: str) -> Asked:
    """Return what a saved query asks for. Parameters that no longer exist are left out."""
    return asked_in(dict(parse_qsl(query)))
