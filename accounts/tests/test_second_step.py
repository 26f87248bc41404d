"""The second step of signing in: codes of an app, recovery codes; what ends a step that is waiting."""

import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.test import Client

from accounts.models import User
from accounts.recovery import deactivate, end_sessions
from accounts.sign_in.sessions.known_browsers import cookie_name, learn, write_to
from accounts.tests.conftest import _mail_server, at_once, is_signed_in, page, sign_in
from accounts.tests.factors import STEP, add_app, at_second_step, clock, codes_of, secret
from accounts.tests.test_recovery import reset_password
from security.models import SecurityEvent
from taskboard.tests.authenticator import code_of
from web.tests.browsing import text_of

__all__ = ["_mail_server", "clock", "page", "secret"]


def enter(client: Client, code: str, **more: str):
    return client.post(STEP, {"code": code, **more})


def test_without_a_second_factor_the_password_signs_in(client, olga):
    assert sign_in(client, olga.email)["Location"] == "/"
    assert is_signed_in(client)


def test_the_password_alone_does_not_sign_in(olga, secret):
    browser = at_second_step(olga.email)
    assert not is_signed_in(browser)
    assert browser.get(STEP).status_code == 200


def test_the_code_of_the_app_signs_in_and_leads_where_one_wanted_to_go(olga, secret):
    browser = at_second_step(olga.email, next="/settings/profile")
    assert enter(browser, code_of(secret))["Location"] == "/settings/profile"
    assert is_signed_in(browser)


@pytest.mark.parametrize("typed", ["{a} {b}", "{a}-{b}", " {a}{b} "])
def test_codes_may_have_spaces_and_dashes(olga, secret, typed):
    code = code_of(secret)
    enter(browser := at_second_step(olga.email), typed.format(a=code[:3], b=code[3:]))
    assert is_signed_in(browser)


def test_codes_may_have_wide_digits(olga, secret):
    wide = code_of(secret).translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)})
    enter(browser := at_second_step(olga.email), wide)
    assert is_signed_in(browser)


@pytest.mark.parametrize(
    "late, signs_in", [(-60, False), (-30, True), (0, True), (30, True), (60, False)], ids=lambda value: str(value)
)
def test_a_clock_may_be_wrong_by_one_period_either_way(olga, secret, late, signs_in):
    browser = at_second_step(olga.email)
    enter(browser, code_of(secret, time.time() + late))
    assert is_signed_in(browser) == signs_in


def test_a_code_to_sign_in_with_has_the_name_that_its_errors_use(olga, secret):
    answer = at_second_step(olga.email).get(STEP, headers={"Accept-Language": "zh-Hans"})
    assert text_of(answer).count("验证码") == 2  # the label and its help


def test_a_wrong_code_is_refused_in_words(olga, secret):
    answer = enter(browser := at_second_step(olga.email), "000000")
    assert answer.status_code == 422
    assert "Incorrect code." in text_of(answer)
    assert not is_signed_in(browser)
    event = SecurityEvent.objects.filter(kind="second-step-failed").get()
    assert (event.user, event.details) == (olga, {"via": "code"})


@pytest.mark.parametrize("typed", ["", " ", "12345", "1" * 51, "½½½½½½", "abcdef", "٠١٢٣٤٥", "0" * 10])
def test_what_is_no_code_is_refused(olga, secret, typed):
    browser = at_second_step(olga.email)
    assert enter(browser, typed).status_code == 422
    assert not is_signed_in(browser)


@pytest.mark.parametrize("later", [0, 10, 29, 31, 44])
def test_a_code_is_accepted_once(olga, secret, clock, later):
    code = code_of(secret, time.time() + 30)  # of a phone whose clock is ahead: it is near enough for longest
    enter(at_second_step(olga.email), code)
    clock.shift(later)
    enter(again := at_second_step(olga.email), code)
    assert not is_signed_in(again)


def test_no_code_from_before_the_last_one_is_accepted(olga, secret):
    former = code_of(secret, time.time() - 30)
    enter(at_second_step(olga.email), code_of(secret))
    enter(again := at_second_step(olga.email), former)
    assert not is_signed_in(again)


def test_the_code_that_set_the_app_up_does_not_sign_in(page, olga):
    secret, _answer = add_app(page)
    enter(browser := at_second_step(olga.email), code_of(secret))
    assert not is_signed_in(browser)


@pytest.mark.usefixtures("_mail_server")
def test_a_recovery_code_signs_in_once_and_is_told(olga, secret):
    EmailAddress.objects.create(user=olga, email=olga.email, verified=True, primary=True)
    code = codes_of(olga)[3]
    enter(browser := at_second_step(olga.email), code)
    assert "You have 9 left." in text_of(browser.get("/"))
    told, _of_the_sign_in = mail.outbox[-2:]
    assert (told.to, told.subject) == ([olga.email], "[Taskboard] A recovery code was used")
    assert "9 codes are left" in told.body.replace("\n", " ")
    assert code not in told.body
    enter(again := at_second_step(olga.email), code)
    assert not is_signed_in(again)
    enter(another := at_second_step(olga.email), codes_of(olga)[4].replace(" ", ""))
    assert is_signed_in(another)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_of_two_that_use_a_code_at_once_exactly_one_wins(olga, page, clock, kind, settings):
    settings.LIMITS = None
    secret, _answer = add_app(page)
    clock.shift(90)
    code = code_of(secret) if kind == "app" else codes_of(olga)[0]
    browsers = [at_second_step(olga.email) for _number in range(4)]
    queue = iter(browsers)
    at_once(4, lambda: enter(next(queue), code))
    assert [is_signed_in(browser) for browser in browsers].count(True) == 1


def test_cancelling_leads_back_and_forgets_the_password(olga, secret):
    browser = at_second_step(olga.email)
    assert browser.post(STEP, {"cancel": ""})["Location"] == "/sign-in"
    assert enter(browser, code_of(secret))["Location"] == "/sign-in"
    assert not is_signed_in(browser)


def test_cancelling_keeps_where_one_wanted_to_go(olga, secret):
    browser = at_second_step(olga.email, next="/cli?code=BCDF-GHJK")
    assert browser.post(STEP, {"cancel": ""})["Location"] == "/sign-in?next=/cli%3Fcode%3DBCDF-GHJK"


@pytest.mark.parametrize("why", ["late", "password"])
def test_a_step_that_ends_without_an_answer_keeps_where_one_wanted_to_go(olga, secret, clock, why):
    browser = at_second_step(olga.email, next="/cli?code=BCDF-GHJK")
    if why == "late":
        clock.shift(16 * 60)
    else:
        olga.set_password("plum tart on sunday")
        olga.save()
    assert enter(browser, code_of(secret))["Location"] == "/sign-in?next=/cli%3Fcode%3DBCDF-GHJK"


def test_what_one_opens_while_a_step_waits_is_where_it_leads(olga, secret):
    browser = at_second_step(olga.email)
    assert browser.get("/sign-in", {"next": "/cli?code=BCDF-GHJK"})["Location"] == STEP
    assert enter(browser, code_of(secret))["Location"] == "/cli?code=BCDF-GHJK"


@pytest.mark.parametrize("address", ["https://example.com/", "//example.com/"])
def test_a_step_that_waits_is_led_to_no_other_site(olga, secret, address):
    browser = at_second_step(olga.email, next="/settings/profile")
    browser.get("/sign-in", {"next": address})
    assert enter(browser, code_of(secret))["Location"] == "/settings/profile"


def test_without_a_password_before_it_the_step_leads_to_the_beginning(secret):
    client = Client()
    assert client.get(STEP)["Location"] == "/sign-in"
    assert enter(client, code_of(secret))["Location"] == "/sign-in"


@pytest.mark.parametrize("change", ["password", "sessions", "deactivated"])
def test_a_waiting_step_ends_with_what_it_was_begun_with(olga, secret, change):
    browser = at_second_step(olga.email)
    olga.refresh_from_db()
    if change == "password":
        olga.set_password("plum tart on sunday")
        olga.save()
    elif change == "sessions":
        end_sessions(olga)
    else:
        deactivate(olga)
    assert enter(browser, code_of(secret))["Location"] == "/sign-in"
    assert not is_signed_in(browser)


def test_a_waiting_step_lasts_fifteen_minutes(olga, secret, clock):
    browser = at_second_step(olga.email)
    clock.shift(16 * 60)
    assert enter(browser, code_of(secret))["Location"] == "/sign-in"


@pytest.mark.usefixtures("_mail_server")
def test_a_reset_of_the_password_does_not_pass_the_second_step(olga, secret, clock):
    clock.shift(8 * 24 * 60 * 60)
    client = Client()
    client.post("/password/reset", {"email": olga.email})
    path = next(word for word in mail.outbox[-1].body.split() if "/password/reset/" in word)
    form = client.get("/password" + path.partition("/password")[2])["Location"]
    new = "another horse entirely"
    assert client.post(form, {"password1": new, "password2": new})["Location"] == STEP
    assert not is_signed_in(client)
    assert Authenticator.objects.filter(user=olga, type="totp").exists()
    enter(client, code_of(secret))
    assert is_signed_in(client)


@pytest.mark.usefixtures("_mail_server")
def test_a_reset_in_a_browser_that_is_signed_in_leads_to_the_second_step_too(page, olga, secret, clock):
    clock.shift(8 * 24 * 60 * 60)
    reset_password(page, olga.email)
    assert not is_signed_in(page)
    enter(page, code_of(secret))
    assert is_signed_in(page)


def test_a_wrong_password_is_answered_alike_with_and_without_a_factor(ed, olga, secret):
    answers = [sign_in(Client(), email, "wrong") for email in (ed.email, olga.email, "nobody@example.com")]
    assert {answer.status_code for answer in answers} == {200}
    assert len({text_of(answer) for answer in answers}) == 1


# Limits


def known_to(user: User) -> Client:
    """Return a browser in which the user signed in before."""
    request, response = HttpRequest(), HttpResponse()
    learn(request, user)
    write_to(response, request)
    browser = Client()
    browser.cookies[cookie_name()] = response.cookies[cookie_name()].value
    return browser


def statuses(browser: Client, times: int) -> list[int]:
    return [enter(browser, "000000").status_code for _number in range(times)]


def unknown_to(olga, **more: str) -> Client:
    return at_second_step(olga.email, Client(**more))


def test_five_wrong_codes_are_answered_whatever_the_browser(stopped_clock, olga, secret):
    browsers = [unknown_to(olga) for _number in range(6)]
    assert [enter(browser, "000000").status_code for browser in browsers] == [422] * 5 + [429]
    refused = enter(browsers[0], code_of(secret))
    assert refused.status_code == 429, "a right one is not let in either"
    assert int(refused["Retry-After"]) >= 1


def test_all_addresses_together_have_twenty_an_hour(stopped_clock, olga, secret):
    answers = [enter(unknown_to(olga, REMOTE_ADDR=f"203.0.113.{number}"), "000000").status_code for number in range(21)]
    assert answers == [422] * 20 + [429]


def test_who_had_the_former_password_spent_no_tries_of_the_new_one(stopped_clock, olga, secret):
    for number in range(20):
        enter(unknown_to(olga, REMOTE_ADDR=f"203.0.113.{number}"), "000000")
    assert enter(unknown_to(olga), code_of(secret)).status_code == 429
    olga.set_password(NEW := "another horse entirely")
    olga.save()
    browser = Client()
    sign_in(browser, olga.email, NEW)
    enter(browser, code_of(secret, time.time() + 30))
    assert is_signed_in(browser)


def test_one_address_has_twenty_for_all_accounts(stopped_clock, olga, secret, settings):
    settings.LIMITS = {**settings.LIMITS, "second-step-address": "2/10m"}
    assert statuses(unknown_to(olga), 3) == [422, 422, 429]


def test_the_own_browser_is_not_locked_out_by_others(olga, secret):
    for number in range(20):
        enter(unknown_to(olga, REMOTE_ADDR=f"203.0.113.{number}"), "000000")
    own = at_second_step(olga.email, known_to(olga))
    enter(own, code_of(secret, time.time() + 30))
    assert is_signed_in(own)


def test_a_right_code_begins_the_count_anew(olga, secret, clock):
    browser = unknown_to(olga)
    statuses(browser, 4)
    enter(browser, code_of(secret))
    assert is_signed_in(browser)
    clock.shift(60)
    assert statuses(unknown_to(olga), 5) == [422] * 5


def test_a_flood_of_codes_is_in_the_log_once_as_a_limit(olga, secret):
    statuses(unknown_to(olga), 30)
    events = SecurityEvent.objects.filter(user=olga)
    assert events.filter(kind="second-step-failed").count() == 5
    assert events.get(kind="limit-reached").details["limit"] == "second-step"


def test_the_page_of_the_step_takes_a_fixed_number_of_statements(olga, secret, django_assert_num_queries):
    browser = at_second_step(olga.email)
    with django_assert_num_queries(3):  # session, account, factors
        browser.get(STEP)
