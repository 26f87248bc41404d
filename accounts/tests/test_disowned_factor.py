"""The link in the mail about a new factor removes it: signed out, by a button, and for seven days."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.links import find_factor
from accounts.models import User
from accounts.sign_in.factors.changes import disown
from accounts.tests.conftest import PASSWORD, _mail_server, at_once, is_signed_in, page, sign_in
from accounts.tests.factors import STEP, add_app, add_passkey, clock, codes_of
from accounts.tests.test_email_address import change as change_address
from accounts.tests.test_recent_factors import DAY, _confirmed, kinds_held, sign_in_by
from accounts.tests.test_recovery import change_password, reset_password
from accounts.tokens import create_token, find_live_token
from cliauth import grants
from cliauth.grants import Outcome
from security.models import SecurityEvent
from taskboard.tests.authenticator import code_of
from web.tests.browsing import browser, text_of

__all__ = ["_confirmed", "_mail_server", "clock", "page"]
pytestmark = pytest.mark.usefixtures("_mail_server")
ENDED = "This link no longer works"


@pytest.fixture
def intruder(olga) -> Client:
    """Somebody who signed in with Olga's password."""
    intruder = Client()
    sign_in(intruder, olga.email)
    return intruder


def links() -> list[str]:
    """Return the paths of the links to remove a factor, in the order of their mails."""
    bodies = "\n".join(str(message.body) for message in mail.outbox)
    return re.findall(r"http://127\.0\.0\.1:8000(/account/factor/[-:\w]+)\s", bodies)


def test_it_removes_a_passkey_with_which_its_intruder_signs_in_no_more(olga, intruder):
    passkey = add_passkey(intruder, "evil")
    [link] = links()
    answer = Client().post(link)
    assert "evil no longer works" in text_of(answer)
    assert "choose a new one now" in text_of(answer)
    assert 'href="/password/reset"' in answer.text
    assert not is_signed_in(intruder)
    assert not is_signed_in(sign_in_by(passkey))


def test_it_removes_an_app(olga, intruder):
    add_app(intruder)
    assert "Codes of the authenticator app no longer work." in text_of(Client().post(links()[0]))
    assert kinds_held(olga) == set()


def test_looking_at_it_changes_nothing(olga, intruder):
    add_passkey(intruder, "evil")
    for _look in range(2):
        assert "evil was added to the account olga@example.com" in text_of(Client().get(links()[0]))
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}
    assert is_signed_in(intruder)


def test_it_works_once(olga, intruder):
    add_passkey(intruder, "evil")
    Client().post(links()[0])
    add_passkey(again := browser(User.objects.get(pk=olga.pk)), "another")
    assert ENDED in Client().get(links()[0]).text
    assert ENDED in Client().post(links()[0]).text
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}
    assert is_signed_in(again), "a link that has ended ends no session"


def test_it_ends_what_else_the_intruder_may_have(olga, intruder):
    add_passkey(intruder, "evil")
    olga = User.objects.get(pk=olga.pk)
    olga.plan_id = "pro"
    olga.save()
    _token, value = create_token(olga, "evil")
    grant, device_code = grants.start(client_name="evil", address="203.0.113.7", browser="")
    intruder.post("/cli", {"code": grant.shown_code, "answer": "approve"})
    change_address(intruder, "evil@example.com")
    Client().post(links()[0])
    assert find_live_token(value) is None
    assert grants.poll(device_code).outcome == Outcome.GONE
    assert not EmailAddress.objects.filter(email="evil@example.com").exists()


def test_it_works_after_the_intruder_changed_the_password(olga, intruder):
    add_passkey(intruder, "evil")
    change_password(intruder)
    Client().post(links()[0])
    assert kinds_held(olga) == set()
    assert not is_signed_in(intruder)


def test_the_owner_goes_on_with_a_reset(olga, intruder):
    add_passkey(intruder, "evil")
    owner = Client()
    owner.post(links()[0])
    reset_password(owner, olga.email)
    assert is_signed_in(owner)
    assert sign_in(Client(), olga.email, PASSWORD).status_code == 200, "the old password is refused"


def test_it_works_though_the_account_changes_at_the_same_moment(olga, intruder, rf):
    add_passkey(intruder, "evil")
    factor = find_factor(links()[0].rpartition("/")[2])
    change_password(intruder)
    assert disown(factor, rf.post("/"))
    assert not is_signed_in(intruder)


# What it leaves


def test_an_older_factor_and_its_codes_stay(page, olga, clock):
    secret, _answer = add_app(page)
    clock.shift(8 * DAY)
    add_passkey(browser(User.objects.get(pk=olga.pk)), "evil")
    Client().post(links()[-1])
    assert kinds_held(olga) == {"totp", "recovery_codes"}
    sign_in(owner := Client(), olga.email)
    owner.post(STEP, {"code": code_of(secret)})
    assert is_signed_in(owner)


def test_recovery_codes_that_were_made_since_go(page, olga, clock):
    add_app(page)
    clock.shift(8 * DAY)
    intruder = browser(User.objects.get(pk=olga.pk))
    add_passkey(intruder, "evil")
    intruder.post("/settings/security/recovery-codes")
    code = codes_of(olga)[0]
    Client().post(links()[-1])
    assert kinds_held(olga) == {"totp"}
    sign_in(intruder := Client(), olga.email)
    intruder.post(STEP, {"code": code})
    assert not is_signed_in(intruder)


def test_it_removes_no_other_factor(olga, intruder, clock):
    add_passkey(intruder, "first")
    clock.shift(60)
    add_app(intruder)
    Client().post(links()[1])
    assert kinds_held(olga) == {"webauthn", "recovery_codes"}


# In a browser that is signed in


def test_the_own_browser_is_signed_out_too(page, olga):
    add_passkey(page, "laptop")
    words = text_of(page.post(links()[0]))
    assert "Sign-in method removed" in words
    assert "Sign out" not in words
    assert not is_signed_in(page)


def test_the_browser_of_somebody_else_stays_signed_in(olga, intruder, ed):
    add_passkey(intruder, "evil")
    his = browser(ed)
    assert "Sign-in method removed" in text_of(his.post(links()[0]))
    assert is_signed_in(his)


@pytest.mark.django_db(transaction=True)
def test_of_two_that_press_the_button_at_once_both_get_a_page(olga, intruder):
    add_passkey(intruder, "evil")
    [link] = links()
    answers = at_once(2, lambda: Client().post(link))
    assert sorted("Sign-in method removed" in answer.text for answer in answers) == [False, True]
    assert {answer.status_code for answer in answers} == {200}


# What is told


def test_the_mail_says_how_long_the_link_works_and_what_to_do_next(olga, intruder):
    add_passkey(intruder, "evil")
    told = next(one for one in mail.outbox if "passkey was added" in one.subject)
    words = " ".join(told.body.split())
    assert "remove it with this link, then choose a new password. The link works for 7 days" in words


def test_the_removal_is_told_by_mail_and_in_the_security_log(olga, intruder):
    add_passkey(intruder, "evil")
    create_token(User.objects.get(pk=olga.pk), "evil")
    Client().post(links()[0])
    assert mail.outbox[-1].subject == "[Taskboard] A passkey was removed from your account"
    event = SecurityEvent.objects.get(kind="factor-removed")
    assert (event.user, event.details) == (olga, {"factor": "passkey", "name": "evil", "tokens_revoked": 1})
