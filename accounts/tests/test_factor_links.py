"""Links that remove a factor: which ones work, and what their pages give away."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.links import LinkPurpose, make_factor_key, make_key
from accounts.models import User
from accounts.tests.conftest import _mail_server
from accounts.tests.factors import add_app, add_passkey, clock
from accounts.tests.test_disowned_factor import ENDED, intruder, links
from accounts.tests.test_recent_factors import DAY, _confirmed, kinds_held
from web.tests.browsing import text_of

__all__ = ["_confirmed", "_mail_server", "clock", "intruder"]
pytestmark = pytest.mark.usefixtures("_mail_server")


@pytest.mark.parametrize("days, works", [(6.9, True), (7.1, False)])
def test_it_lives_for_seven_days(olga, intruder, clock, days, works):
    add_passkey(intruder, "evil")
    clock.shift(timedelta(days=days))
    assert (ENDED not in Client().get(links()[0]).text) is works
    Client().post(links()[0])
    assert ("webauthn" not in kinds_held(olga)) is works


def test_wrong_expired_and_used_links_get_one_page_and_nothing_is_told(olga, intruder, clock):
    add_passkey(intruder, "evil")
    add_app(intruder)
    used, expired = links()
    Client().post(used)
    clock.shift(8 * DAY)
    wrong = ["/account/factor/wrong", "/account/factor/a:b:c"]
    [words] = {text_of(Client().get(path)) for path in (used, expired, *wrong)}
    assert ENDED in words
    assert "olga" not in words
    assert "evil" not in words


def test_a_link_that_was_changed_is_refused(olga, intruder):
    add_passkey(intruder, "evil")
    key, signature = links()[0].rsplit(":", 1)
    assert ENDED in Client().post(f"{key}:{signature[::-1]}").text
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}


def test_links_of_another_purpose_remove_nothing(olga, intruder):
    add_passkey(intruder, "evil")
    address = EmailAddress.objects.create(user=olga, email="new@example.com")
    address.user = User.objects.get(pk=olga.pk)
    for purpose in (LinkPurpose.STOP, LinkPurpose.CONFIRM):
        assert ENDED in Client().post(f"/account/factor/{make_key(purpose, address)}").text
    stop = links()[0].rpartition("/")[2]
    assert ENDED in Client().post(f"/account/email/stop/{stop}").text
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}


def test_it_ends_with_the_address_to_which_it_was_sent(olga, intruder):
    add_passkey(intruder, "evil")
    User.objects.filter(pk=olga.pk).update(email="new@example.com")
    assert ENDED in Client().post(links()[0]).text


def test_it_removes_no_factor_that_has_the_same_number_after_a_restored_backup(olga, ed, intruder, clock):
    add_passkey(intruder, "evil")
    passkey = Authenticator.objects.get(user=olga, type="webauthn")
    number = passkey.pk
    passkey.delete()
    Authenticator.objects.create(pk=number, user=ed, type="webauthn", data=passkey.data)
    assert ENDED in Client().post(links()[0]).text
    assert kinds_held(ed) == {"webauthn"}


def test_it_does_nothing_in_a_deactivated_account(olga, intruder):
    add_passkey(intruder, "evil")
    User.objects.filter(pk=olga.pk).update(is_active=False)
    assert ENDED in Client().post(links()[0]).text


def test_it_is_neither_kept_nor_told_to_other_sites(olga, intruder):
    add_passkey(intruder, "evil")
    for answer in (Client().get(links()[0]), Client().post(links()[0])):
        assert "no-store" in answer["Cache-Control"]
        assert answer["Referrer-Policy"] == "same-origin"


def test_forms_of_other_sites_are_not_taken(olga, intruder):
    add_passkey(intruder, "evil")
    assert Client(enforce_csrf_checks=True).post(links()[0]).status_code == 403
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}


def test_it_is_counted_as_forms_of_people_who_are_not_signed_in(settings):
    settings.LIMITS = {**settings.LIMITS, "entrance": "2/h"}
    answers = [Client().post("/account/factor/wrong").status_code for _number in range(3)]
    assert answers == [200, 200, 429]


def test_a_link_that_was_mailed_outlives_a_change_of_the_secret_key(olga, intruder, settings):
    add_passkey(intruder, "evil")
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "x" * 60
    assert "was added to the account" in text_of(Client().get(links()[0]))


def test_recovery_codes_have_no_link(olga, intruder):
    add_passkey(intruder, "evil")
    codes = Authenticator.objects.get(user=olga, type="recovery_codes")
    assert ENDED in Client().post(f"/account/factor/{make_factor_key(codes)}").text
