"""Notifications in words, in the active language: what a line says, about which card, and where it leads."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from boards.models import Activity, Board, Card, Comment, Invitation, Verb
from boards.reading.history import HistoryLine, NamedCard, lines
from boards.richtext import to_plain
from core.ids import parse_id
from core.text.dates import date_in_form, local_time
from core.text.names import in_words
from notifications.inbox.sentences import (
    ABOUT_YOU,
    ABOUT_YOU_ON_ITS_CARD,
    ACCESS,
    DUE,
    DUE_ON_ITS_CARD,
    FINISHED,
    INVITED,
    ON_ITS_CARD,
    ON_ONE_CARD,
    ON_THE_BOARD,
    REMOVED,
    TOKEN,
)
from notifications.kinds import Kind
from notifications.models import Notification

LONGEST_TITLE = 80  # characters of a card's or a board's title
LONGEST_QUOTE = 160
ICONS = {
    Kind.INVITED: "mail",
    Kind.ASSIGNED: "user",
    Kind.UNASSIGNED: "user",
    Kind.MENTIONED: "at-sign",
    Kind.COMMENT: "message-square",
    Kind.AGENT: "bot",
    Kind.ACCESS: "users",
    Kind.DUE: "clock",
    Kind.TOKEN: "key-round",
    Kind.FINISHED: "download",
}


@dataclass(frozen=True, slots=True)
class Told:
    """One notification in words. `sentence` has {placeholders}, for {card} and for each of the `words`. So has
    `on_its_card`, for where the card is named above; it is empty where the line is about no single card.
    """

    row: Notification
    sentence: str
    words: dict[str, str]
    link: str  # where it leads
    card: NamedCard | None = None
    board: Board | None = None
    activity: Activity | None = None  # the last change, with its user
    details: list[str] = field(default_factory=list)
    on_its_card: str = ""
    quote: str = ""  # the beginning of the comment that the last change wrote (quoted)

    def under_its_card(self) -> "Told":
        """Return the line as it stands under the name of its card."""
        return replace(self, sentence=self.on_its_card)

    @property
    def text(self) -> str:
        """Return the line as plain text, for mails and for tests."""
        card = f"{self.card.title} #{self.card.number}" if self.card else ""
        return self.sentence.format(card=card, **self.words)

    @property
    def html(self) -> SafeString:
        """Return the line as HTML: names in bold, every text escaped."""
        words = {name: format_html("<b>{}</b>", word) for name, word in self.words.items()}
        card = format_html("<b>{}</b> #{}", self.card.title, self.card.number) if self.card else ""
        return format_html(self.sentence, card=card, **words)

    @property
    def heading(self) -> str:
        """Return the title of the card or of the board that the line is about, or ""."""
        if self.card:
            return self.card.title
        return cut(self.board.title) if self.board else ""

    @property
    def address(self) -> str:
        """Return where the line leads: on a card, to the comment that the last change wrote."""
        comment = _comment_of(self) if self.chooses else None
        return f"{self.link}#comment-{comment}" if comment else self.link

    @property
    def said(self) -> SafeString:
        """Return the line as HTML as it stands under its heading."""
        return self.under_its_card().html if self.card and self.on_its_card else self.html

    @property
    def shown_details(self) -> list[str]:
        """Return what says more than the sentence: the text of the newest comment, or else the details of the change."""
        if self.quote:
            return [self.quote]
        return [] if self.row.kind in ABOUT_YOU else self.details

    @property
    def key(self) -> str:
        """Name the row, of which a pile has one for a card."""
        return str(self.row.card_id or self.row.pk)

    @property
    def chooses(self) -> UUID | None:
        """Return the card that the inbox shows beside the line; None if there is none, or it is gone."""
        return self.card.id if self.card and self.row.card_id else None

    @property
    def icon(self) -> str:
        return ICONS.get(Kind(self.row.kind), "activity")


def quoted(found: Iterable[Told]) -> list[Told]:
    """Return the lines with what was written in the comments that they are about. One statement."""
    lines = list(found)
    ids = {line.row.pk: comment for line in lines if (comment := _comment_of(line))}
    comments = Comment.objects.only("board_id", "body", "document").in_bulk({*ids.values()})

    def quote(line: Told) -> str:
        comment = comments.get(ids.get(line.row.pk))
        return (
            _beginning(comment) if comment and comment.board_id == line.row.board_id else ""
        )  # it moved with its card

    return [replace(line, quote=quote(line)) for line in lines]


def _comment_of(line: Told) -> UUID | None:
    if line.activity is None or line.activity.verb not in (Verb.COMMENT_CREATED, Verb.COMMENT_CHANGED):
        return None
    return parse_id(line.activity.subject.get("id"))


def _beginning(comment: Comment) -> str:
    text = to_plain(comment.document) if comment.document else comment.body
    return Truncator(" ".join(text.split())).chars(LONGEST_QUOTE)


def told(rows: Iterable[Notification]) -> list[Told]:
    """Return the rows in words. Five statements, however many; the rows must be `visible` to the reader.

    Left out is what nothing can be said of any more: a card with a reminder that was deleted.
    """
    found = list(rows)
    boards = Board.objects.in_bulk({row.board_id for row in found if row.board_id})
    changes = _changes(found)
    cards = _cards(found)
    invitations = Invitation.objects.select_related("board", "invited_by").in_bulk(
        {row.subject_id for row in found if row.kind == Kind.INVITED}
    )
    put = [_put(row, boards, changes, cards, invitations) for row in found]
    return [one for one in put if one is not None]


def _changes(rows: list[Notification]) -> dict[tuple[UUID, int], HistoryLine]:
    wanted = [Q(board=row.board_id, version=row.version) for row in rows if row.board_id and row.version]
    if not wanted:
        return {}
    activities = Activity.objects.filter(reduce(or_, wanted))
    return {(line.activity.board_id, line.activity.version): line for line in lines(activities, of_board=True)}


def _cards(rows: list[Notification]) -> dict[tuple[UUID, UUID], Card]:
    wanted = [row for row in rows if row.kind == Kind.DUE and row.card_id]
    found = Card.objects.filter(pk__in={row.card_id for row in wanted}) if wanted else ()
    return {(card.board_id, card.pk): card for card in found}


def _put(row: Notification, boards: Any, changes: Any, cards: Any, invitations: Any) -> Told | None:
    board = boards.get(row.board_id)
    if row.kind == Kind.DUE:
        return _reminder(row, cards.get((row.board_id, row.card_id)), board)
    if row.kind == Kind.INVITED:
        invitation = invitations.get(row.subject_id)
        words = invitation and {"person": invitation.invited_by.display_name, "board": cut(invitation.board.title)}
        return Told(row, str(INVITED), words, reverse("my_invitations")) if words else None
    if row.board_id is None:
        return _of_no_board(row)
    line = changes.get((row.board_id, row.version))
    return _change(row, line, board) if line and board else None


def _reminder(row: Notification, card: Card | None, board: Board | None) -> Told | None:
    if card is None or board is None:
        return None
    named = NamedCard(cut(card.title), str(card.number), card.pk)
    when = row.data.get("when", "")
    when = when if when in DUE else "due"
    if when == "day" and _is_that_day(card, row.created_at):  # told late
        when = "morning"
    link = card.get_absolute_url()
    return Told(row, str(DUE[when]), {}, link, named, board, on_its_card=str(DUE_ON_ITS_CARD[when]))


def _is_that_day(card: Card, moment: datetime) -> bool:
    """Tell whether the card is due at a time of the day that the moment has in the reader's zone."""
    at = None if card.due_day else card.due_at
    return at is not None and local_time(at).date() == local_time(moment).date()


def _of_no_board(row: Notification) -> Told:
    given = {"person": "", "board": "", "name": ""} | row.data
    given["person"] = in_words(given["person"])
    words = {name: cut(str(value)) for name, value in given.items()}
    if row.kind == Kind.TOKEN:
        moment = parse_datetime(row.data.get("expires", ""))
        words["expires"] = _shown(moment) if moment else "–"
        return Told(row, str(TOKEN), words, "/settings/tokens")
    if row.kind == Kind.FINISHED:
        sentence = FINISHED.get((row.data.get("what", ""), row.data.get("state", "")), FINISHED["export", "done"])
        link = str(row.data.get("link", ""))
        return Told(row, str(sentence), words, link if link.startswith("/") and not link.startswith("//") else "/")
    return Told(row, str(REMOVED), words, "/")


def _shown(moment: datetime) -> str:
    return date_in_form(timezone.localtime(moment), "DATETIME_FORMAT")


def _change(row: Notification, line: HistoryLine, board: Board) -> Told:
    activity = line.activity
    card = line.card and line.card._replace(title=cut(line.card.title))
    words = {name: cut(word) for name, word in line.words.items()}
    if row.kind == Kind.AGENT or (activity.token_name and row.count > 1):
        words["person"] = activity.token_name or words["person"]
    if row.count > 1:
        return _burst(row, line, board, card, words)
    about_you = ACCESS.get(activity.verb) if row.kind == Kind.ACCESS else ABOUT_YOU.get(row.kind)
    on_its_card = str(ABOUT_YOU_ON_ITS_CARD.get(row.kind, "") or line.on_its_card)
    link = _card_link(card, board) or board.get_absolute_url()
    return Told(row, str(about_you or line.sentence), words, link, card, board, activity, line.details, on_its_card)


def _burst(row: Notification, line: HistoryLine, board: Board, card: NamedCard | None, words: dict[str, str]) -> Told:
    one_card = card if row.card_id else None
    kind = row.kind if row.kind in ON_THE_BOARD else Kind.CHANGE
    sentence = (ON_ONE_CARD if one_card else ON_THE_BOARD)[kind](row.count)
    words = words | {"number": str(row.count)}
    link = _card_link(one_card, board) or reverse("activity", args=[board.pk])
    on_its_card = ON_ITS_CARD[kind](row.count) if one_card else ""
    return Told(row, sentence, words, link, one_card, board, line.activity, on_its_card=on_its_card)


def _card_link(card: NamedCard | None, board: Board) -> str:
    return Card(pk=card.id, board_id=board.pk).get_absolute_url() if card and card.id else ""


def cut(text: str) -> str:
    return Truncator(text).chars(LONGEST_TITLE)
