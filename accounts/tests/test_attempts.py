"""Passwords can be tried a bounded number of times, and nobody can lock others out."""

import pytest
import time_machine
from django.core import mail
from django.core.cache import caches
from django.test import Client

from accounts.tests.conftest import PASSWORD, at_once, is_signed_in, sign_in
from security.models import SecurityEvent
from web.tests.browsing import text_of

CONTROL_CHARACTER = r'"{pk}:\177"'  # as cookies write it; newer versions of Python refuse to set it


@pytest.fixture(autouse=True)
def clock():
    """Stop the clock, so that no window ends during a test."""
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        yield clock


def elsewhere(number: int) -> Client:
    """A browser at another address, of the same site for 250 of them."""
    return Client(REMOTE_ADDR=f"198.51.{number // 250}.{number % 250}")


def try_often(client: Client, email: str, times: int = 6) -> list[int]:
    return [sign_in(client, email, "wrong").status_code for _time in range(times)]


def attack(email: str, first: int = 1, addresses: int = 8) -> int:
    """Try wrong passwords from addresses that are more than the limits allow. Return how many were checked."""
    return sum(try_often(elsewhere(number), email, 6).count(200) for number in range(first, first + addresses))


@pytest.fixture
def known(olga) -> Client:
    """The browser in which Olga signed in last time."""
    client = Client(REMOTE_ADDR="203.0.113.1")
    sign_in(client, olga.email)
    client.post("/sign-out")
    assert not is_signed_in(client)
    return client


def test_the_sixth_wrong_password_within_minutes_is_refused_even_when_right(client, olga):
    assert try_often(client, olga.email, 5) == [200] * 5
    answer = sign_in(client, olga.email)
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 300
    assert "Too many requests. Wait" in text_of(answer)
    assert not is_signed_in(client)


def test_an_unknown_address_is_refused_in_the_same_way(client, olga):
    unknown = try_often(client, "nobody@example.com", 7)
    assert unknown == try_often(elsewhere(1), olga.email, 7) == [200] * 5 + [429] * 2


def test_after_the_wait_the_right_password_is_taken(client, olga, clock):
    try_often(client, olga.email)
    clock.shift(int(sign_in(client, olga.email)["Retry-After"]) + 1)
    sign_in(client, olga.email)
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "host", ["testserver:2000", "localhost", "127.0.0.1:1", "[::1]:99", "LOCALHOST:3"], ids=lambda host: host
)
def test_another_host_name_does_not_begin_the_count_anew(client, olga, host):
    try_often(client, olga.email, 5)
    answer = client.post("/sign-in", {"login": olga.email, "password": PASSWORD}, headers={"host": host})
    assert answer.status_code == 429


@pytest.mark.parametrize("written", ["OLGA@example.com", " olga@example.com ", "oLGa@EXAMPLE.com"])
def test_another_spelling_does_not_begin_the_count_anew(client, olga, written):
    try_often(client, olga.email, 5)
    assert sign_in(client, written).status_code == 429


def test_fewer_proxies_than_declared_break_no_sign_in(client, olga, settings):
    settings.TRUSTED_PROXIES = 2
    client.post("/sign-in", {"login": olga.email, "password": PASSWORD}, headers={"x-forwarded-for": "203.0.113.9"})
    assert is_signed_in(client)


def test_another_address_of_the_same_network_does_not_begin_the_count_anew(olga):
    answers = [
        sign_in(Client(REMOTE_ADDR=f"2001:db8::{number:x}"), olga.email, "wrong").status_code for number in range(7)
    ]
    assert answers == [200] * 5 + [429] * 2
    assert sign_in(Client(REMOTE_ADDR="2001:db8:0:1::1"), olga.email).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_twenty_four_at_once_exactly_five_are_answered(olga):
    answers = at_once(24, lambda: sign_in(elsewhere(1), olga.email, "wrong").status_code)
    assert sorted(answers) == [200] * 5 + [429] * 19


def test_the_right_password_begins_the_own_count_anew(client, olga):
    for _time in range(3):
        try_often(client, olga.email, 4)
        sign_in(client, olga.email)
        client.post("/sign-out")
        client.cookies.clear()
    assert try_often(client, olga.email, 6) == [200] * 5 + [429]


def test_right_passwords_between_do_not_let_one_address_try_other_accounts_for_ever(client, olga):
    checked = 0
    for number in range(40):
        checked += sign_in(client, f"nobody{number}@example.com", "wrong").status_code == 200
        client.cookies.clear()
        sign_in(client, olga.email)
        client.post("/sign-out")
        client.cookies.clear()
    assert checked == 20


def test_many_addresses_together_get_a_bounded_number_of_tries(olga):
    assert attack(olga.email, addresses=40) == 30 + 3


def test_whoever_comes_from_another_site_then_has_a_few_of_their_own(client, olga):
    attack(olga.email)
    client.defaults["REMOTE_ADDR"] = "203.0.113.1"
    assert try_often(client, olga.email, 2) == [200, 200]
    sign_in(client, olga.email)
    assert is_signed_in(client)


def test_they_are_few_for_a_day(client, olga, clock):
    attack(olga.email)
    client.defaults["REMOTE_ADDR"] = "203.0.113.1"
    assert try_often(client, olga.email, 4) == [200, 200, 200, 429]
    client.defaults["REMOTE_ADDR"] = "203.0.113.2"
    assert try_often(client, olga.email, 1) == [429]


def test_a_large_ipv6_site_has_as_few_as_any(olga):
    attack(olga.email)
    site = [Client(REMOTE_ADDR=f"2001:db8:0:{number:x}::1") for number in range(9)]
    assert [status for client in site for status in try_often(client, olga.email, 1)] == [200] * 3 + [429] * 6


def test_many_addresses_together_get_a_bounded_number_of_tries_in_a_day(olga, clock):
    checked = 0
    for hour in range(5):
        checked += attack(olga.email, first=40 * hour, addresses=7)
        clock.shift(3600)
    assert checked == 100


def test_an_attack_does_not_lock_out_a_browser_that_signed_in_before(olga, known):
    attack(olga.email)
    sign_in(known, olga.email)
    assert is_signed_in(known)


def test_not_even_an_attack_from_the_same_address(olga, known):
    neighbour = Client(REMOTE_ADDR="203.0.113.1")
    try_often(neighbour, olga.email, 6)
    for number in range(30):
        sign_in(neighbour, f"nobody{number}@example.com", "wrong")
    sign_in(known, olga.email)
    assert is_signed_in(known)


def test_a_known_browser_has_few_tries_of_its_own(olga, known):
    assert try_often(known, olga.email, 11) == [200] * 10 + [429]
    assert sign_in(elsewhere(1), olga.email).status_code == 302, "they count for that browser only"


def test_a_browser_is_known_to_its_own_account_only(olga, ed, known):
    assert try_often(known, ed.email, 6) == [200] * 5 + [429]


def test_one_browser_can_know_several_accounts(olga, ed, known):
    sign_in(known, ed.email)
    known.post("/sign-out")
    attack(olga.email)
    attack(ed.email, first=50)
    for person in (olga, ed):
        assert sign_in(known, person.email).status_code == 302
        known.post("/sign-out")


@pytest.mark.parametrize("cookie", ["", "|", "x", "{pk}:abc", "{pk}:abc:1:sig", "{pk}" * 50, CONTROL_CHARACTER])
def test_a_cookie_of_ones_own_making_is_worth_nothing(olga, cookie):
    client = Client(HTTP_COOKIE=f"known={cookie.format(pk=olga.pk)}")
    assert try_often(client, olga.email, 6) == [200] * 5 + [429]


def test_a_cookie_that_cannot_be_set_again_keeps_nobody_from_signing_in(olga, ed):
    client = Client(HTTP_COOKIE=f"known={CONTROL_CHARACTER.format(pk=ed.pk)}")
    assert sign_in(client, olga.email).status_code == 302
    assert client.cookies["known"].value.startswith(str(olga.pk))
    assert "|" not in client.cookies["known"].value


def test_the_cookie_ends_with_the_password(olga, known):
    olga.set_password("another horse entirely")
    olga.save()
    assert try_often(known, olga.email, 6) == [200] * 5 + [429]


def test_the_browser_in_which_the_password_is_changed_stays_known(olga, known):
    sign_in(known, olga.email)
    new = "another horse entirely"
    known.post("/settings/password", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    known.post("/sign-out")
    attack(olga.email)
    assert sign_in(known, olga.email, new).status_code == 302


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client, olga, settings):
    settings.SESSION_COOKIE_SECURE = True
    cookie = sign_in(client, olga.email).cookies["__Host-known"]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["path"]) == (True, True, "Lax", "/")
    assert not cookie["domain"]
    assert olga.email not in cookie.value


@pytest.mark.usefixtures("_mail_server")
def test_during_an_attack_a_new_browser_gets_in_by_mail(olga):
    attack(olga.email)
    client = elsewhere(200)
    refused = sign_in(client, olga.email)
    assert (refused.status_code, "Reset password" in text_of(refused)) == (429, True)
    client.post("/password/reset", {"email": olga.email})
    [path] = [
        word.partition("testserver")[2] or word for word in mail.outbox[-1].body.split() if "/password/reset/" in word
    ]
    form = client.get("/password" + path.partition("/password")[2])["Location"]
    new = "another horse entirely"
    client.post(form, {"password1": new, "password2": new})
    assert is_signed_in(client)
    client.post("/sign-out")
    assert sign_in(client, olga.email, new).status_code == 302, "and is known from then on"


def test_wrong_current_passwords_are_counted_by_session(page, olga):
    tries = [page.post("/account/confirm", {"password_again": "wrong"}).status_code for _time in range(11)]
    assert tries == [200] * 10 + [429]
    other = Client()
    other.force_login(olga)
    assert other.post("/account/confirm", {"password_again": PASSWORD}).status_code == 302, (
        "the owner is not locked out"
    )
    assert sign_in(Client(), olga.email).status_code == 302


@pytest.mark.usefixtures("_mail_server")
def test_all_pages_that_ask_for_the_current_password_count_together(page):
    sent = {"oldpassword": "wrong", "password1": "x", "password2": "x"}
    tries = [page.post("/settings/password", sent).status_code for _time in range(4)]
    tries += [page.post("/account/confirm", {"password_again": "wrong"}).status_code for _time in range(4)]
    tries += [
        page.post("/settings/email", {"email": "new@example.com", "password": "wrong"}).status_code
        for _time in range(3)
    ]
    assert tries == [200] * 10 + [429]


def test_thousands_of_other_keys_evict_no_count(client, olga):
    try_often(client, olga.email, 5)
    for number in range(3000):
        caches["default"].set(f"other{number}", 1)
        caches["limits"].set(f"other{number}", 1)
    assert sign_in(client, olga.email).status_code == 429


def test_a_refusal_is_in_the_security_log_of_the_account_once(client, olga):
    try_often(client, olga.email, 20)
    event = SecurityEvent.objects.get(kind="limit-reached")
    assert (event.user, event.details["limit"]) == (olga, "sign-in")
