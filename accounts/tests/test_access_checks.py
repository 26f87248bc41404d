"""Live pages look again whenever one of their sessions may have ended."""

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from accounts.tests.conftest import PASSWORD, sign_in

NEW = "plum tart on sunday"


@pytest.fixture
def looks_again(olga) -> list:
    return [(f"user.{olga.pk}", {"type": "access.check"})]


def test_sign_out_tells_them(page, told, looks_again):
    assert told(lambda: page.post("/sign-out")) == looks_again


def test_sign_out_in_the_admin_tells_them(page, olga, told, looks_again):
    User.objects.filter(pk=olga.pk).update(is_staff=True)
    assert told(lambda: page.post("/admin/logout/")) == looks_again


def test_password_change_tells_them(page, told, looks_again):
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert told(lambda: page.post("/settings/password", fields)) == looks_again


def test_a_refused_password_change_does_not(page, told):
    assert told(lambda: page.post("/settings/password", {"oldpassword": "wrong"})) == []


def test_deactivation_and_activation_tell_them(olga, told, looks_again):
    def switch(active: bool) -> None:
        user = User.objects.get(pk=olga.pk)
        user.is_active = active
        user.save()

    assert told(lambda: switch(False)) == looks_again
    assert told(lambda: switch(True)) == looks_again * 2


def test_a_password_set_by_an_operator_tells_them(olga, told, looks_again):
    def change() -> None:
        user = User.objects.get(pk=olga.pk)
        user.set_password(NEW)
        user.save()

    assert told(change) == looks_again


def test_other_changes_do_not(page, told):
    profile = {"name": "Olga Kern", "language": "de", "time_zone": "Europe/Berlin", "theme": "dark"}
    assert told(lambda: page.post("/settings/profile", profile)) == []


def test_neither_signing_in_nor_looking_at_pages_does(olga, told):
    client = Client()
    assert told(lambda: sign_in(client, olga.email)) == []
    assert told(lambda: client.get("/settings/profile")) == []


def test_nothing_is_told_of_a_change_that_was_rolled_back(olga, told):
    def change_and_fail() -> None:
        user = User.objects.get(pk=olga.pk)
        user.is_active = False
        with transaction.atomic():
            user.save()
            transaction.set_rollback(True)

    assert told(change_and_fail) == []
