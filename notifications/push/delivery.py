"""Send due messages to browsers, one browser at a time, each by one worker.

A worker holds a browser for a while, longer than a message can take, and again with each message. If it is killed,
another one goes on after that time; a doubled message replaces itself.
"""

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.sign_in.sessions.browser_sessions import sessions_of
from core.measures import PUSHES
from jobs.backoff import back_off
from notifications.models import PushBrowser, PushTurn
from notifications.push.encryption import encrypt
from notifications.push.keys import authorization, is_known
from notifications.push.messages import GOOD_FOR, PushMessage, message_of, summary, to_tell
from notifications.push.posting import PushAnswer, PushServiceAway, post

LEASE = timedelta(minutes=1)  # must be longer than posting.SECONDS
LONGEST_RUN = 20.0  # seconds, so that other tasks have their turn
MOST, WINDOW = 30, timedelta(minutes=10)  # messages to one browser; what comes then is told by one at the end
PACE = timedelta(minutes=2)  # between two messages about the same row, while its burst grows
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
GIVE_UP_AFTER, LEAST_FAILURES = timedelta(days=3), 5
GONE = (404, 410)
TOO_LONG = 413

log = logging.getLogger(__name__)


def is_anything_due() -> bool:
    return due_browsers(timezone.now()).exists()


def due_browsers(now: datetime) -> QuerySet[PushBrowser]:
    free = Q(held_until=None) | Q(held_until__lte=now)
    ready = Q(retry_at=None) | Q(retry_at__lte=now)
    return PushBrowser.objects.filter(free, ready, Exists(_due(now).filter(browser=OuterRef("pk"))))


def _due(now: datetime) -> QuerySet[PushTurn]:
    return PushTurn.objects.filter(due_at__lte=now)


def deliver() -> bool:
    """Send due messages for about LONGEST_RUN seconds. Return whether some are left."""
    until = time.monotonic() + LONGEST_RUN
    while time.monotonic() < until:
        browser = take()
        if browser is None:
            return False
        Sending(browser).run(until)
    return is_anything_due()


def take() -> PushBrowser | None:
    """Hold a browser that something is due for. Of several workers one gets it."""
    now = timezone.now()
    for pk in due_browsers(now).order_by(F("held_until").asc(nulls_first=True), "pk").values_list("pk", flat=True)[:10]:
        if due_browsers(now).filter(pk=pk).update(held_until=now + LEASE):
            return PushBrowser.objects.select_related("user", "session").filter(pk=pk).first()
    return None


class Sending:
    """Sends to one browser that this worker holds."""

    def __init__(self, browser: PushBrowser) -> None:
        self.browser, self.user, self.held_until = browser, browser.user, browser.held_until

    def run(self, until: float) -> None:
        if not self._is_living():
            self.browser.delete()
            return
        while time.monotonic() < until:
            turn = _due(timezone.now()).filter(browser=self.browser).order_by("due_at", "pk").first()
            if turn is None or not self._serve(turn):
                break
        self._held().update(held_until=None)

    def _is_living(self) -> bool:
        """Tell whether somebody is still signed in there, and has subscribed with a key that we have."""
        if not self.user.is_active or not is_known(self.browser.key):
            return False
        return self.browser.session_id in {one.pk for one in sessions_of(self.user)}

    def _serve(self, turn: PushTurn) -> bool:
        """Send what this turn is about, if there is still something to say. Return whether to go on."""
        now = timezone.now()
        row = to_tell(self.user).filter(pk=turn.notification_id).first()
        if row is None or (turn.told_at and row.told_at <= turn.told_at):
            return self._drop(turn)
        if turn.sent_at and turn.sent_at > now - PACE:
            return self._put_off(turn, turn.sent_at + PACE)
        if self._is_full(now):
            began = self.browser.window_began_at or now
            waiting = _due(now).filter(browser=self.browser)
            waiting.update(due_at=began + WINDOW, is_held_back=True)
            return False
        if turn.is_held_back and (others := self._held_back(now)) > 1:
            message, settled = summary(self.browser.pk, others, self.user), self._all_held_back(now)
        else:
            found = message_of(row, self.user)
            if found is None:
                return self._drop(turn)
            message, settled = found, [(turn, row.told_at)]
        return self._settle(self._send(message), settled)

    def _drop(self, turn: PushTurn) -> bool:
        PushTurn.objects.filter(pk=turn.pk, due_at=turn.due_at).delete()
        return True

    def _put_off(self, turn: PushTurn, until: datetime) -> bool:
        PushTurn.objects.filter(pk=turn.pk, due_at=turn.due_at).update(due_at=until)
        return True

    def _is_full(self, now: datetime) -> bool:
        began = self.browser.window_began_at
        if began is None or not began <= now < began + WINDOW:
            self.browser.window_began_at, self.browser.window_count = now, 0
        return self.browser.window_count >= MOST

    def _held_back(self, now: datetime) -> int:
        """Return how many were too many, of those of which there is still something to say."""
        waiting = _due(now).filter(browser=self.browser, is_held_back=True)
        return to_tell(self.user).filter(pk__in=waiting.values("notification_id")).count()

    def _all_held_back(self, now: datetime) -> list[tuple[PushTurn, datetime]]:
        return [(turn, now) for turn in _due(now).filter(browser=self.browser, is_held_back=True)]

    def _send(self, message: PushMessage) -> PushAnswer | None:
        """Return the answer of the push service, or None if there was none."""
        browser = self.browser
        headers = {
            "Authorization": authorization(browser.endpoint, browser.key, timezone.now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(GOOD_FOR.total_seconds())),
            "Urgency": "high" if message.is_urgent else "normal",
            "Topic": message.topic,
        }
        body = encrypt(message.text, bytes(browser.point), bytes(browser.secret))
        try:
            return post(browser.endpoint, body, headers)
        except PushServiceAway as error:
            log.info("a push service is away: %s", error)
            return None

    def _settle(self, answer: PushAnswer | None, turns: list[tuple[PushTurn, datetime]]) -> bool:
        """Note what became of the message, if this worker still holds the browser. Return whether to go on."""
        if answer and answer.status in GONE:
            PUSHES.add("unsubscribed")
            self._held().delete()
            return False
        if answer and (200 <= answer.status < 300 or answer.status == TOO_LONG):
            PUSHES.add("sent")
            return self._note_sent(turns)
        PUSHES.add("failed")
        self._note_failure(answer)
        return False

    @transaction.atomic
    def _note_sent(self, turns: list[tuple[PushTurn, datetime]]) -> bool:
        now, browser = timezone.now(), self.browser
        browser.window_count += 1
        known = {
            "used_at": now, "failures": 0, "failing_since": None, "retry_at": None, "held_until": now + LEASE,
            "window_began_at": browser.window_began_at, "window_count": browser.window_count,
        }  # fmt: skip
        is_ours = bool(self._held().update(**known))
        browser.failures, browser.failing_since, self.held_until = 0, None, now + LEASE
        for turn, told_at in turns:
            mine = PushTurn.objects.filter(pk=turn.pk)
            mine.update(told_at=told_at, sent_at=now, is_held_back=False)
            mine.filter(due_at=turn.due_at).update(due_at=None)  # unless it was told anew meanwhile
        return is_ours

    def _note_failure(self, answer: PushAnswer | None) -> None:
        now, browser = timezone.now(), self.browser
        failures, since = browser.failures + 1, browser.failing_since or now
        if failures >= LEAST_FAILURES and now - since > GIVE_UP_AFTER:
            log.info("a browser of %s is given up: its push service took nothing since %s", browser.user_id, since)
            self._held().delete()
            return
        pause = back_off(failures, first=FIRST_PAUSE, factor=2, most=LONGEST_PAUSE)
        if answer and answer.wait:
            pause = max(pause, answer.wait)
        self._held().update(failures=failures, failing_since=since, retry_at=now + pause)

    def _held(self) -> QuerySet[PushBrowser]:
        return PushBrowser.objects.filter(pk=self.browser.pk, held_until=self.held_until)
