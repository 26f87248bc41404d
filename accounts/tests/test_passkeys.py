"""Passkeys sign in, are a second step, and confirm; what is not exactly that is refused."""

import json

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.test import Client
from fido2.utils import websafe_encode
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from accounts.tests.conftest import is_signed_in, page
from accounts.tests.factors import HERE, PASSKEY, STEP, add_app, add_passkey, at_second_step, options_in
from security.models import SecurityEvent
from taskboard.tests.authenticator import Device
from web.tests.browsing import browser, text_of

__all__ = ["page"]
OPTIONS, SIGN_IN = "/sign-in/passkey/options", "/sign-in/passkey"


@pytest.fixture
def visitor(db) -> Client:
    """A browser at the page for signing in."""
    return Client(headers={"host": HERE})


@pytest.fixture
def device(page) -> Device:
    """Olga's."""
    return add_passkey(page)


def use(visitor: Client, device: Device, **more):
    return visitor.post(SIGN_IN, {"credential": device.get(visitor.post(OPTIONS).json(), **more)})


def test_a_passkey_signs_in_without_password_and_second_step(visitor, device, olga):
    assert use(visitor, device)["Location"] == "/"
    assert is_signed_in(visitor)
    assert Authenticator.objects.get(type="webauthn").last_used_at
    assert SecurityEvent.objects.filter(kind="signed-in", user=olga).exists()


def test_it_leads_where_one_wanted_to_go(visitor, device):
    credential = device.get(visitor.post(OPTIONS).json())
    answer = visitor.post(SIGN_IN, {"credential": credential, "next": "/settings/profile"})
    assert answer["Location"] == "/settings/profile"
    again = Client(headers={"host": HERE})
    credential = device.get(again.post(OPTIONS).json())
    assert again.post(SIGN_IN, {"credential": credential, "next": "https://evil.example"})["Location"] == "/"


def test_a_passkey_that_is_refused_leads_back_with_where_one_wanted_to_go(visitor, device):
    refused = visitor.post(SIGN_IN, {"credential": "{}", "next": "/cli?code=BCDF-GHJK"})
    assert refused["Location"] == "/sign-in?next=/cli%3Fcode%3DBCDF-GHJK"
    assert visitor.post(SIGN_IN, {"credential": "{}", "next": "https://evil.example"})["Location"] == "/sign-in"


def test_the_options_tell_nothing_of_anybody(visitor, device):
    assert set(visitor.post(OPTIONS).json()) == {"challenge", "rpId", "userVerification"}


def test_asking_for_a_challenge_begins_no_session(visitor):
    visitor.post(OPTIONS)
    assert not Session.objects.exists()
    assert "sessionid" not in visitor.cookies
    cookie = visitor.cookies["passkey"]
    assert (cookie["max-age"], cookie["path"], cookie["httponly"], cookie["samesite"]) == (
        *(60 * 60, "/sign-in/passkey", True, "Strict"),
    )


def test_behind_https_only_https_can_set_the_cookie(visitor, settings):
    """Not __Host-, which would send it to every page: its path is that of signing in."""
    settings.HTTPS = True
    visitor.post(OPTIONS)
    cookie = visitor.cookies["__Secure-passkey"]
    assert (cookie["secure"], cookie["domain"]) == (True, "")


def test_a_challenge_that_was_used_is_refused_with_its_cookie_too(visitor, device):
    credential = device.get(visitor.post(OPTIONS).json())
    cookie = visitor.cookies["passkey"].value
    visitor.post(SIGN_IN, {"credential": credential})
    assert visitor.cookies["passkey"].value == ""
    thief = Client(headers={"host": HERE})
    thief.cookies["passkey"] = cookie
    assert refused(thief, thief.post(SIGN_IN, {"credential": credential}))


def test_a_cookie_that_was_tampered_with_is_refused(visitor, device):
    options = visitor.post(OPTIONS).json()
    visitor.cookies["passkey"] = visitor.cookies["passkey"].value[:-2] + "xx"
    assert refused(visitor, visitor.post(SIGN_IN, {"credential": device.get(options)}))


def refused(visitor: Client, answer) -> bool:
    assert answer["Location"] == "/sign-in"
    assert "That passkey was not accepted." in text_of(visitor.get("/sign-in"))
    return not is_signed_in(visitor)


def test_an_answer_is_taken_once(visitor, device):
    credential = device.get(visitor.post(OPTIONS).json())
    visitor.post(SIGN_IN, {"credential": credential})
    visitor.post("/sign-out")
    assert refused(visitor, visitor.post(SIGN_IN, {"credential": credential}))


def test_an_answer_to_another_browser_is_refused(visitor, device):
    other = Client(headers={"host": HERE})
    credential = device.get(other.post(OPTIONS).json())
    visitor.post(OPTIONS)
    assert refused(visitor, visitor.post(SIGN_IN, {"credential": credential}))


def test_an_answer_after_an_hour_is_refused(visitor, device):
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        visitor.post("/language", {"language": "en"})
        options = visitor.post(OPTIONS).json()
        clock.shift(60 * 60 + 1)
        visitor.post(SIGN_IN, {"credential": device.get(options)})
        assert not is_signed_in(visitor)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://sub.localhost", "http://localhost:1234", "https://localhost"]
)
def test_an_answer_from_another_origin_is_refused(visitor, device, origin):
    device.origin = origin
    assert refused(visitor, use(visitor, device))


def test_a_device_that_did_not_check_who_is_there_does_not_sign_in(visitor, device):
    device.flags = 1
    assert refused(visitor, use(visitor, device))


def test_another_device_does_not_sign_in(visitor, device):
    stranger = Device()
    stranger.id, stranger.user = device.id, device.user
    assert refused(visitor, use(visitor, stranger))


def test_a_passkey_does_not_sign_in_to_another_account(visitor, device, ed):
    add_passkey(browser(ed))
    assert refused(visitor, use(visitor, device, user=websafe_encode(ed.pk.bytes)))


def test_the_credential_of_another_does_not_become_theirs_by_its_id(visitor, device, ed, olga):
    """Ed's device says that its key has the id of Olga's."""
    copy = Device()
    copy.id = device.id
    add_passkey(browser(ed), device=copy)
    assert refused(visitor, use(visitor, copy, user=device.user))


def test_a_removed_passkey_and_a_deactivated_account_do_not_sign_in(visitor, device, olga):
    olga.is_active = False
    olga.save()
    assert use(visitor, device)["Location"] == "/account/inactive"
    assert not is_signed_in(visitor)
    Authenticator.objects.all().delete()
    assert refused(visitor, use(visitor, device))


def test_unknown_and_known_are_answered_alike(device):
    answers = []
    for claimed in (Device(), device):
        visitor = Client(headers={"host": HERE})
        claimed.flags, claimed.user = 1, claimed.user or websafe_encode(bytes(16))
        answer = use(visitor, claimed)
        answers.append((answer.status_code, answer["Location"], text_of(visitor.get("/sign-in"))))
    assert answers[0] == answers[1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
)


@examples(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answer=st.one_of(
        st.text(), JSON.map(json.dumps), st.sampled_from(["[" * 9000, '{"response": 1}', '"x"', "9" * 30_000])
    )
)
def test_no_answer_breaks_the_page(visitor, device, answer):
    visitor.post(OPTIONS)
    assert visitor.post(SIGN_IN, {"credential": answer})["Location"] == "/sign-in"


@examples(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_bytes_in_a_registration_break_the_page(page, olga, data):
    shown = page.post(PASSKEY, headers={"host": HERE})
    credential = json.loads(Device().create(options_in(shown, "create")))
    name = data.draw(st.sampled_from(["clientDataJSON", "attestationObject"]))
    credential["response"][name] = data.draw(st.binary(max_size=200).map(websafe_encode) | st.text() | JSON)
    sent = {"name": "x", "credential": json.dumps(credential)}
    assert page.post(PASSKEY, sent, headers={"host": HERE}).status_code == 422
    assert not Authenticator.objects.exists()


# As the second step


def test_a_passkey_is_a_second_step(visitor, device, olga):
    at_second_step(olga.email, visitor)
    credential = device.get(options_in(visitor.get(STEP)))
    assert visitor.post(STEP, {"credential": credential})["Location"] == "/"
    assert is_signed_in(visitor)


def test_as_a_second_step_the_device_need_not_check_who_is_there(visitor, device, olga):
    device.flags = 1
    at_second_step(olga.email, visitor)
    visitor.post(STEP, {"credential": device.get(options_in(visitor.get(STEP)))})
    assert is_signed_in(visitor)


def test_a_wrong_passkey_is_no_second_step_and_is_logged(visitor, device, olga):
    at_second_step(olga.email, visitor)
    answer = visitor.post(STEP, {"credential": Device().get(options_in(visitor.get(STEP)))})
    assert answer.status_code == 422
    assert not is_signed_in(visitor)
    assert SecurityEvent.objects.get(kind="second-step-failed").details == {"via": "passkey"}


def test_the_challenge_of_one_purpose_serves_no_other(visitor, device, olga):
    """A challenge for signing in is not one for the second step: the two ask for different things."""
    options = visitor.post(OPTIONS).json()
    at_second_step(olga.email, visitor)
    visitor.get(STEP)
    assert visitor.post(STEP, {"credential": device.get(options)}).status_code == 422


@pytest.mark.parametrize(
    "host,address",
    [
        ("127.0.0.1:8000", "http://localhost:8000"),
        ("127.0.0.1", "http://localhost"),
        ("[::1]:80", "http://localhost"),
        ("127.0.0.1:99999", "http://localhost:99999"),  # no port, but no failure
    ],
)
def test_on_this_machine_the_pages_offer_its_address_with_a_name(page, settings, host, address):
    for answer in (page.get("/settings/security", headers={"host": host}), page.post(PASSKEY, headers={"host": host})):
        assert f'<a class="link" href="{address}/settings/security">{address}</a>' in answer.text
    settings.ALLOWED_HOSTS = ["127.0.0.1", "[::1]"]
    page_words = text_of(page.get("/settings/security", headers={"host": host}))
    assert "Passkeys need an address with a domain name" in page_words


def test_where_passkeys_cannot_work_the_pages_say_so(page, olga, settings):
    settings.ALLOWED_HOSTS = ["*"]
    there = {"host": "10.0.0.7"}
    assert "Passkeys need an address with a domain name" in text_of(page.get("/settings/security", headers=there))
    assert "Passkeys need an address with a domain name" in text_of(page.post(PASSKEY, headers=there))
    assert "Sign in with a passkey" not in Client(headers=there).get("/sign-in").text
    assert Client(headers=there).post(OPTIONS).status_code == 404
    assert "Sign in with a passkey" in Client(headers={"host": HERE}).get("/sign-in").text


# To confirm


def test_a_passkey_or_a_code_confirms_without_password(page, device, olga):
    add_app(page)
    olga.refresh_from_db()
    olga.set_unusable_password()
    olga.save()
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        clock.shift(16 * 60)
        asked = page.post("/settings/tokens", {"name": "laptop"}, headers={"host": HERE})
        assert (asked.status_code, "password_again" in asked.text) == (403, False)
        answer = device.get(options_in(asked))
        sent = {"name": "laptop", "passkey_again": answer}
        assert page.post("/settings/tokens", sent, headers={"host": HERE}).status_code == 200
        assert olga.tokens.count() == 1


def test_a_wrong_passkey_does_not_confirm(page, device, olga):
    olga.refresh_from_db()
    with time_machine.travel("2026-05-04 12:00:15Z", tick=False) as clock:
        page.force_login(olga)
        clock.shift(16 * 60)
        asked = page.post("/settings/tokens", {"name": "laptop"}, headers={"host": HERE})
        sent = {"name": "laptop", "passkey_again": Device().get(options_in(asked))}
        answer = page.post("/settings/tokens", sent, headers={"host": HERE})
        assert answer.status_code == 403
        assert "That passkey was not accepted." in text_of(answer)
        assert not olga.tokens.exists()
