"""The page /cli, on which users approve or deny."""

import re
from copy import copy
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Plan
from accounts.tests.conftest import at_once
from accounts.tokens import create_token
from cliauth import grants
from cliauth.models import Grant, GrantState
from cliauth.tests.conftest import CommandLine
from conftest import person
from security.models import EventKind, SecurityEvent
from web.tests.browsing import browser, text_of

WRONG = "This code is wrong, already used or expired."


def test_signed_out_people_sign_in_and_come_back(db, olga):
    client = browser()
    answer = client.get("/cli?code=BCDF-GHJK")
    assert answer["Location"] == "/sign-in?next=/cli%3Fcode%3DBCDF-GHJK"
    answer = client.post(answer["Location"], {"login": olga.email, "password": "correct horse"})
    assert answer["Location"] == "/cli?code=BCDF-GHJK"


def test_who_is_signed_out_meanwhile_comes_back_to_the_code(olga, line):
    create_token(olga, "Script")
    code = line.codes["userCode"]
    client = browser(olga)
    pages = [client.get("/cli", {"code": code}), client.post("/cli", {"code": code, "answer": "approve"})]
    actions = [action for page in pages for action in re.findall(r'method="post" action="(/cli[^"]*)"', page.text)]
    assert len(actions) == 3  # with one to revoke a token
    for action in actions:
        answer = browser().post(action, {"code": code, "answer": "approve"})
        assert answer["Location"] == f"/sign-in?next=/cli%3Fcode%3D{code}"


def test_without_a_code_it_asks_for_one(olga):
    answer = browser(olga).get("/cli")
    assert answer.status_code == 200
    assert 'name="code"' in answer.content.decode()


def test_it_shows_what_is_known_of_the_command_line(olga, line):
    answer = browser(olga, REMOTE_ADDR="192.0.2.99").get("/cli", {"code": line.codes["userCode"]})
    text = text_of(answer)
    for words in (
        line.codes["userCode"],
        "my-laptop",
        "192.0.2.7",
        "Not your address",
        "taskboard-cli/1 (Linux)",
        "just now",
        "olga@example.com",
        "Approve only if you just started this yourself",
        "revoke",
    ):
        assert words in text


def test_it_says_when_the_address_is_the_same(olga, line):
    text = text_of(browser(olga, REMOTE_ADDR="192.0.2.7").get("/cli", {"code": line.codes["userCode"]}))
    assert "Your current address" in text
    assert "Not your address" not in text


@pytest.mark.parametrize("here, is_foreign", [("2001:db8::99", False), ("2001:db8:0:1::7", True)])
def test_another_address_of_the_same_ipv6_network_is_not_called_foreign(olga, db, here, is_foreign):
    line = CommandLine(REMOTE_ADDR="2001:db8::7")
    line.start()
    text = text_of(browser(olga, REMOTE_ADDR=here).get("/cli", {"code": line.codes["userCode"]}))
    assert ("Not your address" in text) == is_foreign
    assert "Your current address" not in text


def test_it_says_how_long_ago_the_command_line_asked(olga, line):
    line.shift(created_at=timezone.now() - timedelta(minutes=4))
    text = text_of(browser(olga).get("/cli", {"code": line.codes["userCode"]}))
    assert "4\xa0minutes ago" in text.replace("4 minutes", "4\xa0minutes")


def test_a_claimed_name_is_shown_as_text(olga, db):
    line = CommandLine(HTTP_USER_AGENT="<script>alert(1)</script>\x1b[31m")
    line.start(clientName="<b>x</b>")
    page = browser(olga).get("/cli", {"code": line.codes["userCode"]}).content.decode()
    assert "<b>x</b>" not in page
    assert "<script>alert" not in page
    assert "\x1b" not in page


def test_what_a_program_says_of_itself_stands_in_quotes(olga, db):
    """So it cannot pass for a row of ours."""
    claimed = "Firefox. Requested from: your own computer (Your current address)"
    line = CommandLine(HTTP_USER_AGENT=claimed)
    line.start(clientName=claimed)
    page = browser(olga).get("/cli", {"code": line.codes["userCode"]}).content.decode()
    assert page.count(claimed) == page.count(f"<q>{claimed}</q>") == 2


def test_a_code_in_the_address_decides_nothing(olga, line):
    browser(olga).get("/cli", {"code": line.codes["userCode"], "answer": "approve"})
    assert line.grant.state == GrantState.WAITING
    assert not ApiToken.objects.exists()


def test_deny_comes_first_and_both_are_buttons_of_one_form(olga, line):
    page = browser(olga).get("/cli", {"code": line.codes["userCode"]}).content.decode()
    assert page.index('value="deny"') < page.index('value="approve"')
    assert 'method="post"' in page


@pytest.mark.parametrize("typed", ["{}", " {} ", "{},", "({}).", "“{}”\u200b"])
@pytest.mark.parametrize("dash", ["-", "", " ", " - ", "\u2011"])
def test_a_code_may_be_typed_in_any_way_and_is_not_counted_as_wrong(olga, line, typed, dash):
    code = typed.format(line.codes["userCode"].lower().replace("-", dash))
    page = browser(olga)
    for _time in range(6):
        assert page.get("/cli", {"code": code}).status_code == 200


@pytest.mark.parametrize("wrong", ["{}x", "é{}", ",", "1234-5678"])
def test_a_letter_more_or_none_at_all_is_a_wrong_code(olga, line, wrong):
    assert browser(olga).get("/cli", {"code": wrong.format(line.codes["userCode"])}).status_code == 404


def test_approving_needs_the_forms_token(olga, line):
    client = browser(olga, enforce_csrf_checks=True)
    assert client.post("/cli", {"code": line.codes["userCode"], "answer": "approve"}).status_code == 403
    assert line.grant.state == GrantState.WAITING


def test_an_api_token_cannot_approve(olga, line):
    value = create_token(person("paula", plan_id="pro"), "Script")[1]
    answer = Client().post(
        "/cli", {"code": line.codes["userCode"], "answer": "approve"}, HTTP_AUTHORIZATION=f"Bearer {value}"
    )
    assert answer.status_code == 302
    assert line.grant.state == GrantState.WAITING


def test_approving_says_so_and_takes_a_slot(olga, line, decide):
    answer = decide(olga, line)
    assert "Approved" in text_of(answer)
    token = ApiToken.objects.get()
    assert (token.user, token.digest, token.is_live) == (olga, None, False)
    assert "Pending" in text_of(browser(olga).get("/settings/tokens"))


@pytest.mark.parametrize("clicked, words", [("approve", "Approved"), ("deny", "Denied")])
def test_a_second_click_is_answered_as_the_first(olga, line, decide, clicked, words):
    for _click in range(2):
        assert words in text_of(decide(olga, line, clicked))
    assert SecurityEvent.objects.filter(kind__in=[EventKind.DEVICE_APPROVED, EventKind.DEVICE_DENIED]).count() == 1


def test_a_click_after_the_token_was_fetched_is_answered_as_the_first(olga, line, decide):
    decide(olga, line)
    line.poll()
    assert "Approved" in text_of(decide(olga, line))
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize("first, second", [("approve", "deny"), ("deny", "approve")])
def test_the_other_button_finds_the_code_used(olga, line, decide, first, second):
    decide(olga, line, first)
    assert WRONG in text_of(decide(olga, line, second))
    assert line.grant.state == (GrantState.APPROVED if first == "approve" else GrantState.DENIED)


@pytest.mark.parametrize("clicked", ["approve", "deny"])
def test_somebody_else_finds_the_code_used(olga, stan, line, decide, clicked):
    decide(olga, line, clicked)
    assert WRONG in text_of(decide(stan, line, clicked))


def test_a_second_click_after_the_token_was_revoked_finds_the_code_used(olga, line, decide):
    decide(olga, line)
    ApiToken.objects.update(revoked_at=timezone.now())
    assert WRONG in text_of(decide(olga, line))


def test_a_second_click_after_the_code_expired_finds_it_used(olga, line, decide):
    decide(olga, line)
    line.shift(expires_at=timezone.now())
    assert WRONG in text_of(decide(olga, line))


def test_denying_says_so(olga, line, decide):
    assert "Denied" in text_of(decide(olga, line, "deny"))
    assert line.grant.state == GrantState.DENIED


def test_wrong_used_and_expired_codes_get_the_same_answer(olga, db, decide):
    lines = [CommandLine(), CommandLine(), CommandLine()]
    for line in lines:
        line.start()
    decide(olga, lines[0], "deny")
    decide(olga, lines[1])
    lines[2].shift(expires_at=timezone.now())
    pages = [
        text_of(browser(person(f"p{number}")).get("/cli", {"code": code})).replace(code, "")
        for number, code in enumerate(["BBBB-CCCC", *(line.codes["userCode"] for line in lines)])
    ]
    pages = [page.replace(f"p{number}", "p").replace(f"P{number}", "P") for number, page in enumerate(pages)]
    assert WRONG in pages[0]
    assert len(set(pages)) == 1


@pytest.mark.parametrize("code", ["AAAA-AAAA", "short", "x" * 5000, "\0", "ＢＢＢＢ-ＢＢＢＢ", "BBBBCCCCD"])
def test_text_that_is_not_a_code_is_a_wrong_code(olga, code):
    answer = browser(olga).get("/cli", {"code": code})
    assert answer.status_code == 404
    assert WRONG in text_of(answer)


def test_an_account_is_refused_after_five_wrong_codes(stopped_clock, olga, ed, line):
    client = browser(olga)
    answers = [client.get("/cli", {"code": "BBBB-CCCC"}) for _time in range(6)]
    assert [answer.status_code for answer in answers] == [404] * 5 + [429]
    assert int(answers[-1]["Retry-After"]) >= 1
    refused = client.post("/cli", {"code": line.codes["userCode"], "answer": "approve"})
    assert (refused.status_code, line.grant.state) == (429, GrantState.WAITING)
    assert browser(ed).get("/cli", {"code": line.codes["userCode"]}).status_code == 200


def test_an_address_is_refused_after_twenty_wrong_codes(stopped_clock, db, line):
    people = [browser(person(f"p{number}"), REMOTE_ADDR="192.0.2.50") for number in range(5)]
    for client in people[:4]:
        assert {client.get("/cli", {"code": "BBBB-CCCC"}).status_code for _time in range(5)} == {404}
    assert people[4].get("/cli", {"code": line.codes["userCode"]}).status_code == 429


def test_a_network_is_refused_after_twenty_wrong_codes(stopped_clock, db, line):
    for number in range(4):
        client = browser(person(f"p{number}"), REMOTE_ADDR=f"2001:db8::{number}")
        assert {client.get("/cli", {"code": "BBBB-CCCC"}).status_code for _time in range(5)} == {404}
    late = browser(person("late"), REMOTE_ADDR="2001:db8::ffff:ffff")
    assert late.get("/cli", {"code": line.codes["userCode"]}).status_code == 429


@pytest.mark.django_db(transaction=True)
def test_of_forty_wrong_codes_at_once_exactly_five_are_looked_up(stopped_clock, olga, monkeypatch):
    looked_up = []
    find = grants.find_waiting
    monkeypatch.setattr(grants, "find_waiting", lambda typed: [looked_up.append(typed), find(typed)])
    client = browser(olga)
    answers = at_once(40, lambda: copy(client).get("/cli", {"code": "BBBB-CCCC"}).status_code)
    assert sorted(answers) == [404] * 5 + [429] * 35
    assert len(looked_up) == 5


def test_right_codes_are_not_counted(olga, line):
    client = browser(olga)
    assert {client.get("/cli", {"code": line.codes["userCode"]}).status_code for _time in range(8)} == {200}


def test_without_a_free_slot_it_says_so_and_the_grant_keeps_waiting(olga, line, decide):
    create_token(olga, "Script")
    answer = decide(olga, line)
    assert "Your plan allows 1 API token" in text_of(answer)
    assert "/settings/tokens" in answer.content.decode()
    assert line.grant.state == GrantState.WAITING
    assert line.poll().status_code == 202
    ApiToken.objects.update(revoked_at=timezone.now())
    decide(olga, line)
    assert line.poll().status_code == 200


def test_without_a_free_slot_a_token_can_be_revoked_and_the_code_approved_at_once(olga, line, decide):
    script = create_token(olga, "Script")[0]
    page = decide(olga, line).content.decode()
    assert page.index("Approve only if") < page.index(f'name="revoke" value="{script.pk}"')
    answer = browser(olga).post("/cli", {"code": line.codes["userCode"], "answer": "approve", "revoke": script.pk})
    assert "Approved" in text_of(answer)
    assert line.poll().status_code == 200
    assert list(ApiToken.objects.live().values_list("name", flat=True)) == ["my-laptop"]
    events = SecurityEvent.objects.filter(kind__in=[EventKind.TOKEN_REVOKED, EventKind.DEVICE_APPROVED])
    assert sorted(events.values_list("kind", flat=True)) == sorted([EventKind.TOKEN_REVOKED, EventKind.DEVICE_APPROVED])


def test_without_the_list_of_tokens_nothing_is_offered_to_revoke(olga, line):
    create_token(olga, "Script")
    assert 'name="revoke"' not in browser(olga).get("/cli", {"code": line.codes["userCode"]}).content.decode()


@pytest.mark.parametrize("whose", ["stan", "nobody"])
def test_the_token_of_somebody_else_is_not_revoked(olga, stan, line, whose):
    mine, theirs = create_token(olga, "Mine")[0], create_token(stan, "Theirs")[0]
    revoke = theirs.pk if whose == "stan" else "x"
    answer = browser(olga).post("/cli", {"code": line.codes["userCode"], "answer": "approve", "revoke": revoke})
    assert "Your plan allows 1 API token" in text_of(answer)
    assert set(ApiToken.objects.live()) == {mine, theirs}


def test_where_one_revoked_token_is_not_enough_none_is_revoked(olga, line):
    Plan.objects.filter(pk="free").update(max_tokens=2)
    tokens = [create_token(olga, name)[0] for name in ("One", "Other")]
    Plan.objects.filter(pk="free").update(max_tokens=1)
    fields = {"code": line.codes["userCode"], "answer": "approve", "revoke": tokens[0].pk}
    assert "Your plan allows 1 API token" in text_of(browser(olga).post("/cli", fields))
    assert ApiToken.objects.live().count() == 2
    assert not SecurityEvent.objects.filter(kind=EventKind.TOKEN_REVOKED).exists()


def test_a_code_that_was_used_revokes_nothing(olga, line, decide):
    script = create_token(olga, "Script")[0]
    decide(olga, line, "deny")
    fields = {"code": line.codes["userCode"], "answer": "approve", "revoke": script.pk}
    assert WRONG in text_of(browser(olga).post("/cli", fields))
    assert ApiToken.objects.live().get() == script


def test_a_code_that_somebody_else_used_in_this_moment_is_a_wrong_code(olga, line, decide, monkeypatch):
    def late(*_arguments, **_options):
        raise grants.Gone

    monkeypatch.setattr(grants, "approve", late)
    assert WRONG in text_of(decide(olga, line))


def test_a_slot_that_nobody_fetched_is_free_again(olga, line, decide):
    decide(olga, line)
    ApiToken.objects.update(reserved_until=timezone.now())
    create_token(olga, "Script")
    assert ApiToken.objects.taking_a_slot().count() == 1
    assert "Pending" not in text_of(browser(olga).get("/settings/tokens"))


def test_the_page_can_be_neither_framed_nor_cached(olga):
    answer = browser(olga).get("/cli")
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("language", ["de", "fr", "es", "pt-br", "ja", "zh-hans"])
def test_the_page_is_in_the_language_of_the_account(olga, line, language):
    olga.language = language
    olga.save()
    text = text_of(browser(olga).get("/cli", {"code": line.codes["userCode"]}))
    assert "Approve only if" not in text


def test_operators_see_grants_without_device_codes(otto, line):
    answer = browser(otto).get("/admin/cliauth/grant/")
    assert line.grant.user_code in text_of(answer)
    page = browser(otto).get(f"/admin/cliauth/grant/{line.grant.pk}/change/")
    assert page.status_code == 200
    assert line.grant.device_digest not in page.content.decode()
    assert Grant.objects.count() == 1
