"""Renders lines of history as HTML."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.models import Activity, Card, Verb
from boards.reading import history
from boards.reading.history import HistoryLine


@dataclass(frozen=True, slots=True)
class HtmlLine:
    activity: Activity
    sentence: SafeString
    details: list[str]
    former_address: str  # of the description that this change replaced; "" where it replaced none


@dataclass
class Entry:
    """Changes that are shown as one line, which opens to show all of them; newest first."""

    lines: list[HtmlLine]

    @property
    def newest(self) -> HtmlLine:
        return self.lines[0]

    @property
    def further(self) -> list[HtmlLine]:
        return self.lines[1:]


def lines(activities: "QuerySet[Activity]", *, of_board: bool = False) -> list[HtmlLine]:
    """Return the changes as `boards.reading.history.lines` does, their names in bold and their cards as links."""
    return [_html(line) for line in history.lines(activities, of_board=of_board)]


def html_lines(found: Iterable[Activity]) -> list[HtmlLine]:
    """Return the changes of one card, without its name. They come with `user` loaded."""
    return [_html(line) for line in history.of_one_card(found)]


def _html(line: HistoryLine) -> HtmlLine:
    words = {name: format_html("<b>{}</b>", word) for name, word in line.words.items()}
    return HtmlLine(
        line.activity, format_html(line.sentence, card=_card(line), **words), line.details, _former_address(line)
    )


def _former_address(line: HistoryLine) -> str:
    activity = line.activity
    if activity.verb != Verb.CARD_CHANGED or "description" not in activity.data:
        return ""
    if line.card and line.card.id is None:  # it is on another board, or deleted
        return ""
    return reverse("former_description", args=[activity.card_id, activity.pk])


def _card(line: HistoryLine) -> SafeString:
    if line.card is None:
        return SafeString("")
    title, number, pk = line.card
    if pk is None:
        return format_html("<b>{}</b> #{}", title, number)
    address = Card(pk=pk, board_id=line.activity.board_id).get_absolute_url()
    return format_html('<a class="link" href="{}">{}</a> #{}', address, title, number)
