"""Facts of a board and its cards for both readable forms, and the paths of files."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards.recurrence import Recurrence
from core.files.names import safe_name
from core.text.dates import local_time
from core.text.lists import join_items
from exporter.walking import BOARD, Step

Content = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """The context of all pages of one export."""

    zone: ZoneInfo
    language: str  # BCP 47
    missing: Collection[str] = ()  # ids of attachments whose file is not in the zip

    def moment(self, text: str) -> str:
        """Return a time of the JSON in the account's time zone."""
        return local_time(datetime.fromisoformat(text), self.zone).strftime("%Y-%m-%d %H:%M")


class Board:
    """The names that the cards of a board refer to by ids."""

    def __init__(self, content: Content) -> None:
        self.title: str = content["title"]
        self.archived_at: str | None = content["archivedAt"]
        self.address = f"{settings.BASE_URL}{content['url']}"
        self._labels = {row["id"]: row["name"] for row in content["labels"]}
        self._people = {row["id"]: row["name"] for row in content["members"]}

    def labels(self, card: Content) -> list[str]:
        return [self._labels[pk] for pk in card["labelIds"]]

    def people(self, card: Content) -> list[str]:
        return [self._people[pk] for pk in card["assigneeIds"]]

    def card_address(self, card: Content) -> str:
        return f"{self.address}?card={card['id']}"


def boards_of(steps: Iterable[Step]) -> Iterator[tuple[Content, Iterator[Step]]]:
    """Yield each board with the steps inside it, which must be read before the next board is asked for."""
    for step, inside in groups(steps, BOARD):
        yield step.content, inside


def groups(steps: Iterable[Step], depth: int) -> Iterator[tuple[Step, Iterator[Step]]]:
    """Yield each step down to this depth with the deeper ones behind it, which must be read before the next group."""
    rows = iter(steps)
    following = next(rows, None)

    def rest() -> Iterator[Step]:
        nonlocal following
        while (following := next(rows, None)) is not None and following.depth > depth:
            yield following

    while following is not None:
        inside = rest()
        yield following, inside
        for _left in inside:
            pass


def facts(card: Content, board: Board, setting: Setting) -> list[tuple[str, str]]:
    """Return the fields that are set, as names and values."""
    found = [
        (_("Labels"), join_items(board.labels(card))),
        (pgettext("of a card", "People"), join_items(board.people(card))),
        (_("Start"), card["startDate"] or ""),
        (_("Due"), card["dueDay"] or moment_of(card["dueDate"], setting)),
        (_("Repeats"), str(Recurrence(card["recurrence"]).label) if card["recurrence"] else ""),
        (_("Done"), moment_of(card["completedAt"], setting)),
        (pgettext("time", "Archived"), moment_of(card["archivedAt"], setting)),
    ]
    return [(name, value) for name, value in found if value]


def moment_of(text: str | None, setting: Setting) -> str:
    return setting.moment(text) if text else ""


def file_path(attachment: Content) -> str:
    """Return where the file of an attachment is in the zip."""
    return f"files/{attachment['id']}/{safe_name(attachment['fileName'], 'file', with_ending=True)}"


def link_to_file(attachment: Content) -> str:
    """Return the address of the file from a page in the folder of boards."""
    return quote(f"../{file_path(attachment)}")
