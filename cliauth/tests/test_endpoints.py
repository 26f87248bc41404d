"""The API endpoints of the device flow: the start, and every answer to a poll."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken
from accounts.tokens import create_token
from cliauth import grants
from cliauth.models import Grant
from cliauth.tests.conftest import POLL, START, CommandLine, is_refused


def post(path: str, body: object = None, **options: object):
    return Client().post(path, body, content_type="application/json", **options)


def test_the_start_gives_both_codes(line, settings):
    codes = line.codes
    assert list(codes) == [
        "deviceCode",
        "userCode",
        "verificationUri",
        "verificationUriComplete",
        "expiresIn",
        "interval",
    ]
    assert re.fullmatch(r"[\w-]{43}", codes["deviceCode"])
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", codes["userCode"])
    assert codes["verificationUri"] == f"{settings.BASE_URL}/cli"
    assert codes["verificationUriComplete"] == f"{settings.BASE_URL}/cli?code={codes['userCode']}"
    assert (codes["expiresIn"], codes["interval"]) == (600, 5)


def test_only_the_digest_of_the_device_code_is_stored(line):
    code = line.codes["deviceCode"]
    assert line.grant.device_digest == hashlib.sha256(code.encode()).hexdigest()
    assert code not in str(Grant.objects.values().get())


def test_the_grant_stores_what_is_known_of_the_command_line(line):
    grant = line.grant
    assert (grant.client_name, grant.address) == ("my-laptop", "192.0.2.7")
    assert grant.browser == "taskboard-cli/1 (Linux)"
    assert grant.expires_at - grant.created_at == pytest.approx(timedelta(minutes=10), abs=timedelta(seconds=1))


@pytest.mark.parametrize("options", [{}, {"CONTENT_LENGTH": "0"}, {"CONTENT_LENGTH": ""}])
def test_the_start_needs_no_body(db, options):
    answer = Client().generic("POST", START, b"", content_type="", **options)
    assert answer.status_code == 200
    assert Grant.objects.get().client_name == ""


def test_the_name_may_be_null(db):
    assert post(START, {"clientName": None}).status_code == 200


def test_a_name_cannot_turn_the_text_around_it(db):
    assert post(START, {"clientName": "\u202ealgO"}).status_code == 200
    assert Grant.objects.get().client_name == "algO"


@pytest.mark.parametrize("name", [3, "", "x" * 101, "a\nb", "a\0b", ["x"], {}])
def test_an_invalid_name_is_refused(db, name):
    assert is_refused(post(START, {"clientName": name}), 400, "clientName")
    assert not Grant.objects.exists()


@pytest.mark.parametrize("path", [START, POLL])
@pytest.mark.parametrize(
    "body, kind, status", [("{", "application/json", 400), ("[]", "application/json", 400), ("{}", "text/plain", 415)]
)
def test_an_invalid_body_is_refused(db, path, body, kind, status):
    assert is_refused(Client().post(path, body, content_type=kind), status)


@pytest.mark.parametrize("path", [START, POLL])
def test_a_body_with_an_encoding_is_refused(db, path):
    answer = post(path, {"deviceCode": "x"}, headers={"Content-Encoding": "gzip"})
    assert is_refused(answer, 415, "Content-Encoding")


@pytest.mark.parametrize("path", [START, POLL])
def test_other_methods_are_refused(db, path):
    answer = Client().get(path)
    assert is_refused(answer, 405, "POST")
    assert answer["Allow"] == "POST"


def test_answers_are_not_stored(line, olga, decide):
    decide(olga, line)
    assert post(START)["Cache-Control"] == "no-store"
    assert line.poll()["Cache-Control"] == "no-store"


def test_a_waiting_grant_is_answered_202_each_time(line):
    for _time in range(3):
        answer = line.poll()
        assert (answer.status_code, answer.json()) == (202, {"status": "pending", "interval": 5})


def test_a_poll_says_that_the_plan_has_no_free_token_once_somebody_wanted_to_approve(line, olga, decide):
    create_token(olga, "Script")
    assert "reason" not in line.poll().json()
    decide(olga, line)
    for _time in range(2):
        answer = line.poll()
        assert (answer.status_code, list(answer.json())) == (202, ["status", "interval", "reason"])
        assert "revoke one and approve" in answer.json()["reason"]
    ApiToken.objects.update(revoked_at=timezone.now())
    decide(olga, line)
    assert list(line.poll().json()) == ["token"]


def test_an_approved_grant_is_answered_200_with_a_token_that_works(line, olga, decide):
    decide(olga, line)
    answer = line.poll()
    assert answer.status_code == 200
    token = answer.json()["token"]
    assert re.fullmatch(r"tbk_[\w-]{43}", token)
    me = Client().get("/api/v1/me", HTTP_AUTHORIZATION=f"Bearer {token}")
    assert me.json()["user"]["email"] == "olga@example.com"


def test_the_token_has_the_claimed_name_and_records_how_it_was_made(line, olga, decide):
    decide(olga, line)
    line.poll()
    token = ApiToken.objects.get()
    assert (token.name, token.made_by, token.reserved_until) == ("my-laptop", "cli", None)


def test_without_a_claimed_name_the_token_has_one_in_the_accounts_language(db, olga, decide):
    line = CommandLine()
    line.start()
    decide(olga, line)
    assert ApiToken.objects.get().name == "Command line"


def test_the_value_of_the_token_is_stored_nowhere(line, olga, decide):
    decide(olga, line)
    value = line.poll().json()["token"]
    assert value not in str(Grant.objects.values().get())
    assert value not in str(ApiToken.objects.values().get())


def test_a_delivered_grant_is_answered_410(line, olga, decide):
    decide(olga, line)
    assert line.poll().status_code == 200
    assert is_refused(line.poll(), 410)
    assert ApiToken.objects.count() == 1


def test_a_denied_grant_is_answered_403_and_creates_no_token(line, olga, decide):
    decide(olga, line, "deny")
    assert is_refused(line.poll(), 403, "denied")
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("answer", [None, "approve", "deny"])
def test_after_ten_minutes_the_answer_is_410_whatever_was_decided(line, olga, decide, answer):
    if answer:
        decide(olga, line, answer)
    line.shift(expires_at=timezone.now())
    assert is_refused(line.poll(), 410)
    assert not ApiToken.objects.live().exists()


def test_the_answer_is_410_if_the_approver_was_deactivated_since(line, olga, decide):
    decide(olga, line)
    olga.is_active = False
    olga.save()
    assert is_refused(line.poll(), 410)
    olga.is_active = True
    olga.save()
    assert line.poll().status_code == 200  # nothing was used up


def test_the_answer_is_410_if_the_approvers_password_changed_since(line, olga, decide):
    decide(olga, line)
    olga.set_password("another one")
    olga.save()
    assert is_refused(line.poll(), 410)


def test_the_answer_is_410_if_the_slot_was_revoked_before_it_was_fetched(line, olga, decide):
    decide(olga, line)
    ApiToken.objects.update(revoked_at=timezone.now())
    assert is_refused(line.poll(), 410)


def test_an_unknown_code_is_answered_404(db):
    assert is_refused(post(POLL, {"deviceCode": "a" * 43}), 404)


@pytest.mark.parametrize(
    "body", [{}, {"deviceCode": None}, {"deviceCode": ""}, {"deviceCode": 7}, {"deviceCode": "a\0"}]
)
def test_a_missing_or_malformed_code_is_answered_400(db, body):
    assert is_refused(post(POLL, body), 400, "deviceCode")


def test_starts_are_counted_by_address(stopped_clock, db):
    answers = [post(START, REMOTE_ADDR="192.0.2.1") for _time in range(31)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]
    assert answers[0]["RateLimit-Limit"] == "30"
    assert int(answers[-1]["Retry-After"]) >= 1
    assert post(START, REMOTE_ADDR="192.0.2.2").status_code == 200


def test_starts_are_counted_by_the_network_of_an_ipv6_address(stopped_clock, db):
    answers = [post(START, REMOTE_ADDR=f"2001:db8::{number:x}") for number in range(1, 101)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429] * 70
    assert post(START, REMOTE_ADDR="2001:db8:0:1::1").status_code == 200


def test_polls_are_counted_by_code(stopped_clock, line):
    answers = [line.poll() for _time in range(61)]
    assert [answer.status_code for answer in answers] == [202] * 60 + [429]
    assert answers[0]["RateLimit-Limit"] == "60"
    other = CommandLine(REMOTE_ADDR="192.0.2.7")
    other.start()
    assert other.poll().status_code == 202


def test_polls_are_counted_by_address(stopped_clock, db, settings):
    settings.LIMITS = settings.LIMITS | {"cli-poll": "3/d"}
    answers = [post(POLL, {"deviceCode": str(number)}) for number in range(4)]
    assert [answer.status_code for answer in answers] == [404] * 3 + [429]


def test_a_code_that_is_in_use_is_drawn_again(db, monkeypatch):
    letters = iter("BBBBBBBB" + "BBBBBBBB" + "CCCCCCCC")
    monkeypatch.setattr(grants.secrets, "choice", lambda alphabet: next(letters))
    lines = [CommandLine(), CommandLine()]
    assert [line.start()["userCode"] for line in lines] == ["BBBB-BBBB", "CCCC-CCCC"]


def test_a_poll_takes_one_statement_while_nobody_has_decided(line, django_assert_num_queries):
    with django_assert_num_queries(1):
        line.poll()


def test_grants_are_tidied_a_day_after_they_expired(line):
    from operating.tidying import tidy

    now = timezone.now()
    line.shift(expires_at=now - timedelta(hours=23))
    assert tidy()["device grants"] == 0
    assert is_refused(line.poll(), 410)
    line.shift(expires_at=now - timedelta(hours=25))
    assert tidy()["device grants"] == 1
    assert is_refused(line.poll(), 404)
