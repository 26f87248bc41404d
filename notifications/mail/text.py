"""Render the mail of one user's notifications: by board and card, a line for each, comments with their text."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from boards.models import Activity, Board, Comment, Invitation, Membership, Role, Verb
from boards.richtext import to_plain
from core.ids import parse_id
from core.text.lists import join_items
from core.text.locale import locale_of
from notifications.inbox.lines import Told, cut, told
from notifications.inbox.sentences import INVITED_BY
from notifications.kinds import Kind
from notifications.mail.stops import stop_address, stop_headers
from notifications.models import Notification
from notifications.reminders.due_now import still_due

MOST_LINES = 50
MOST_QUOTES = 5  # comments of one line
LONGEST_QUOTE = 600  # characters
LONGEST_SUBJECT = 150
ANSWER = "#new-comment"  # the field for a comment on the page of a card


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. It holds no text of strangers: of an invitation it has the address alone, as the invitation's own mail
    does.
    """

    text: str
    html: SafeString
    link: str
    quotes: list[str]


@dataclass(slots=True)
class CardPart:
    """The lines about one card; without a title, the lines about no single card."""

    title: str = ""
    link: str = ""
    answer: str = ""  # where the reader can answer a comment
    entries: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class BoardPart:
    title: str = ""  # empty: what is of no board
    link: str = ""
    cards: dict[UUID | None, CardPart] = field(default_factory=dict)


def message(user: User, rows: list[Notification]) -> EmailMultiAlternatives | None:
    """Return the mail about these rows, the latest first, which the user may see; None if nothing can be said of them any
    more. It says how many are left out.
    """
    with locale_of(user):
        news = still_due(user, _as_news(rows))
        shown, more = news[:MOST_LINES], news[MOST_LINES:]
        lines = [_cleaned(line) for line in told(sorted(shown, key=lambda row: (row.told_at, row.pk)))]
        if not lines:
            return None
        subject = _subject(lines, more)
        context = {
            "boards": _parts(user, lines),
            "more": len(more),
            "inbox": _at(reverse("notifications")),
            "settings": _at(reverse("notification_settings")),
            "stop": stop_address(user),
            "base_url": settings.BASE_URL,
            "language": user.language_tag,
            "subject": subject,
        }
        mail = EmailMultiAlternatives(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject,
            render_to_string("notifications/bundle.txt", context).strip() + "\n",
            to=[user.email],
            headers={"Message-ID": _id_of(rows), **stop_headers(user)},
        )
        mail.attach_alternative(render_to_string("notifications/bundle.html", context), "text/html")
    return mail


def _as_news(rows: Iterable[Notification]) -> list[Notification]:
    """Return the rows with the number of changes that were in no mail yet."""
    found = list(rows)
    for row in found:
        row.count = max(row.count - row.mailed_count, 1)
    return found


def _id_of(rows: list[Notification]) -> str:
    """Return an id that the same bundle has again, so that a mailbox that gets it twice can tell."""
    words = " ".join(sorted(f"{row.pk}:{row.version}:{row.mailed_count}" for row in rows))
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    return f"<notifications.{sha256(words.encode()).hexdigest()[:32]}@{host}>"


def _at(path: str) -> str:
    return settings.BASE_URL + path


def _parts(user: User, lines: list[Told]) -> list[BoardPart]:
    """Return the lines by board and card, in the order of the first line of each. Four statements."""
    boards = {line.board.pk for line in lines if line.board}
    roles = dict(Membership.objects.filter(user=user, board__in=boards).values_list("board_id", "role"))
    quotes, inviters = _quotes(lines), _inviters(lines)
    found: dict[UUID | None, BoardPart] = {}
    for line in lines:
        board = line.board
        part = found.setdefault(board.pk if board else None, _board_part(board))
        card = part.cards.setdefault(line.card.id if line.card else None, _card_part(line))
        if card.title:
            line = line.under_its_card()
            if _is_about_comment(line) and _can_write(roles, line):
                card.answer = card.link + ANSWER
        card.entries.append(_entry(line, quotes.get(line.row.pk, []), inviters.get(line.row.subject_id, "")))
    return sorted(found.values(), key=lambda part: not part.title)


def _board_part(board: Board | None) -> BoardPart:
    return BoardPart(clean(cut(board.title)), _at(board.get_absolute_url())) if board else BoardPart()


def _card_part(line: Told) -> CardPart:
    if not line.card or not line.card.id or not line.board:
        return CardPart()
    return CardPart(f"{line.card.title} #{line.card.number}", _at(line.link))


def _can_write(roles: dict[UUID, str], line: Told) -> bool:
    return bool(line.board and line.board.pk in roles and Role(roles[line.board.pk]).can_edit)


def _entry(line: Told, quotes: list[str], inviter: str) -> Entry:
    text, html = line.text, line.html
    if line.row.kind == Kind.INVITED:
        text = str(INVITED_BY).format(email=inviter)
        html = format_html(str(INVITED_BY), email=inviter)
    return Entry(text, html, _at(line.link), quotes)


def _cleaned(line: Told) -> Told:
    card = line.card and line.card._replace(title=clean(line.card.title))
    return replace(line, card=card, words={name: clean(word) for name, word in line.words.items()})


def _inviters(lines: list[Told]) -> dict[UUID | None, str]:
    ids = {line.row.subject_id for line in lines if line.row.kind == Kind.INVITED and line.row.subject_id}
    return dict(Invitation.objects.filter(pk__in=ids).values_list("pk", "invited_by__email")) if ids else {}


def _quotes(lines: list[Told]) -> dict[UUID, list[str]]:
    """Return by notification the texts of the comments that it is about, as far as they are still there."""
    ids = {
        line.row.pk: [line.activity.subject.get("id")] for line in lines if _is_about_comment(line) and line.activity
    }
    ids |= _comments_of_bursts([line for line in lines if line.row.pk in ids and line.row.count > 1])
    wanted = {key for keys in ids.values() for key in map(parse_id, keys) if key}
    found = {str(row.pk): row for row in Comment.objects.filter(pk__in=wanted)} if wanted else {}
    boards = {line.row.pk: line.row.board_id for line in lines}

    def is_there(key: str, pk: UUID) -> bool:
        return key in found and found[key].board_id == boards[pk]  # others moved with their card

    return {pk: [_quote(found[key]) for key in keys if is_there(key, pk)] for pk, keys in ids.items()}


def _is_about_comment(line: Told) -> bool:
    return line.row.kind in (Kind.COMMENT, Kind.MENTIONED) and bool(
        line.activity and line.activity.verb in (Verb.COMMENT_CREATED, Verb.COMMENT_CHANGED)
    )


def _comments_of_bursts(lines: list[Told]) -> dict[UUID, list[str]]:
    """Return by notification the ids of the last comments that it counts."""
    lines = [line for line in lines if line.row.kind == Kind.COMMENT and line.row.card_id]
    if not lines:
        return {}
    written = Activity.objects.filter(verb=Verb.COMMENT_CREATED, card_id__in={line.row.card_id for line in lines})
    newest = list(written.order_by("-version")[: MOST_LINES * MOST_QUOTES])
    found = {}
    for line in lines:
        ours = [one for one in newest if one.version <= line.row.version and _by_the_same(one, line)]
        found[line.row.pk] = [one.subject["id"] for one in reversed(ours[: min(line.row.count, MOST_QUOTES)])]
    return found


def _by_the_same(one: Activity, line: Told) -> bool:
    last = line.activity
    return bool(last and (one.card_id, one.user_id, one.token_id) == (line.row.card_id, last.user_id, last.token_id))


def _quote(comment: Comment) -> str:
    text = to_plain(comment.document) if comment.document else comment.body
    return Truncator("\n".join(filter(None, map(clean, text.splitlines())))).chars(LONGEST_QUOTE)


def _subject(lines: list[Told], more: list[Notification]) -> str:
    """Return what the mail is about, in one line: these and what is left out."""
    number = len(lines) + len(more)
    boards = {line.board.pk: cut(line.board.title) for line in lines if line.board}
    cards = {(line.board and line.board.pk, line.card and line.card.id): line.card for line in lines}
    if number == 1:
        [line] = lines
        text = line.text if line.row.kind != Kind.INVITED else _("You have been invited to a board")
    elif len({*cards, *((row.board_id, row.card_id) for row in more)}) == 1 and (card := next(iter(cards.values()))):
        text = ngettext("%(number)s update on %(title)s", "%(number)s updates on %(title)s", number)
        text %= {"number": number, "title": f"{card.title} #{card.number}"}
    elif all(line.board for line in lines) and len({*boards, *(row.board_id for row in more)}) == 1:
        text = ngettext("%(number)s update on %(title)s", "%(number)s updates on %(title)s", number)
        text %= {"number": number, "title": next(iter(boards.values()))}
    else:
        text = ngettext("%(number)s notification", "%(number)s notifications", number) % {"number": number}
        if boards:
            others = {*boards, *(row.board_id for row in more if row.board_id)}
            text += ": " + join_items([*boards.values()][:2]) + ("…" if len(others) > min(len(boards), 2) else "")
    return Truncator(clean(text)).chars(LONGEST_SUBJECT)


def clean(text: str) -> str:
    """Return the text in one line, without what headers and mail programs take for something else: control characters
    and those that turn the direction of writing."""
    kept = (" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in text if one not in TURNING)
    return " ".join("".join(kept).split())


TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
