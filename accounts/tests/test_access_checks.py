"""Live pages are told to check access whenever one of their sessions may have ended."""

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from accounts.tests.conftest import PASSWORD, sign_in

NEW = "plum tart on sunday"


@pytest.fixture
def access_check(olga) -> list:
    return [(f"user.{olga.pk}", {"type": "access.check"})]


def test_sign_out_makes_live_pages_check_access(page, told, access_check):
    assert told(lambda: page.post("/sign-out")) == access_check


def test_sign_out_in_the_admin_makes_live_pages_check_access(page, olga, told, access_check):
    User.objects.filter(pk=olga.pk).update(is_staff=True)
    assert told(lambda: page.post("/admin/logout/")) == access_check


def test_a_password_change_makes_live_pages_check_access(page, told, access_check):
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert told(lambda: page.post("/settings/password", fields)) == access_check


def test_a_refused_password_change_makes_no_live_page_check_access(page, told):
    assert told(lambda: page.post("/settings/password", {"oldpassword": "wrong"})) == []


def test_deactivation_and_activation_make_live_pages_check_access(olga, told, access_check):
    def switch(active: bool) -> None:
        user = User.objects.get(pk=olga.pk)
        user.is_active = active
        user.save()

    assert told(lambda: switch(False)) == access_check
    assert told(lambda: switch(True)) == access_check * 2


def test_a_password_set_by_an_operator_makes_live_pages_check_access(olga, told, access_check):
    def change() -> None:
        user = User.objects.get(pk=olga.pk)
        user.set_password(NEW)
        user.save()

    assert told(change) == access_check


def test_other_changes_make_no_live_page_check_access(page, told):
    profile = {"name": "Olga Kern", "language": "de", "time_zone": "Europe/Berlin", "theme": "dark"}
    assert told(lambda: page.post("/settings/profile", profile)) == []


def test_signing_in_and_opening_pages_make_no_live_page_check_access(olga, told):
    client = Client()
    assert told(lambda: sign_in(client, olga.email)) == []
    assert told(lambda: client.get("/settings/profile")) == []


def test_a_change_that_is_rolled_back_publishes_nothing(olga, told):
    def change_and_fail() -> None:
        user = User.objects.get(pk=olga.pk)
        user.is_active = False
        with transaction.atomic():
            user.save()
            transaction.set_rollback(True)

    assert told(change_and_fail) == []
