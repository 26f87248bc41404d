from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.tests.conftest import sign_in
from security.models import SecurityEvent

PAGE = "/settings/profile"


def after(**time):
    return time_machine.travel(timezone.now() + timedelta(**time))


@pytest.fixture(params=["form", "another way"])
def page(request, client, olga):
    """Olga's browser, in which she has just signed in."""
    if request.param == "form":
        sign_in(client, olga.email)
    else:
        client.force_login(olga)
    return client


def is_in(page: Client) -> bool:
    return page.get(PAGE).status_code == 200


def test_a_session_that_is_not_used_for_two_weeks_ends(page):
    with after(days=13, hours=23):
        assert is_in(page)
    with after(days=29):
        assert not is_in(page)


def test_its_use_puts_its_end_off(page):
    for day in range(10, 90, 10):
        with after(days=day):
            assert is_in(page)


def test_but_not_beyond_ninety_days(page):
    for day in range(10, 90, 10):
        with after(days=day):
            is_in(page)
    with after(days=89):
        answer = page.get(PAGE)
        assert answer.status_code == 200
        assert answer.cookies["sessionid"]["max-age"] <= 24 * 60 * 60
    with after(days=90, minutes=1):
        assert not is_in(page)


def test_an_expired_session_is_refused_even_if_the_browser_keeps_the_cookie(page):
    cookie = page.cookies["sessionid"].value
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    stubborn = Client()
    stubborn.cookies["sessionid"] = cookie
    assert stubborn.get(PAGE)["Location"] == f"/sign-in?next={PAGE}"
    assert stubborn.post("/settings/tokens", {"name": "laptop"})["Location"].startswith("/sign-in")


def test_its_use_is_written_once_a_day(page, django_assert_num_queries):
    with django_assert_num_queries(3):
        page.get(PAGE)
    with after(hours=25):
        page.get(PAGE)
        with django_assert_num_queries(3):
            page.get(PAGE)


def test_a_session_of_before_counts_from_its_next_use(page):
    store = page.session
    del store["began_at"], store["used_at"]
    store.set_expiry(90 * 24 * 60 * 60)
    store.save()
    assert is_in(page)
    with after(days=15):
        assert not is_in(page)


def test_operators_choose_the_days(page, settings, olga):
    settings.SESSION_COOKIE_AGE, settings.SESSION_LIFE = 2 * 24 * 60 * 60, 3 * 24 * 60 * 60
    page.force_login(olga)
    with after(days=1, hours=23):
        assert is_in(page)
    with after(days=2, hours=23):
        assert is_in(page)
    with after(days=3, minutes=1):
        assert not is_in(page)


@pytest.mark.parametrize("path", ["/sign-out", "/admin/logout/"])
def test_signing_out_ends_the_session_is_logged_and_clears_the_browser(client, otto, path):
    client.force_login(otto)
    cookie = client.cookies["sessionid"].value
    answer = client.post(path)
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert not Session.objects.filter(pk=cookie).exists()
    assert SecurityEvent.objects.get().kind == "signed-out"


def test_nothing_else_clears_the_browser(page):
    assert "Clear-Site-Data" not in page.get(PAGE).headers
    assert "Clear-Site-Data" not in Client().post("/sign-out").headers


def test_sign_in_and_failed_sign_in_are_logged_with_their_address(client, olga):
    sign_in(client, olga.email, "wrong")
    sign_in(client, "nobody@example.com", "wrong")
    sign_in(client, olga.email)
    told = SecurityEvent.objects.order_by("id").values_list("kind", "user__email", "address", "details")
    assert list(told) == [
        ("sign-in-failed", "olga@example.com", "127.0.0.1", {}),
        ("sign-in-failed", None, "127.0.0.1", {"email": "nobody@example.com"}),
        ("signed-in", "olga@example.com", "127.0.0.1", {}),
    ]
