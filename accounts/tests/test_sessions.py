"""Sessions: their list on /settings/security, and what ends one."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import BACKEND_SESSION_KEY, get_user
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.sign_in.sessions.browser_sessions import end_one, sessions_of
from accounts.sign_in.sessions.store import FORMER_BACKEND, SessionStore
from accounts.tests.conftest import PASSWORD, is_signed_in, sign_in
from accounts.tests.factors import STEP, add_app, at_second_step, codes_of
from accounts.tests.test_recovery import reset_password
from core.bus.access_check import ACCESS_CHECK
from operating.tidying import tidy
from security.models import BrowserSession, SecurityEvent
from taskboard.tests.admin_pages import act
from web.tests.browsing import browser, text_of

SECURITY = "/settings/security"
ELSEWHERE = f"{SECURITY}/sessions/end"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
NEW = "plum tart on sunday"


@pytest.fixture
def page(client, olga):
    sign_in(client, olga.email)
    return client


@pytest.fixture
def other(olga, page):
    """Olga's other browser."""
    client = Client(headers={"user-agent": FIREFOX}, REMOTE_ADDR="192.0.2.7")
    sign_in(client, olga.email)
    return client


def row_of(client: Client) -> BrowserSession:
    return BrowserSession.objects.get(session=client.session.session_key)


def listed(client: Client) -> list[str]:
    """Return the headings of the listed sessions."""
    part = client.get(SECURITY).text.partition('id="sessions"')[2].partition("</section>")[0]
    headings = re.findall(r"<h3>(.*?)</h3>", part, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", heading).split()) for heading in headings]


def end(client: Client, row: BrowserSession):
    return client.post(reverse("end_session", args=[row.pk]))


def test_this_browser_is_listed_first_with_browser_address_time_and_way(page, other):
    words = text_of(page.get(SECURITY))
    assert listed(page)[0].endswith("this browser")
    assert listed(page)[1] == "Firefox on Windows"
    assert re.search(r"Firefox on Windows IP address 192\.0\.2\.7 Signed in \S+.* By password Last used", words)
    assert "Sign out everywhere else" in words
    assert listed(other)[0] == "Firefox on Windows this browser"


def test_one_session_alone_has_nothing_to_sign_out_elsewhere(page):
    assert "Sign out everywhere else" not in text_of(page.get(SECURITY))


def test_a_session_ends_elsewhere_at_once_and_is_gone_from_the_store(page, other, told, olga):
    ended = row_of(other)
    assert told(lambda: end(page, ended)) == [(f"user.{olga.pk}", ACCESS_CHECK)]
    assert "“Firefox on Windows” is signed out." in text_of(page.get(SECURITY))
    assert not Session.objects.filter(pk=ended.session_id).exists()
    assert not is_signed_in(other)
    assert is_signed_in(page)
    event = SecurityEvent.objects.get(kind="sessions-ended")
    assert (event.user, event.details) == (olga, {"browser": "Firefox on Windows"})


def test_ending_this_session_signs_out(page):
    answer = end(page, row_of(page))
    assert answer["Location"] == "/sign-in"
    assert answer["Clear-Site-Data"]
    assert not is_signed_in(page)
    assert not BrowserSession.objects.exists()


def test_sessions_of_others_are_not_there(page, ed):
    his = browser(ed)
    assert end(page, row_of(his)).status_code == 404
    assert is_signed_in(his)
    assert not SecurityEvent.objects.filter(kind="sessions-ended").exists()


def test_ending_it_twice_is_404_the_second_time(page, other):
    ended = row_of(other)
    end(page, ended)
    assert end(page, ended).status_code == 404


def test_signing_out_everywhere_else_keeps_this_session_alone(page, other):
    page.post(ELSEWHERE)
    assert is_signed_in(page)
    assert not is_signed_in(other)
    assert [row.session_id for row in BrowserSession.objects.all()] == [page.session.session_key]
    assert Session.objects.count() == 1


@pytest.mark.parametrize("change", ["password", "factor"])
def test_a_change_gives_the_session_a_new_key_and_keeps_its_row(page, other, change):
    before, key = row_of(page), page.session.session_key
    if change == "password":
        page.post("/settings/password", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    else:
        add_app(page)
    assert page.session.session_key != key
    assert row_of(page).pk == before.pk
    assert row_of(page).began_at == before.began_at
    assert BrowserSession.objects.count() == Session.objects.count() == 1


@pytest.mark.parametrize("end_all", ["command", "reset", "admin", "deactivated", "by operator"])
def test_what_recovers_or_closes_an_account_leaves_no_session_in_the_store(page, other, olga, otto, end_all, request):
    operator = browser(otto)
    if end_all == "command":
        call_command("adduser", olga.email, "--password", NEW)
    elif end_all == "reset":
        request.getfixturevalue("_mail_server")
        reset_password(Client(), olga.email)
    elif end_all == "admin":
        fields = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
        operator.post(reverse("admin:auth_user_password_change", args=[olga.pk]), fields)
    else:
        act(operator, "deactivate" if end_all == "deactivated" else "sign_out", olga)
    olga.refresh_from_db()
    assert not [row for row in BrowserSession.objects.filter(user=olga) if row.way != "reset"]
    assert len(sessions_of(olga)) == (end_all == "reset")
    assert not is_signed_in(page)
    assert is_signed_in(operator)


def test_operators_who_set_their_own_password_stay_signed_in(otto):
    operator = browser(otto)
    fields = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
    operator.post(reverse("admin:auth_user_password_change", args=[otto.pk]), fields)
    assert is_signed_in(operator)
    otto.refresh_from_db()
    assert len(sessions_of(otto)) == 1


def test_the_way_of_signing_in_is_told(page, olga):
    add_app(page)
    newcomer = at_second_step(olga.email)
    newcomer.post(STEP, {"code": codes_of(olga)[0]})
    assert row_of(newcomer).get_way_display() == "password and second step"


def test_a_sign_in_over_another_session_leaves_one_row(page, ed):
    sign_in(page, ed.email)
    page.post("/sign-out")
    sign_in(page, ed.email)
    assert [row.user for row in BrowserSession.objects.all()] == [ed]


def test_an_account_has_at_most_a_hundred_sessions(olga, monkeypatch):
    monkeypatch.setattr("accounts.sign_in.sessions.browser_sessions.MOST", 3)
    clients = []
    for day in range(4):
        with time_machine.travel(timezone.now() + timedelta(days=day)):
            clients.append(browser(olga))
    assert [is_signed_in(client) for client in clients] == [False, True, True, True]


def test_a_session_of_before_appears_when_it_is_used(page, olga):
    store = page.session
    del store["listed"]
    store.save()
    BrowserSession.objects.all().delete()
    assert sessions_of(olga) == []
    words = text_of(page.get(SECURITY))
    assert "this browser" in words
    [row] = sessions_of(olga)
    assert (row.began_at, row.way) == (None, "")
    page.get(SECURITY)
    assert len(sessions_of(olga)) == 1


def test_its_use_address_and_browser_are_noted_once_a_day(page):
    began = row_of(page)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        page.get(SECURITY, REMOTE_ADDR="192.0.2.9")
        assert row_of(page).used_at == began.used_at
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        page.get(SECURITY, REMOTE_ADDR="192.0.2.9", headers={"user-agent": FIREFOX})
        used = row_of(page)
    assert used.used_at > began.used_at
    assert (used.address, used.name) == ("192.0.2.9", "Firefox on Windows")


def test_a_session_that_another_browser_ended_does_not_come_back_with_a_new_key(page, other, olga):
    """The other browser is in the middle of a request that changes its key."""
    store = SessionStore(other.session.session_key)
    assert store.get("_auth_user_id")
    end(page, row_of(other))
    store.cycle_key()
    assert store.is_empty()
    assert store.session_key is None
    assert Session.objects.count() == 1


def test_a_session_is_ended_under_the_key_that_it_has_now(page, other, olga):
    ended = row_of(other)
    SessionStore(other.session.session_key).cycle_key()
    end_one(olga, ended.pk)
    assert [row.session_id for row in sessions_of(olga)] == [page.session.session_key]
    assert Session.objects.count() == 1


def test_a_use_that_comes_with_its_end_brings_nothing_back(page, other):
    store = SessionStore(other.session.session_key)
    store.load()
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        end(page, row_of(other))
        assert not is_signed_in(other)
    assert BrowserSession.objects.count() == 1


def test_expired_sessions_are_not_listed_and_their_rows_are_tidied(page, other, olga):
    Session.objects.filter(pk=other.session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))
    assert len(sessions_of(olga)) == 1
    BrowserSession.objects.create(user=olga, session_id="left-over", used_at=timezone.now())
    assert tidy()["rows of sessions that are gone"] == 1
    assert [row.session_id for row in BrowserSession.objects.all()] == [page.session.session_key]


def test_a_session_that_the_account_has_outlived_is_not_listed(page, other, olga):
    olga.set_password(NEW)
    olga.save()
    assert sessions_of(olga) == []


def test_an_ordinary_page_takes_no_statement_more(page, django_assert_num_queries):
    page.get("/settings/profile")
    with django_assert_num_queries(2):  # session, account
        page.get("/settings/password")


class EndsMeanwhile:
    """Middleware, behind that of sessions: another browser ends the session while the view works with it."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        answer = self.get_response(request)
        if "HTTP_X_END" in request.META:
            Session.objects.all().delete()
            request.session["touched"] = True
        return answer


@pytest.fixture
def ending(settings, olga) -> Client:
    at = settings.MIDDLEWARE.index("taskboard.page_middleware.Sessions") + 1
    name = "accounts.tests.test_sessions.EndsMeanwhile"
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:at], name, *settings.MIDDLEWARE[at:]]
    client = Client(headers={"x-end": "1"}, raise_request_exception=False)
    client.force_login(olga)
    return client


def test_a_form_whose_session_ends_while_it_is_answered_leads_to_the_sign_in(ending, board):
    answer = ending.post(f"/board/{board.pk}/title", {"board-title": "Landing"})
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/sign-in")


def test_a_page_whose_session_ends_meanwhile_leads_back_to_it_after_the_sign_in(ending):
    assert ending.get("/settings/profile")["Location"] == "/sign-in?next=/settings/profile"


def test_a_part_of_a_page_whose_session_ends_meanwhile_says_so(ending, board):
    answer = ending.post(f"/board/{board.pk}/title", {"board-title": "Landing"}, headers={"hx-request": "true"})
    assert answer.status_code == 401
    assert "You are signed out" in answer.text


def test_the_session_and_its_user_take_two_statements(page, olga, rf, django_assert_num_queries):
    request = rf.get("/")
    request.session = SessionStore(page.session.session_key)
    with django_assert_num_queries(2) as asked:
        assert get_user(request) == olga
    assert " this WHERE this.id = " in asked[1]["sql"]  # fixed (core/sql.py)


def test_a_session_that_began_with_the_former_backend_goes_on(page, olga):
    session = page.session
    session[BACKEND_SESSION_KEY] = FORMER_BACKEND
    session.save()
    assert is_signed_in(page)


def test_a_cookie_with_what_no_key_has_is_nobodys(client, db):
    assert client.get("/settings/profile", headers={"cookie": r'sessionid="abcdefgh\000"'}).status_code == 302


def test_the_session_of_a_deactivated_account_has_no_user(page, olga):
    type(olga).objects.filter(pk=olga.pk).update(is_active=False)
    assert not is_signed_in(page)
