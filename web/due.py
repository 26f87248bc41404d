"""Due and start dates as HTML, and the state of a due date: over, soon over, or met."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from boards.dates import Due, end_of, timestamp
from boards.models import Card
from core.text.dates import day_in_language
from web.templatetags.board_tags import icon

SOON = timedelta(hours=24)


def due_state(due_at: datetime, *, done: bool) -> str:
    """Return the CSS class `met`, `late`, `soon` or "". static/js/kit/times.js updates it while the page is open."""
    left = due_at - timezone.now()
    if done:
        return "met"
    if left < timedelta():
        return "late"
    return "soon" if left < SOON else ""


def due_state_for(card: Card, user: User) -> str:
    """Return the same for this reader, "" without a due date: a whole day is over when it is over in their zone."""
    if card.due_at is None:
        return ""
    return due_state(end_of(Due(card.due_at, card.due_day), user.zone), done=card.completed_at is not None)


def render_due(due: Due, start: date | None, *, done: bool) -> SafeString:
    """Render the due date, after the start. A whole day is shown as that day to everybody; times.js sets its state."""
    opening = due_opening(due_state(due.at, done=done), _("Due"), _("Overdue"))
    start_and_arrow = f"{render_start(start)} " if start else ""
    return SafeString(
        f"{opening}{start_and_arrow}{_day_element(due.day) if due.day else _moment_element(due.at)}</span>"
    )


def render_start(day: date) -> SafeString:
    return SafeString(f'{_day_element(day, "start")} <span aria-hidden="true">→</span>')


def _moment_element(moment: datetime) -> SafeString:
    shown = day_in_language(moment.astimezone(UTC))
    return SafeString(f'<time datetime="{timestamp(moment)}">{shown}</time>')


def _day_element(day: date, show: str = "") -> SafeString:
    kind = f' data-show="{show}"' if show else ""
    return SafeString(f'<time datetime="{day.isoformat()}"{kind}>{day_in_language(day)}</time>')


@lru_cache
def due_opening(state: str, due: str, overdue: str) -> SafeString:
    """Always contain the sign and the word of an overdue date; the style sheet shows them for `late`, which a script
    may set later.
    """
    return format_html(
        '<span class="fact due {}" title="{}">{}<span class="late-word">{}</span>',
        state,
        due,
        icon("check" if state == "met" else "triangle-alert"),
        overdue,
    )
