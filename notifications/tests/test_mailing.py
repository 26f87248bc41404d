"""Notifications by mail: what is sent when, to whom, and what it says."""

import email
import email.policy
import re
from datetime import UTC, datetime, timedelta
from smtplib import SMTPServerDisconnected
from zoneinfo import ZoneInfo

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.tokens import create_token, revoke_token
from boards.actions.boards.board import archive_board, create_board, update_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.card import complete_card, create_card, delete_card, update_card
from boards.actions.cards.comments import add_comment, delete_comment
from boards.actions.lists.list import archive_list, create_list
from boards.actions.people.members import remove_member
from boards.actions.sharing.invitations import invite_member
from boards.reader import Reader
from conftest import join, person, run_jobs, web
from notifications.events.telling import tell
from notifications.following import choose
from notifications.inbox.entries import mark_all_read
from notifications.kinds import Kind
from notifications.mail import sending
from notifications.mail.sending import is_anything_due, last_time, mail_person, mail_what_is_due
from notifications.models import Habits, Level, Notification, Way
from notifications.tests.conftest import agent
from taskboard.tests.mail_server import serving_mail
from web.tests.browsing import browser, text_of

NOON = datetime.fromisoformat("2026-05-04T12:00:00+00:00")


@pytest.fixture(autouse=True)
def _mail_server(settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def mail_server():
    with serving_mail() as server:
        yield server


def confirm(user):
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)


@pytest.fixture
def told(clock, card, olga, ed, vera, settings):
    """Nothing waits to be mailed; Ed and Vera have confirmed their addresses."""
    for user in (olga, ed, vera):
        confirm(user)
    run_jobs()
    Notification.objects.all().delete()
    mail.outbox.clear()
    return card


def turn() -> list:
    """What a minute of the worker sends."""
    before = len(mail.outbox)
    if is_anything_due():
        mail_what_is_due.call()
    run_jobs()
    return mail.outbox[before:]


def later(clock, **time):
    clock.shift(timedelta(**time))
    return turn()


def html_of(message) -> str:
    [(content, kind)] = [tuple(one) for one in message.alternatives]
    assert kind == "text/html"
    return content


def want(user, kind, mail, **more):
    Way.objects.update_or_create(user=user, kind=kind, defaults={"mail": mail, **more})


# When


def test_what_comes_within_ten_minutes_is_one_mail(told, clock, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    clock.shift(timedelta(minutes=8))
    add_comment(actor=web(olga), card_id=told.pk, text=f"Please look, [@Ed](mention:{ed.pk})")
    run_jobs()
    assert later(clock, minutes=1) == []
    [message] = later(clock, minutes=1)
    assert message.to == ["ed@example.com"]
    assert "\nWrite the announcement #1\n\n- Olga assigned you\n- Olga mentioned you\n" in message.body
    assert later(clock, minutes=60) == []


def test_a_thousand_changes_by_an_agent_are_one_mail(told, clock, board, olga, ed):
    want(olga, Kind.AGENT, "now")
    choose(olga, board, Level.BOARD, "follow")
    by_agent = agent(olga)
    for number in range(1000):
        update_board(actor=by_agent, board_id=board.pk, title=f"Launch {number}")
    run_jobs()
    [message] = later(clock, minutes=11)
    assert "Claude on laptop: 1000 changes" in message.body
    assert later(clock, minutes=11) == []


@pytest.fixture
def burst(told, clock, board, olga, ed):
    """A burst of changes of which two are told, three minutes before their mail. Call it with the titles of more."""
    want(ed, Kind.CHANGE, "now")
    choose(ed, board, Level.BOARD, "follow")
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    clock.shift(timedelta(minutes=7))
    by_agent = agent(olga)

    def change(*titles: str) -> None:
        for title in titles:
            update_board(actor=by_agent, board_id=board.pk, title=title)
        run_jobs()

    change("One", "Two")
    return change


def test_a_burst_that_goes_on_after_its_mail_is_mailed_again_with_what_is_new(burst, clock):
    [first] = later(clock, minutes=3)
    assert "2 changes" in first.body
    burst("Three", "Four", "Five")
    assert later(clock, minutes=9) == []
    [second] = later(clock, minutes=1)
    assert "3 changes" in second.body
    assert first.extra_headers["Message-ID"] != second.extra_headers["Message-ID"]


def test_the_daily_mail_comes_at_the_hour_of_the_person(told, clock, olga, ed):
    ed.time_zone = "Asia/Tokyo"
    ed.save()
    Habits.objects.create(user=ed, mail_hour=7)
    want(ed, Kind.ASSIGNED, "daily")
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)  # at 21:00 there
    run_jobs()
    assert later(clock, hours=9, minutes=59) == []
    assert len(later(clock, minutes=3)) == 1
    assert later(clock, hours=24) == []


def test_a_zone_that_the_machine_does_not_know_stops_nobodys_daily_mail(told, clock, olga, ed, vera):
    vera.time_zone = "Nowhere/Land"
    vera.save()
    for user in (vera, ed):
        want(user, Kind.ASSIGNED, "daily")
        assign(actor=web(olga), card_id=told.pk, user_id=user.pk)
    run_jobs()
    assert {address for mail in later(clock, hours=24) for address in mail.to} == {ed.email, vera.email}


@pytest.mark.parametrize("hour", [0, 1, 2, 3, 9, 23])
@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"], ids=["forward", "back"])
def test_on_days_when_the_clocks_change_one_daily_mail_comes(told, clock, olga, ed, hour, day):
    ed.time_zone = "Europe/Berlin"
    ed.save()
    Habits.objects.create(user=ed, mail_hour=hour)
    want(ed, Kind.ASSIGNED, "daily")
    begin = datetime.combine(datetime.fromisoformat(day), datetime.min.time(), ed.zone)
    sent = []
    clock.move_to(begin - timedelta(minutes=1))
    for half_hour in range(2 * 26):
        tell(ed.pk, Kind.ASSIGNED, str(half_hour), {"person": "Olga", "board": "Launch"})
        clock.move_to(begin.timestamp() + 1800 * half_hour + 180)
        sent += [timezone.now().astimezone(ed.zone) for _mail in turn()]
    on_that_day = [moment for moment in sent if moment.date().isoformat() == day]
    assert len(on_that_day) == 1
    assert on_that_day[0].hour == (3 if (hour, day) == (2, "2026-03-29") else hour)
    assert on_that_day[0].fold == 0


def test_the_last_time_of_an_hour_is_never_in_the_future():
    for name in ("Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "UTC"):
        for hour in (0, 2, 23):
            for step in range(0, 24 * 370, 7):
                now = NOON + timedelta(hours=step)
                assert timedelta(0) <= now - last_time(hour, ZoneInfo(name), now) <= timedelta(hours=25, minutes=2)


# What is left out


def test_what_was_read_or_put_off_meanwhile_is_not_mailed(told, clock, olga, ed, vera):
    for user in (ed, vera):
        assign(actor=web(olga), card_id=told.pk, user_id=user.pk)
    run_jobs()
    mark_all_read(Reader(ed), None, timezone.now())
    assert [message.to for message in later(clock, minutes=10)] == [["vera@example.com"]]
    assert Notification.objects.get(user=ed, kind=Kind.ASSIGNED).mailed_at is None
    assert Notification.objects.get(user=vera, kind=Kind.ASSIGNED).mailed_at == timezone.now()


def test_what_one_may_no_longer_see_is_not_mailed(told, clock, board, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    clock.shift(timedelta(minutes=10))
    mail_what_is_due.call()  # before the follower has heard of it
    run_jobs()
    assert not [message for message in mail.outbox if "announcement" in message.body]


def take_mails_from(user, why: str) -> None:
    match why:
        case "unconfirmed":
            EmailAddress.objects.filter(user=user).update(verified=False)
        case "deactivated":
            type(user).objects.filter(pk=user.pk).update(is_active=False)
        case "unsubscribed":
            Habits.objects.create(user=user, mails=False)
        case "turned off":
            want(user, Kind.ASSIGNED, "off")


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("who", ["unconfirmed", "deactivated", "unsubscribed", "no server", "turned off"])
def test_nothing_is_mailed_to(told, clock, olga, ed, settings, who):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    match who:
        case "no server":
            settings.MAIL = {}
        case _:
            take_mails_from(ed, who)
    assert later(clock, minutes=10) == []
    assert Notification.objects.get(user=ed).to_mail == "", "nor when that changes"


def test_without_a_mail_server_nothing_waits_for_one(told, clock, olga, ed, settings):
    settings.MAIL = {}
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    assert later(clock, minutes=10) == []


def test_for_who_takes_no_mails_nothing_waits(told, clock, olga, ed):
    Habits.objects.create(user=ed, mails=False)
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    assert not Notification.objects.exclude(to_mail="").exists()


def test_what_was_told_before_the_upgrade_is_not_mailed(told, clock, ed):
    Notification.objects.create(user=ed, kind=Kind.TOKEN, group_key="old", data={"name": "CI"})
    assert later(clock, days=1) == []


def test_what_waited_while_the_service_was_away_for_days_is_not_mailed(told, clock, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    assert later(clock, days=4) == []


@pytest.mark.parametrize("is_taken", [False, True], ids=["before it is taken", "before it is sent"])
def test_of_a_token_that_was_revoked_meanwhile_no_mail_says_that_it_expires(told, clock, ed, is_taken):
    token, _value = create_token(ed, "CI", expires_at=NOON + timedelta(days=1))
    tell(ed.pk, Kind.TOKEN, "1", {"name": "CI", "expires": NOON.isoformat()}, subject_id=token.pk)
    if is_taken:
        clock.shift(timedelta(minutes=10))
        assert mail_person(ed.pk)
    revoke_token(token)
    assert later(clock, minutes=10) == []


def test_kinds_have_defaults(told, clock, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    update_card(actor=web(olga), card_id=told.pk, title="Other")
    run_jobs()
    kinds = dict(Notification.objects.filter(user=ed).values_list("kind", "to_mail"))
    assert kinds == {Kind.ASSIGNED: "now", Kind.CHANGE: ""}


def test_a_kind_for_mails_alone_is_mailed(told, clock, olga, ed):
    want(ed, Kind.ASSIGNED, "now", in_app=False)
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    assert len(later(clock, minutes=10)) == 1


def test_an_invitation_that_has_a_mail_of_its_own_is_not_mailed_twice(told, clock, board, olga, stan):
    confirm(stan)
    sent = invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role="viewer")
    tell(stan.pk, Kind.INVITED, str(sent.pk), subject_id=sent.pk)
    assert later(clock, minutes=10) == []


def test_a_daily_mail_holds_nothing_that_an_inviter_wrote(told, clock, board, olga, stan):
    confirm(stan)
    want(stan, Kind.INVITED, "daily")
    update_board(actor=web(olga), board_id=board.pk, title="Your account is locked")
    sent = invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role="viewer")
    tell(stan.pk, Kind.INVITED, str(sent.pk), subject_id=sent.pk)
    [message] = later(clock, days=1)
    assert "olga@example.com invited you to a board" in message.body
    assert "locked" not in message.body + html_of(message) + message.subject


# What it says


def buttons(message) -> list[tuple[str, str]]:
    """Return the words and addresses of the buttons in the HTML, in their order."""
    found = html_of(message).split('<p class="open">')[1:]
    links = [re.findall(r'<a [^>]*href="([^"]*)">([^<]*)</a>', one.partition("</p>")[0]) for one in found]
    return [(words, address) for row in links for address, words in row]


def address_of(card) -> str:
    return django_settings.BASE_URL + card.get_absolute_url()


def test_a_mail_names_board_and_card_and_leads_to_the_card(told, clock, board, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert message.subject == "[Taskboard] Olga assigned you to Write the announcement #1"
    assert message.body.startswith(
        f"Launch\n\nWrite the announcement #1\n\n- Olga assigned you\n  {address_of(told)}\n"
    )
    assert buttons(message) == [("Open card", address_of(told))]
    assert f"{django_settings.BASE_URL}/settings/notifications" in message.body


def test_a_comment_can_be_answered_by_the_second_button(told, clock, olga, ed):
    add_comment(actor=web(olga), card_id=told.pk, text=f"[@Ed](mention:{ed.pk}) please look")
    run_jobs()
    [message] = later(clock, minutes=10)
    answer = f"{address_of(told)}#new-comment"
    assert buttons(message) == [("Open card", address_of(told)), ("Reply", answer)]
    assert f"  {address_of(told)}\n  Reply: {answer}\n" in message.body


def test_who_cannot_comment_is_led_to_the_card_alone(told, clock, olga, vera):
    add_comment(actor=web(olga), card_id=told.pk, text=f"[@Vera](mention:{vera.pk}) please look")
    run_jobs()
    [message] = later(clock, minutes=10)
    assert buttons(message) == [("Open card", address_of(told))]
    assert "#new-comment" not in message.body


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("kind", [Kind.ASSIGNED, Kind.UNASSIGNED, Kind.MENTIONED, Kind.COMMENT, Kind.CHANGE, Kind.DUE])
def test_the_title_of_a_card_stands_once_in_a_mail(told, clock, olga, ed, kind, number):
    want(ed, kind, "now")
    choose(ed, told, Level.CARD, "follow")
    activity = told.board.activities.order_by("-version").first()
    row = Notification(user=ed, kind=kind, board_id=told.board_id, card_id=told.pk, group_key="x", count=number)
    row.version, row.data, row.to_mail, row.to_mail_since = activity.version, {"when": "due"}, "now", timezone.now()
    row.save()
    update_card(actor=web(olga), card_id=told.pk, due_at=NOON - timedelta(days=1))
    run_jobs()
    [message] = later(clock, minutes=10)
    assert message.body.count("Write the announcement") == 1
    assert html_of(message).partition("<body>")[2].count("Write the announcement") == 1


def test_of_a_card_that_is_gone_the_sentence_has_the_title(told, clock, board, todo, olga, ed):
    want(ed, Kind.CHANGE, "now")
    choose(ed, board, Level.BOARD, "follow")
    card = create_card(actor=web(olga), list_id=todo.pk, title="Short-lived")
    archive_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    Notification.objects.all().delete()
    delete_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert f"\n- Olga permanently deleted Short-lived #{card.number}\n" in message.body
    assert buttons(message) == []


def test_comments_are_quoted_as_plain_text_and_bounded(told, clock, olga, ed):
    text = f"[@Ed](mention:{ed.pk}) **Look** <b>here</b>\n\n" + "long " * 1000
    add_comment(actor=web(olga), card_id=told.pk, text=text)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert "> @Ed Look <b>here</b>" in message.body
    assert "&lt;b&gt;here&lt;/b&gt;" in html_of(message)
    assert len(message.body) < 2000


def test_each_comment_of_a_burst_is_quoted(told, clock, olga, ed):
    want(ed, Kind.COMMENT, "now")
    choose(ed, told, Level.CARD, "follow")
    for text in ("First thought", "Second thought", "Third thought"):
        add_comment(actor=web(olga), card_id=told.pk, text=text)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert "wrote 3 comments" in message.body
    assert re.findall("> (.+)", message.body) == ["First thought", "Second thought", "Third thought"]


def test_a_deleted_comment_is_not_quoted(told, clock, olga, ed):
    comment = add_comment(actor=web(olga), card_id=told.pk, text=f"[@Ed](mention:{ed.pk}) a secret")
    run_jobs()
    delete_comment(actor=web(olga), comment_id=comment.pk)
    run_jobs()
    assert all("secret" not in message.body for message in later(clock, minutes=10))


def test_names_and_titles_put_no_header_and_no_html_into_a_mail(told, clock, board, olga, ed):
    type(olga).objects.filter(pk=olga.pk).update(name="O\r\nBcc: all@example.com\r\n\r\n<img src=x>\u202e")
    olga.refresh_from_db()
    update_card(actor=web(olga), card_id=told.pk, title="<script>alert(1)</script>{person}")
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert "Bcc" not in message.message()
    assert message.recipients() == ["ed@example.com"]
    assert "\u202e" not in message.subject + message.body + html_of(message)
    assert "<script>" not in html_of(message)
    assert "<img" not in html_of(message)


def test_the_title_of_a_board_neither_turns_a_mail_around_nor_begins_a_new_line_in_it(told, clock, olga, ed):
    update_board(actor=web(olga), board_id=told.board_id, title="Launch\u202e\u2028Pay\x85now")
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert message.body.startswith("Launch Pay now\n")
    assert ">Launch Pay now</a></h1>" in html_of(message)


def test_a_mail_has_fifty_lines_at_most_and_says_how_many_more(told, clock, todo, olga, ed):
    for number in range(53):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}", assignee_ids=[ed.pk])
    run_jobs()
    with CaptureQueriesContext(connection) as captured:
        [message] = later(clock, minutes=10)
    assert message.body.count("\n- ") == 50
    assert "3 more in your inbox" in message.body
    assert message.subject == "[Taskboard] 53 updates on Launch"
    assert len(captured) < 60


def test_the_subject_names_no_board_as_the_only_one_where_another_is_among_the_lines_left_out(
    told, clock, todo, olga, ed, monkeypatch
):
    monkeypatch.setattr("notifications.mail.text.MOST_LINES", 2)
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    there = create_list(actor=web(olga), board_id=other.pk, title="There")
    run_jobs()
    Notification.objects.all().delete()
    create_card(actor=web(olga), list_id=there.pk, title="Elsewhere", assignee_ids=[ed.pk])
    run_jobs()
    clock.shift(timedelta(seconds=1))
    for title in ("One", "Two"):
        create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk])
    run_jobs()
    [message] = later(clock, minutes=10)
    assert "1 more in your inbox" in message.body
    assert message.subject == "[Taskboard] 3 notifications: Launch…"


def test_reminders_of_cards_that_are_done_leave_the_room_in_a_mail_to_other_lines(
    told, clock, todo, olga, ed, monkeypatch
):
    monkeypatch.setattr("notifications.mail.text.MOST_LINES", 2)
    Way.objects.create(user=ed, kind=Kind.DUE, mail="now")
    create_card(actor=web(olga), list_id=todo.pk, title="Write", assignee_ids=[ed.pk])
    run_jobs()
    for title in ("One", "Two"):
        done = create_card(actor=web(olga), list_id=todo.pk, title=title, due_at=timezone.now() + timedelta(days=1))
        choose(ed, done, Level.CARD, "follow")
        complete_card(actor=web(olga), card_id=done.pk)
        Notification.objects.create(
            user=ed, kind=Kind.DUE, board_id=done.board_id, card_id=done.pk, group_key=title, data={"when": "day"},
            told_at=timezone.now() + timedelta(seconds=1), to_mail="now", to_mail_since=timezone.now(),
        )  # fmt: skip
    [message] = later(clock, minutes=10)
    assert message.subject == "[Taskboard] Olga assigned you to Write #2"
    assert "more in your inbox" not in message.body


def test_a_mail_takes_as_many_statements_for_few_as_for_many(told, clock, todo, olga, ed):
    def statements(number):
        for one in range(number):
            card = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {one}", assignee_ids=[ed.pk])
            add_comment(actor=web(olga), card_id=card.pk, text=f"[@Ed](mention:{ed.pk})")
        run_jobs()
        clock.shift(timedelta(minutes=10))
        with CaptureQueriesContext(connection) as captured:
            assert mail_person(ed.pk)
        return len(captured)

    assert statements(1) == statements(12) <= 24


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pt-br", "ja", "zh-hans"])
def test_it_is_in_the_language_of_the_person(told, clock, olga, ed, language):
    ed.language = language
    ed.save()
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    add_comment(actor=web(olga), card_id=told.pk, text=f"[@Ed](mention:{ed.pk})")
    tell(ed.pk, Kind.TOKEN, "1", {"name": "CI", "expires": NOON.isoformat()})
    run_jobs()
    [message] = later(clock, minutes=10)
    assert f'lang="{ed.language_tag}"' in html_of(message)
    assert "Write the announcement #1" in message.body
    assert "CI" in message.body
    assert ("Choose what you get by email" in message.body) == (language == "en")


def test_a_mail_that_is_sent_twice_has_one_id(told, clock, olga, ed, monkeypatch):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    clock.shift(timedelta(minutes=10))
    rows = list(Notification.objects.filter(user=ed))
    ids = set()
    for _time in range(2):
        Notification.objects.bulk_update(rows, ["to_mail", "to_mail_since", "mailed_count"])
        [message] = turn()
        ids.add(message.message()["Message-ID"])
    assert len(ids) == 1


def test_nothing_of_a_sent_mail_is_left(told, clock, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    clock.shift(timedelta(minutes=10))
    mail_what_is_due.call()
    path = "notifications.mail.sending.send_bundle"
    assert DBTaskResult.objects.filter(task_path=path).exists()
    run_jobs()
    assert not DBTaskResult.objects.filter(task_path=path).exists()


def test_an_error_of_one_mail_holds_up_nobody_and_loses_nothing(told, clock, olga, ed, vera, monkeypatch):
    for user in (ed, vera):
        assign(actor=web(olga), card_id=told.pk, user_id=user.pk)
    run_jobs()
    right = sending.message

    def wrong(user, *others):
        if user.pk == ed.pk:
            raise RuntimeError("broken")
        return right(user, *others)

    monkeypatch.setattr(sending, "message", wrong)
    assert [message.to for message in later(clock, minutes=10)] == [["vera@example.com"]]
    assert later(clock, minutes=1) == []
    monkeypatch.setattr(sending, "message", right)
    assert [message.to for message in later(clock, minutes=10)] == [["ed@example.com"]]


def test_looking_for_due_mails_writes_nothing(told, clock, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    with CaptureQueriesContext(connection) as captured:
        assert not is_anything_due()
    assert [query["sql"][:6] for query in captured] == ["SELECT", "SELECT"]


# When the mail server did not take them at once


@pytest.fixture
def waiting(told, clock, olga, ed, monkeypatch):
    """A mail to Ed, which the mail server takes at the next try."""
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    clock.shift(timedelta(minutes=10))
    with monkeypatch.context() as away:
        away.setattr(f"{django_settings.EMAIL_BACKEND}.send_messages", fail)
        assert turn() == []
    return told


def fail(backend, messages):
    raise SMTPServerDisconnected


def test_a_mail_that_waits_for_another_try_arrives_as_it_was_written(waiting, clock):
    [message] = later(clock, minutes=2)
    assert (message.to, message.subject) == (
        ["ed@example.com"],
        "[Taskboard] Olga assigned you to Write the announcement #1",
    )
    assert later(clock, minutes=20) == []


def test_a_mail_that_waits_for_another_try_goes_to_the_address_that_the_account_has_then(waiting, clock, ed):
    type(ed).objects.filter(pk=ed.pk).update(email="new@example.com")
    EmailAddress.objects.filter(user=ed).update(email="new@example.com")
    [message] = later(clock, minutes=2)
    assert message.to == ["new@example.com"]
    assert "Olga assigned you" in message.body
    assert Client().post(stop_link(message)).status_code == 200
    assert later(clock, minutes=20) == []


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("who", ["unconfirmed", "deactivated", "unsubscribed", "removed", "read", "turned off"])
def test_a_mail_that_waits_for_another_try_does_not_reach(waiting, clock, olga, ed, who):
    match who:
        case "removed":
            remove_member(actor=web(olga), board_id=waiting.board_id, user_id=ed.pk)
        case "read":
            mark_all_read(Reader(ed), None, timezone.now())
        case _:
            take_mails_from(ed, who)
    assert later(clock, minutes=2) == []
    assert not DBTaskResult.objects.filter(status="READY").exists()


def test_what_is_told_while_a_mail_waits_for_another_try_is_in_the_next_one(burst, clock, monkeypatch):
    clock.shift(timedelta(minutes=3))
    with monkeypatch.context() as away:
        away.setattr(f"{django_settings.EMAIL_BACKEND}.send_messages", fail)
        turn()
    burst("Three", "Four", "Five")
    [first] = later(clock, minutes=2)
    assert "2 changes" in first.body
    [second] = later(clock, minutes=8)
    assert "3 changes" in second.body


def test_of_a_mail_that_waits_for_another_try_the_rest_is_sent_where_a_board_is_lost(
    told, clock, olga, ed, monkeypatch
):
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    there = create_list(actor=web(olga), board_id=other.pk, title="There")
    create_card(actor=web(olga), list_id=there.pk, title="Elsewhere", assignee_ids=[ed.pk])
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    clock.shift(timedelta(minutes=10))
    with monkeypatch.context() as away:
        away.setattr(f"{django_settings.EMAIL_BACKEND}.send_messages", fail)
        turn()
    remove_member(actor=web(olga), board_id=other.pk, user_id=ed.pk)
    [message] = later(clock, minutes=2)
    assert message.subject == "[Taskboard] Olga assigned you to Write the announcement #1"
    assert "Elsewhere" not in message.body


# The link that stops them


def stop_link(message) -> str:
    return re.search(r"/notification-mails/[^\s>]+", message.extra_headers["List-Unsubscribe"])[0]


@pytest.fixture
def message(told, clock, olga, ed):
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    [found] = later(clock, minutes=10)
    return found


def test_one_click_stops_the_mails_without_a_session(message, told, clock, client, olga, ed):
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    mail_program = Client(enforce_csrf_checks=True)
    assert mail_program.post(stop_link(message), {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Habits.objects.get(user=ed).mails
    add_comment(actor=web(olga), card_id=told.pk, text=f"[@Ed](mention:{ed.pk})")
    run_jobs()
    assert later(clock, minutes=10) == []


def test_looking_at_the_link_changes_nothing(message, client, ed):
    for method in (client.get, client.head):
        assert method(stop_link(message)).status_code == 200
    assert "Stop notification emails?" in client.get(stop_link(message)).content.decode()
    assert not Habits.objects.filter(user=ed, mails=False).exists()


def test_stopping_is_taken_back_and_kinds_are_kept_on_that_page(message, client, ed):
    address = stop_link(message)
    assert "Notification emails are off" in client.post(address).content.decode()
    assert "Notification emails are on" in client.post(address, {"do": "resume"}).content.decode()
    assert Habits.objects.get(user=ed).mails
    client.post(address)
    client.post(address, {"do": "keep", "kind": ["mentioned", "nonsense"]})
    assert Habits.objects.get(user=ed).mails
    assert dict(Way.objects.filter(user=ed, kind__in=["mentioned", "assigned"]).values_list("kind", "mail")) == {
        "assigned": "off"
    }


def test_a_link_that_is_not_ours_tells_and_does_nothing(message, client, ed):
    right = stop_link(message)
    wrong = [right[:-1] + ("A" if right[-1] != "A" else "B"), "/notification-mails/nonsense"]
    pages = [client.post(address) for address in wrong]
    type(ed).objects.filter(pk=ed.pk).update(email="new@example.com")
    pages.append(client.post(right))
    type(ed).objects.filter(pk=ed.pk).update(email="ed@example.com", is_active=False)
    pages.append(client.post(right))
    assert {page.status_code for page in pages} == {404}
    assert len({text_of(page) for page in pages}) == 1
    assert not Habits.objects.filter(mails=False).exists()


def test_a_link_of_one_account_stops_no_other(message, client, vera):
    client.force_login(vera)
    client.post(stop_link(message))
    assert list(Habits.objects.filter(mails=False).values_list("user__email", flat=True)) == ["ed@example.com"]


def test_an_account_that_wants_no_mails_gets_no_mail_about_an_invitation(told, clock, board, olga, settings):
    stan = person("stan2")
    confirm(stan)
    Habits.objects.create(user=stan, mails=False)
    browser(olga).post(f"/board/{board.pk}/invitations", {"email": stan.email, "role": "viewer"})
    run_jobs()
    assert mail.outbox == []


# Reminders


def remind(user, card, when: str, mail: str) -> None:
    row = Notification(user=user, kind=Kind.DUE, board_id=card.board_id, card_id=card.pk, group_key="due")
    row.data, row.to_mail, row.to_mail_since = {"when": when}, mail, timezone.now()
    row.save()


@pytest.mark.parametrize(
    "due, words",
    [
        ("2026-05-05T15:00:00+00:00", "- Due today"),  # it was tomorrow when the reminder came
        ("2026-05-05T08:00:00+00:00", "- Overdue"),
        ("2026-05-06T08:00:00+00:00", "- Due tomorrow"),
        ("2026-05-09T08:00:00+00:00", None),
        (None, None),
    ],
)
def test_a_reminder_says_what_is_right_when_it_is_mailed(told, clock, olga, ed, due, words):
    want(ed, Kind.DUE, "daily")
    choose(ed, told, Level.CARD, "follow")
    update_card(actor=web(olga), card_id=told.pk, due_at=datetime.fromisoformat(due) if due else None)
    run_jobs()
    remind(ed, told, "day", mail="daily")
    found = later(clock, days=1)
    assert [words in message.body for message in found] == ([True] if words else [])


def test_a_reminder_of_what_is_done_is_not_mailed(told, clock, olga, ed):
    want(ed, Kind.DUE, "now")
    choose(ed, told, Level.CARD, "follow")
    update_card(actor=web(olga), card_id=told.pk, due_at=NOON + timedelta(minutes=30))
    complete_card(actor=web(olga), card_id=told.pk)
    run_jobs()
    remind(ed, told, "hour", mail="now")
    assert later(clock, minutes=10) == []


@pytest.mark.parametrize("due", [{"due_at": NOON + timedelta(hours=8)}, {"due_day": NOON.date()}])
def test_a_reminder_of_a_card_that_was_put_off_to_the_evening_is_not_mailed_as_due_in_an_hour(
    told, clock, olga, ed, due
):
    want(ed, Kind.DUE, "now")
    choose(ed, told, Level.CARD, "follow")
    update_card(actor=web(olga), card_id=told.pk, due_at=NOON + timedelta(hours=1))
    remind(ed, told, "hour", mail="now")
    update_card(actor=web(olga), card_id=told.pk, **due)
    run_jobs()
    [message] = later(clock, minutes=10)
    assert "- Due today" in message.body


@pytest.mark.parametrize("how", ["unassigned", "muted"])
def test_a_reminder_is_not_mailed_to_who_is_not_concerned_any_more(told, clock, olga, ed, how):
    Habits.objects.create(user=ed, follow_assigned=False)
    want(ed, Kind.ASSIGNED, "off")
    want(ed, Kind.DUE, "now")
    update_card(actor=web(olga), card_id=told.pk, due_at=NOON + timedelta(minutes=30))
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    remind(ed, told, "hour", mail="now")
    if how == "unassigned":
        unassign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    else:
        choose(ed, told, Level.CARD, "mute")
    run_jobs()
    assert later(clock, minutes=10) == []


def test_a_reminder_is_mailed_to_who_is_assigned_or_follows(told, clock, olga, ed, vera):
    for user in (ed, vera):
        want(user, Kind.ASSIGNED, "off")
        want(user, Kind.DUE, "now")
        Habits.objects.create(user=user, follow_assigned=False)
    update_card(actor=web(olga), card_id=told.pk, due_at=NOON + timedelta(minutes=30))
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    choose(vera, told.board, Level.BOARD, "follow")
    run_jobs()
    for user in (ed, vera):
        remind(user, told, "hour", mail="now")
    assert sorted(message.to for message in later(clock, minutes=10)) == [[ed.email], [vera.email]]


@pytest.mark.parametrize("what", ["list", "board"])
def test_a_reminder_of_a_card_whose_list_or_board_is_archived_by_then_is_not_mailed(told, clock, olga, ed, what):
    want(ed, Kind.DUE, "now")
    choose(ed, told, Level.CARD, "follow")
    update_card(actor=web(olga), card_id=told.pk, due_at=NOON + timedelta(minutes=30))
    run_jobs()
    remind(ed, told, "hour", mail="now")
    if what == "list":
        archive_list(actor=web(olga), list_id=told.list_id)
    else:
        archive_board(actor=web(olga), board_id=told.board_id)
    run_jobs()
    assert later(clock, minutes=10) == []


def test_a_reminder_of_a_card_that_is_now_due_at_the_end_of_9999_holds_up_no_mail(told, clock, olga, ed):
    ed.time_zone = "Asia/Tokyo"  # where that is in the year 10000
    ed.save(update_fields=["time_zone"])
    want(ed, Kind.DUE, "now")
    update_card(actor=web(olga), card_id=told.pk, due_at=datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
    remind(ed, told, "hour", mail="now")
    add_comment(actor=web(olga), card_id=told.pk, text=f"[@Ed](mention:{ed.pk}) please answer")
    run_jobs()
    [message] = later(clock, minutes=10)
    assert "please answer" in message.body


def test_what_people_choose_reaches_a_mail_server(told, clock, olga, ed, settings, mail_server):
    """Over SMTP, as the worker sends it: both parts, and the headers by which mail programs unsubscribe."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = *mail_server.server_address, False
    assign(actor=web(olga), card_id=told.pk, user_id=ed.pk)
    run_jobs()
    later(clock, minutes=10)
    [received] = mail_server.received
    message = email.message_from_bytes(received, policy=email.policy.default)
    assert message["To"] == "ed@example.com"
    assert message["Subject"] == "[Taskboard] Olga assigned you to Write the announcement #1"
    assert message["List-Unsubscribe"].strip().startswith(f"<{django_settings.BASE_URL}/notification-mails/")
    assert "Olga assigned you" in message.get_body(("plain",)).get_content()
    assert "<b>Olga</b> assigned you" in message.get_body(("html",)).get_content()
