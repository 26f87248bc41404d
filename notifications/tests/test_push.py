"""The worker pushes messages to people's browsers: by a push service that the tests start."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.recovery import deactivate
from accounts.sign_in.sessions.browser_sessions import end_all, end_one
from accounts.tokens import create_token
from boards.actions.boards.board import update_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.people.members import remove_member
from boards.models import Card
from boards.reader import Reader
from boards.tests.at_once import wait_until_somebody_waits_for_a_lock
from conftest import run_jobs, web
from jobs.delivery import serve_followers
from jobs.tests.conftest import in_threads
from notifications.events.telling import tell
from notifications.following import choose
from notifications.housekeeping import tidy_notifications
from notifications.inbox.entries import mark_all_read
from notifications.kinds import Kind
from notifications.models import Level, Notification, PushBrowser, PushTurn, ReminderClock, Way
from notifications.push import browsers, delivery
from notifications.push.delivery import MOST, PACE, WINDOW, deliver
from notifications.push.turns import push_later
from notifications.reminders.reminders import remind
from notifications.tests.conftest import TELLS
from notifications.tests.push_service import Subscription, session_of, subscribe
from security.models import BrowserSession
from taskboard.tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(service, ed, card, quiet) -> Subscription:
    """Ed's browser. What was told before is not pushed."""
    return subscribe(ed, service)


def told(service, phone):
    run_jobs()
    return [phone.read(one.body) for one in service.sent]


def test_who_is_assigned_gets_title_and_sentence_on_their_browser(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    (message,) = told(service, phone)
    row = Notification.objects.get(user=ed, kind=Kind.ASSIGNED)
    assert message == {
        "title": "Launch",
        "body": f"Olga assigned you to {TELLS} #1",
        "tag": str(row.pk),
        "open": f"/notification/{row.pk}",
        "page": card.get_absolute_url(),
        "lang": "en",
        "is_urgent": False,
    }
    (sent,) = service.sent
    assert sent.claims(audience=service.url)["sub"]
    assert {name: sent.headers[name] for name in ("content-encoding", "ttl", "urgency", "topic")} == {
        "content-encoding": "aes128gcm",
        "ttl": "86400",
        "urgency": "normal",
        "topic": row.pk.hex,
    }
    assert PushBrowser.objects.get().used_at


def test_nothing_comes_twice(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    PushTurn.objects.update(due_at=timezone.now())
    deliver()
    deliver()
    assert len(service.sent) == 1


def test_every_browser_of_a_person_gets_it_and_nobody_elses(service, phone, card, olga, ed, vera):
    subscribe(ed, service, "two")
    subscribe(vera, service, "veras")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert sorted(one.path for one in service.sent) == ["/one", "/two"]


def test_it_is_said_in_the_language_of_the_reader(service, phone, card, olga, ed):
    ed.language = "de"
    ed.save()
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    (message,) = told(service, phone)
    assert message["lang"] == "de"
    assert message["body"] == f"Olga hat Ihnen {TELLS} #1 zugewiesen"


def test_hostile_titles_stay_text_and_are_bounded(service, phone, board, todo, olga, ed):
    title = "<img src=x onerror=alert(1)>\u202e" + "\U0001f4a3" * 400
    update_board(actor=web(olga), board_id=board.pk, title="<b>" + "語" * 90)
    create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk])
    message = told(service, phone)[-1]
    assert message["title"].startswith("<b>語")
    assert "<img src=x onerror=alert(1)>" in message["body"], "as text: nothing makes HTML of it"
    assert len(message["title"]) <= 80
    assert len(message["body"]) <= 300
    assert all(len(one.body) <= 4096 for one in service.sent)


def test_kinds_without_push_are_not_pushed(service, phone, card, olga, ed):
    Way.objects.filter(user=ed).update(push=False)
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert service.sent == []
    assert not DBTaskResult.objects.filter(task_path__contains="send_pushes").exists()


def test_a_kind_that_is_only_pushed_is_pushed_and_can_be_opened(service, phone, card, olga, ed, client):
    Way.objects.filter(user=ed).update(in_app=False)
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    (message,) = told(service, phone)
    client.force_login(ed)
    assert client.get(message["open"])["Location"] == card.get_absolute_url()
    assert Notification.objects.get(user=ed).read_at


def test_what_is_read_before_it_is_sent_is_not_pushed(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    while serve_followers():
        pass
    assert PushTurn.objects.exists()
    mark_all_read(Reader(ed), None, timezone.now())
    run_jobs()
    assert service.sent == []
    assert not PushTurn.objects.exists()


def test_who_lost_the_board_meanwhile_is_not_told_what_is_on_it(service, phone, board, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    while serve_followers():
        pass
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    deliver()
    assert service.sent == []


def test_what_is_older_than_a_day_is_in_the_inbox_alone(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    while serve_followers():
        pass
    Notification.objects.filter(user=ed).update(told_at=timezone.now() - timedelta(hours=25))
    deliver()
    assert service.sent == []


def test_a_burst_is_pushed_again_in_its_own_place_but_not_each_time(service, phone, card, olga, ed):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(4):
            add_comment(actor=web(olga), card_id=card.pk, text=f"[@Ed](mention:{ed.pk}) {number}")
            run_jobs()
            clock.shift(timedelta(seconds=10))
        assert len(service.sent) == 1
        clock.shift(PACE)
        deliver()
        first, second = told(service, phone)
    assert first["tag"] == second["tag"]
    assert second["body"] == f"Olga mentioned you 4 times on {TELLS} #1"


def test_reminders_are_urgent(service, phone, card, olga, ed):
    now = timezone.now()
    ReminderClock.objects.create(name="due", at=now - timedelta(hours=1))
    update_card(actor=web(olga), card_id=card.pk, due_at=now - timedelta(minutes=5))
    choose(ed, card, Level.CARD, "follow")
    remind.func()
    (message,) = told(service, phone)
    assert message["body"] == f"{TELLS} #1 is overdue"
    assert service.sent[0].headers["urgency"] == "high"


def test_what_was_put_off_is_pushed_when_it_comes_back(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    ReminderClock.objects.create(name="due", at=timezone.now())
    Notification.objects.filter(user=ed).update(later_until=timezone.now())
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        remind.func()
        run_jobs()
    assert len(service.sent) == 2


def test_what_is_too_much_is_told_by_one_message_at_the_end_of_ten_minutes(service, phone, todo, olga, ed):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        rows = [Notification(user=ed, kind=Kind.DUE, group_key=f"{n}", board_id=todo.board_id) for n in range(MOST + 5)]
        cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {n}") for n in range(MOST + 5)]
        Card.objects.update(due_at=timezone.now() - timedelta(minutes=1))
        run_jobs()
        choose(ed, todo.board, Level.BOARD, "follow")
        for row, card in zip(rows, cards, strict=True):
            row.card_id = card.pk
        Notification.objects.bulk_create(rows)
        browser = PushBrowser.objects.get()
        PushTurn.objects.bulk_create(
            PushTurn(browser=browser, notification_id=row.pk, due_at=timezone.now()) for row in rows
        )
        deliver()
        assert len(told(service, phone)) == MOST
        clock.shift(WINDOW)
        deliver()
        *_before, last = told(service, phone)
        assert len(service.sent) == MOST + 1
    assert last["body"] == "5 more notifications"
    assert last["open"] == "/notifications"


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_deleted(service, phone, card, olga, ed, status):
    service.answer = lambda: (status, {})
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert not PushBrowser.objects.exists()
    assert not PushTurn.objects.exists()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("status", [500, 503, 429, 400, 307])
def test_a_failure_is_tried_again_later(service, phone, card, olga, ed, status):
    service.answer = lambda: (status, {})
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert len(service.sent) == 1
    assert not delivery.is_anything_due()
    service.answer = lambda: (201, {})
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert delivery.is_anything_due()
        deliver()
    assert len(service.sent) == 2
    browser = PushBrowser.objects.get()
    assert (browser.failures, browser.failing_since, browser.retry_at) == (0, None, None)


def test_a_push_service_says_when_to_come_back(service, phone, card, olga, ed):
    service.answer = lambda: (429, {"Retry-After": "7200"})
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert PushBrowser.objects.get().retry_at > timezone.now() + timedelta(minutes=119)


def test_a_browser_that_fails_for_days_is_given_up(service, phone, card, olga, ed):
    service.answer = lambda: (500, {})
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    PushBrowser.objects.update(failures=4, failing_since=timezone.now() - timedelta(days=2), retry_at=None)
    PushTurn.objects.update(due_at=timezone.now())
    deliver()
    assert PushBrowser.objects.exists()
    PushBrowser.objects.update(failing_since=timezone.now() - timedelta(days=4), retry_at=None)
    deliver()
    assert not PushBrowser.objects.exists()


def test_one_browser_that_fails_does_not_hold_up_another(service, phone, card, olga, ed):
    subscribe(ed, service, "two")
    PushBrowser.objects.filter(endpoint__endswith="/one").update(endpoint="https://127.0.0.1/x")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert [one.path for one in service.sent] == ["/two"]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "end",
    [
        lambda ed, client: client.post("/sign-out"),
        lambda ed, client: end_one(ed, PushBrowser.objects.get(user=ed).session_id),
        lambda ed, client: end_all(ed),
        lambda ed, client: deactivate(ed),
        lambda ed, client: client.session.flush(),
    ],
    ids=["sign-out", "ended elsewhere", "ended everywhere", "deactivated", "flushed"],
)
def test_with_the_session_its_browser_is_gone(service, card, olga, ed, client, end):
    client.force_login(ed)
    client.get("/settings/notifications")
    subscribe(ed, service, session=BrowserSession.objects.get(session=client.session.session_key))
    end(ed, client)
    assert not PushBrowser.objects.filter(user=ed).exists()


def test_a_new_password_ends_the_push_of_sessions_that_it_ended(service, phone, card, olga, ed):
    ed.set_password("plum tart on sunday")
    ed.save()
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert service.sent == []
    assert not PushBrowser.objects.exists()
    assert browsers.browsers_of(ed) == []


def test_a_browser_that_subscribed_with_a_key_that_is_gone_is_dropped(service, phone, card, olga, ed):
    PushBrowser.objects.update(key="unknown")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert service.sent == []
    assert not PushBrowser.objects.exists()


def test_an_endpoint_belongs_to_who_registered_it_last(service, phone, card, olga, ed, vera):
    subscribe(vera, service, "one")
    assert PushBrowser.objects.get().user == vera


def test_a_session_has_one_browser_and_an_account_twenty(service, ed, monkeypatch):
    monkeypatch.setattr(browsers, "MOST", 3)
    session = session_of(ed)
    for name in "ab":
        subscribe(ed, service, name, session)
    assert PushBrowser.objects.get().endpoint.endswith("/b")
    for name in "cdef":
        subscribe(ed, service, name)
    assert [one.endpoint[-1] for one in browsers.browsers_of(ed)] == ["f", "e", "d"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
def test_two_tabs_of_a_browser_may_subscribe_at_once(service, ed):
    session = session_of(ed)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            subscribe(ed, service, "one", session)
            other_tab = threads.submit(in_threads, lambda: subscribe(ed, service, "one", session))
            wait_until_somebody_waits_for_a_lock()
        other_tab.result(PATIENCE)
    assert PushBrowser.objects.get().session == session


def test_the_first_browser_chooses_kinds_and_keeps_what_was_chosen(service, ed):
    subscribe(ed, service)
    assert set(Way.objects.filter(user=ed, push=True).values_list("kind", flat=True)) == set(browsers.AT_FIRST)
    Way.objects.filter(user=ed).exclude(kind=Kind.DUE).update(push=False)
    subscribe(ed, service, "two")
    assert list(Way.objects.filter(user=ed, push=True).values_list("kind", flat=True)) == [Kind.DUE]


def test_telling_people_without_browsers_pays_one_statement_and_others_a_fixed_number(service, card, olga, ed, vera):
    run_jobs()
    began = timezone.now() - timedelta(days=1)
    with CaptureQueriesContext(
        connection,
    ) as nobody:
        push_later([ed.pk, vera.pk, olga.pk], began)
    assert len(nobody) == 1
    numbers = []
    for name in ("one", "two"):
        subscribe(ed, service, name)
        subscribe(vera, service, f"veras-{name}")
        Notification.objects.create(user=ed, kind=Kind.ASSIGNED, group_key=name)
        with CaptureQueriesContext(connection) as somebody:
            push_later([ed.pk, vera.pk, olga.pk], began)
        numbers.append(len(somebody))
    assert numbers[0] == numbers[1]


def test_what_is_left_over_is_tidied(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    PushTurn.objects.update(sent_at=timezone.now() - timedelta(days=2))
    tidy_notifications.func()
    assert not PushTurn.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_push_once(service, board, card, olga, ed, vera, quiet):
    for user in (ed, vera):
        for number in range(3):
            subscribe(user, service, f"{user.name}-{number}")
    for number in range(3):
        made = create_card(actor=web(olga), list_id=card.list_id, title=f"Card {number}")
        for user in (ed, vera):
            add_comment(actor=web(olga), card_id=made.pk, text=f"[@x](mention:{user.pk})")
    while serve_followers():
        pass
    in_threads(deliver, deliver, deliver)
    sent = [(one.path, one.headers["topic"]) for one in service.sent]
    rows = Notification.objects.filter(user__in=[ed, vera])
    assert rows.count() >= 6
    assert sorted(sent) == sorted(
        (f"/{row.user.name}-{n}", row.pk.hex) for row in rows.select_related("user") for n in range(3)
    )


def test_of_two_workers_that_see_the_same_browser_one_gets_it(service, phone, card, olga, ed, monkeypatch):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    while serve_followers():
        pass
    looks, due = [], delivery.due_browsers

    def look(now):
        looks.append(now)
        if len(looks) == 2:  # this worker has seen the browser, and now the other one takes it
            PushBrowser.objects.update(held_until=now + delivery.LEASE)
        return due(now)

    monkeypatch.setattr(delivery, "due_browsers", look)
    assert delivery.take() is None


def test_what_a_killed_worker_held_another_one_sends(service, phone, card, olga, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    while serve_followers():
        pass
    assert delivery.take() is not None, "and then its worker is killed"
    DBTaskResult.objects.all().delete()
    deliver()
    assert service.sent == []
    with time_machine.travel(timezone.now() + delivery.LEASE + timedelta(seconds=1)):
        assert delivery.is_anything_due()
        deliver()
    assert len(service.sent) == 1


def test_an_expiring_token_is_pushed_like_everything_else(service, phone, ed):
    Way.objects.create(user=ed, kind=Kind.TOKEN, push=True)
    token, _value = create_token(ed, "laptop")
    tell(ed.pk, Kind.TOKEN, str(token.pk), {"name": "laptop", "expires": timezone.now().isoformat()})
    (message,) = told(service, phone)
    assert message["title"] == "Taskboard"
    assert message["body"].startswith("Your API token laptop expires on")
