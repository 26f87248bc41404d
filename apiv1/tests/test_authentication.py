from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import revoke_token
from apiv1.tests.calls import is_refused, token_of

ME = "/api/v1/me"
ENDPOINTS = [
    ("GET", "/api/v1/me"),
    ("HEAD", "/api/v1/me"),
    ("GET", "/api/v1/boards"),
    ("POST", "/api/v1/boards"),
    ("POST", "/api/v1/cards"),
    ("DELETE", "/api/v1/token"),
]
UNKNOWN = "tbk_" + "x" * 43


@pytest.mark.parametrize("method, path", ENDPOINTS)
def test_every_endpoint_requires_a_token(anyone, method, path):
    answer = anyone.request(method, path)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert method == "HEAD" or is_refused(answer, 401, "Authorization: Bearer")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        f"Bearer {UNKNOWN}",
        "Bearer tbk_",
        f"Bearer {'x' * 5000}",
        "Bearer tbk_é".encode("latin-1"),
        "Basic b2xnYTpjb3JyZWN0",
        f"Token {UNKNOWN}",
        UNKNOWN,
    ],
)
def test_anything_but_a_live_token_gets_the_same_refusal(anyone, header):
    missing, wrong = anyone.get(ME), anyone.get(ME, headers={"Authorization": header})
    assert is_refused(wrong, 401)
    assert wrong.headers["WWW-Authenticate"] == "Bearer"
    assert wrong.content == missing.content


def test_a_revoked_token_is_refused_like_an_unknown_one(anyone, as_olga):
    revoke_token(ApiToken.objects.get())
    assert is_refused(as_olga.get(ME), 401)
    assert as_olga.get(ME).content == anyone.get(ME).content


def test_a_token_of_a_deactivated_account_is_refused_like_an_unknown_one(anyone, as_olga, olga):
    User.objects.filter(pk=olga.pk).update(is_active=False)
    assert is_refused(as_olga.get(ME), 401)
    assert as_olga.get(ME).content == anyone.get(ME).content


def test_a_token_works_until_it_expires_and_is_then_refused_like_an_unknown_one(anyone, connect, olga):
    client = connect(token_of(olga, expires_at=timezone.now() + timedelta(hours=1)))
    assert client.get(ME).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=True):
        assert is_refused(client.get(ME), 401)
        assert client.get(ME).content == anyone.get(ME).content


def test_a_reserved_token_gives_no_access(anyone, olga):
    ApiToken.objects.create(user=olga, name="To be fetched", reserved_until=timezone.now() + timedelta(minutes=10))
    assert is_refused(anyone.get(ME, headers={"Authorization": "Bearer None"}), 401)


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER ", "Bearer   "])
def test_the_scheme_is_accepted_in_any_case_and_spacing(anyone, olga, scheme):
    assert anyone.get(ME, headers={"Authorization": scheme + token_of(olga)}).status_code == 200


def test_a_token_is_taken_from_the_header_only(anyone, olga):
    token = token_of(olga)
    assert is_refused(anyone.get(ME, params={"token": token, "access_token": token}), 401)
    assert is_refused(anyone.get(ME, headers={"Cookie": f"token={token}"}), 401)


def test_a_web_session_gives_no_access_to_any_endpoint(anyone, olga):
    browser = Client()
    browser.force_login(olga)
    cookie = {"Cookie": f"sessionid={browser.cookies['sessionid'].value}"}
    assert is_refused(anyone.get(ME, headers=cookie), 401)
    assert is_refused(anyone.post("/api/v1/boards", json={"title": "Forged"}, headers=cookie), 401)


def test_the_answer_sets_no_cookie(as_olga, anyone):
    assert "Set-Cookie" not in as_olga.get(ME).headers
    assert "Set-Cookie" not in anyone.get(ME).headers


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/api/docs"])
def test_description_and_reference_require_no_token(anyone, path):
    assert anyone.get(path).status_code == 200
    assert anyone.get(path, headers={"Authorization": f"Bearer {UNKNOWN}"}).status_code == 200


def test_the_use_of_a_token_is_recorded_at_most_once_a_minute(as_olga):
    start = timezone.now()
    noted = []
    for seconds in (0, 59, 61):
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            as_olga.get(ME)
        noted.append(ApiToken.objects.get().last_used_at - start)
    assert noted == [timedelta(0), timedelta(0), timedelta(seconds=61)]
