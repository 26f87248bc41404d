"""The text of a push message: rendered when it is sent, in the language of its reader, if they may still see it."""

import json
from dataclasses import asdict, dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import ngettext

from accounts.models import User
from boards.reader import Reader
from core.text.locale import locale_of
from notifications.inbox.entries import within_reach
from notifications.inbox.lines import cut, told
from notifications.kinds import Kind
from notifications.models import Notification, Way
from notifications.reminders.due_now import still_due

NAME = "Taskboard"
LONGEST_SENTENCE = 300  # characters
GOOD_FOR = timedelta(days=1)  # what is older is in the inbox, and no push any more


@dataclass(frozen=True, slots=True)
class PushMessage:
    """static/js/live/service-worker.js reads these names."""

    title: str
    body: str
    tag: str  # the message takes the place of one with the same tag
    open: str  # where a click leads
    page: str  # what that shows in the end; a window that has it already comes to the front
    lang: str
    is_urgent: bool = False

    @property
    def text(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode(errors="replace")

    @property
    def topic(self) -> str:
        """Return the name under which push services replace what they could not deliver yet: 32 characters at most."""
        return self.tag.replace("-", "")[:32]


def to_tell(user: User) -> QuerySet[Notification]:
    """Return what may be pushed to this person: unread, not put off, still to be seen, of a kind that they want so."""
    wanted = Way.objects.filter(user=user, push=True).values("kind")
    fresh = within_reach(Reader(user)).filter(read_at=None, later_until=None, kind__in=wanted)
    return fresh.filter(told_at__gt=timezone.now() - GOOD_FOR)


def message_of(row: Notification, user: User) -> PushMessage | None:
    """Return what to say of this row, which must be one `to_tell`; None if there is nothing to say any more."""
    with locale_of(user):
        for line in told(still_due(user, [row])):
            return PushMessage(
                title=cut(line.board.title) if line.board else NAME,
                body=Truncator(line.text).chars(LONGEST_SENTENCE),
                tag=str(row.pk),
                open=reverse("notification", args=[row.pk]),
                page=line.link,
                lang=user.language,
                is_urgent=row.kind == Kind.DUE,
            )
    return None


def summary(browser: UUID, number: int, user: User) -> PushMessage:
    with locale_of(user):
        words = ngettext("%(number)s more notification", "%(number)s more notifications", number) % {"number": number}
    address = reverse("notifications")
    return PushMessage(title=NAME, body=words, tag=str(browser), open=address, page=address, lang=user.language)
