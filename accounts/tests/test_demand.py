"""TASKBOARD_SECOND_FACTOR: who must have a second factor can do nothing before."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.tests.conftest import is_signed_in, page, sign_in
from accounts.tests.factors import APP, add_app, add_passkey, at_second_step
from accounts.tests.test_recovery import NEW
from accounts.tokens import create_token
from web.live.visitors import NOT_SIGNED_IN, check_access
from web.tests.browsing import SCRIPTED, browser, text_of

__all__ = ["page"]
SECURITY = "/settings/security"
PAGE = "text/html,application/xhtml+xml,*/*;q=0.8"  # what a browser accepts that opens a page


@pytest.fixture
def demanded(settings) -> None:
    settings.SECOND_FACTOR = "all"


def test_nobody_is_asked_by_default(page, settings):
    assert settings.SECOND_FACTOR == "off"
    assert page.get("/").status_code == 200


@pytest.mark.usefixtures("demanded")
@pytest.mark.parametrize(
    "path", ["/", "/settings/profile", "/settings/tokens", "/boards/new", "/cli", "/admin/", "/help"]
)
def test_every_page_leads_to_where_a_factor_is_set_up(page, path):
    assert page.get(path)["Location"] == SECURITY
    assert page.post(path, {"title": "x", "name": "x"})["Location"] == SECURITY


@pytest.mark.usefixtures("demanded")
def test_scripts_and_the_export_are_refused(page):
    assert page.get("/", **SCRIPTED)["HX-Redirect"] == SECURITY
    refused = page.get("/api/export")
    assert (refused.status_code, "two-step" in refused.json()["error"]) == (403, True)


@pytest.mark.usefixtures("demanded")
def test_live_updates_are_not_sent(page, olga, board):
    key = page.session.session_key
    assert check_access(key, [board.pk]) == NOT_SIGNED_IN
    add_app(page)
    assert check_access(page.session.session_key, [board.pk]).present


@pytest.mark.usefixtures("demanded")
def test_one_can_sign_out_and_change_the_language(page):
    assert page.post("/language", {"language": "de", "next": SECURITY})["Location"] == SECURITY
    page.post("/sign-out")
    assert not is_signed_in(page)


@pytest.mark.usefixtures("demanded")
@pytest.mark.parametrize("add", [add_app, add_passkey])
def test_with_a_factor_everything_is_open(page, add):
    assert "requires two-step sign-in" in text_of(page.get(SECURITY))
    add(page)
    assert page.get("/").status_code == 200
    assert "requires two-step sign-in" not in text_of(page.get(SECURITY))


def way_on_after_the_factor(page: Client) -> str:
    _secret, codes = add_app(page)
    found = re.search(r"""href="([^"]+)">I've saved them<""", codes.text)
    assert found, codes.text
    return found[1]


@pytest.mark.usefixtures("demanded")
def test_with_a_factor_one_goes_on_to_the_page_that_one_wanted(page):
    page.get("/cli?code=BCDF-GHJK", headers={"accept": PAGE})
    page.get("/people/" + "x" * 32, headers={"accept": "image/webp,*/*"})  # the picture of a person, on that page
    assert way_on_after_the_factor(page) == "/cli?code=BCDF-GHJK"


@pytest.mark.usefixtures("demanded")
def test_where_one_wanted_no_other_page_the_way_on_is_to_security(page):
    assert way_on_after_the_factor(page) == SECURITY


@pytest.mark.usefixtures("demanded")
def test_right_after_signing_in_one_is_led_there(olga):
    visitor = Client()
    sign_in(visitor, olga.email)
    assert visitor.get("/")["Location"] == SECURITY


@pytest.mark.usefixtures("demanded")
def test_signed_out_people_and_tokens_are_not_asked(client, olga):
    assert client.get("/").status_code == 200
    assert client.get("/sign-in").status_code == 200
    _token, value = create_token(olga, "script")
    assert client.get("/api/v1/me", headers={"Authorization": f"Bearer {value}"}).status_code == 200


@pytest.mark.usefixtures("demanded")
def test_the_last_factor_stays(page, olga):
    add_app(page)
    page.post(f"{APP}/remove")
    assert "Set up another way first" in text_of(page.get(SECURITY))
    add_passkey(page)
    page.post(f"{APP}/remove")
    assert list(Authenticator.objects.exclude(type="recovery_codes").values_list("type", flat=True)) == ["webauthn"]


def test_operators_alone_can_be_asked(page, otto, settings):
    settings.SECOND_FACTOR = "operators"
    assert page.get("/").status_code == 200
    operator = browser(otto)
    assert operator.get("/admin/")["Location"] == SECURITY
    add_app(operator)
    assert operator.get("/admin/").status_code == 200


def test_who_becomes_an_operator_is_asked_from_then_on(page, olga, settings):
    settings.SECOND_FACTOR = "operators"
    assert page.get("/").status_code == 200
    olga.is_staff = True
    olga.save()
    assert page.get("/")["Location"] == SECURITY


def test_a_factor_that_was_there_once_does_not_count(page, olga, settings):
    settings.SECOND_FACTOR = "all"
    add_app(page)
    assert page.get("/").status_code == 200
    settings.SECOND_FACTOR = "off"
    page.post(f"{APP}/remove")
    settings.SECOND_FACTOR = "all"
    assert page.get("/")["Location"] == SECURITY


def test_a_page_costs_no_statement_more(page, settings, django_assert_num_queries):
    add_app(page)
    with CaptureQueriesContext(connection) as without:
        page.get("/settings/data")
    count = len(without)
    settings.SECOND_FACTOR = "all"
    page.get("/settings/data")
    with django_assert_num_queries(count):
        page.get("/settings/data")


def test_the_admin_signs_in_with_both_steps(otto):
    add_app(browser(otto))
    visitor = at_second_step(otto.email, next="/admin/")
    assert visitor.get("/admin/")["Location"].startswith("/admin/login/")


@pytest.mark.usefixtures("demanded")
def test_an_operator_who_loses_a_recent_factor_with_their_own_new_password_sets_one_up(otto):
    add_app(operator := browser(otto))
    assert operator.get("/admin/").status_code == 200
    fields = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
    operator.post(reverse("admin:auth_user_password_change", args=[otto.pk]), fields)
    assert operator.get("/admin/")["Location"] == SECURITY
