"""The grid of the settings: a row for each kind of notification, a column for each way of telling."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from notifications.kinds import HELP, Kind, Mail
from notifications.models import Way


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A way of telling. Without options it is on or off: a box to tick."""

    field: str  # of Way
    label: str | Promise
    options: tuple[tuple[str, object], ...] = ()

    def read(self, form: QueryDict, way: Way) -> None:
        """Set on the row what the form says; what it says of no known option stays as it was."""
        if not self.options:
            setattr(way, self.field, way.kind in form.getlist(self.field))
        elif (wanted := form.get(f"{self.field}-{way.kind}")) in dict(self.options):
            setattr(way, self.field, wanted)


@dataclass(frozen=True, slots=True)
class Row:
    kind: Kind
    cells: list[tuple[GridColumn, object]]  # with what is chosen now

    @property
    def help(self) -> str | Promise:
        return HELP.get(self.kind, "")


APP = GridColumn("in_app", _("App"))
MAIL = GridColumn("mail", _("Email"), tuple(Mail.choices))
PUSH = GridColumn("push", pgettext_lazy("way of telling", "Push"))
OFFERED = [kind for kind in Kind if kind != Kind.FINISHED]  # nothing tells that yet, and a dead switch helps nobody


def columns() -> list[GridColumn]:
    """Return the ways that work here."""
    return [APP, *([MAIL] if settings.MAIL else []), PUSH]


def rows(ways: dict[Kind, Way]) -> Iterator[Row]:
    for kind in OFFERED:
        yield Row(kind, [(column, getattr(ways[kind], column.field)) for column in columns()])


def read(form: QueryDict, ways: dict[Kind, Way]) -> list[Way]:
    """Return the rows as the form wants them."""
    for kind in OFFERED:
        for column in columns():
            column.read(form, ways[kind])
    return [ways[kind] for kind in OFFERED]
