"""/settings/security/activity: what happened to one's own account, in words."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.own_log import GROUPS, LINES, SENTENCES, lines_of, sentence
from accounts.tests.conftest import sign_in
from conftest import person
from operating.tidying import tidy
from security.models import EventKind, SecurityEvent
from taskboard.tests.admin_pages import act
from web.tests.browsing import browser, text_of

PAGE = "/settings/security/activity"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
# Those of boards are in their activity; a deleted account has nobody to look.
NOT_SHOWN = {
    EventKind.PUBLIC_LINK_ON,
    EventKind.PUBLIC_LINK_OFF,
    EventKind.INVITED,
    EventKind.LINK_CREATED,
    EventKind.JOINED,
    EventKind.BOARD_OFFERED,
    EventKind.BOARD_HANDED_OVER,
    EventKind.BOARD_DELETED,
    EventKind.DELETED,
}


def happened(user, kind, **details) -> SecurityEvent:
    return SecurityEvent.objects.create(user=user, kind=kind, address="192.0.2.7", browser=FIREFOX, details=details)


@pytest.mark.parametrize(
    "kind, details, words",
    [
        ("signed-in", {}, "Signed in"),
        ("sign-in-failed", {}, "Sign-in failed"),
        ("sign-in-failed", {"via": "passkey"}, "Sign-in with a passkey failed"),
        ("sessions-ended", {}, "Signed out everywhere else"),
        ("sessions-ended", {"browser": "Firefox on Linux"}, "“Firefox on Linux” signed out"),
        ("factor-added", {"factor": "app"}, "Authenticator app added"),
        ("factor-added", {"factor": "passkey", "name": "laptop"}, "Passkey “laptop” added"),
        ("factor-removed", {"factor": "all"}, "Two-step sign-in removed"),
        ("browser-trusted", {}, "Browser remembered"),
        ("trust-withdrawn", {"browser": "all"}, "Remembered browsers forgotten"),
        ("trust-withdrawn", {"browser": "Opera"}, "“Opera” is no longer remembered"),
        ("token-created", {"name": "100 %s", "via": "web"}, "API token “100 %s” created"),
        ("token-revoked", {"name": ""}, "API token “unnamed” revoked"),
        ("address-changed", {"before": "a@b.example", "after": "c@d.example"}, "from a@b.example to c@d.example"),
        ("password-reset", {"tokens_revoked": 2}, "Password reset through an emailed link"),
        ("exported", {}, "Data exported"),
        ("exported", {"log": "csv"}, "Security log exported"),
    ],
)
def test_it_is_said_in_words_with_address_and_browser(olga, kind, details, words):
    happened(olga, kind, **details)
    shown = text_of(browser(olga).get(PAGE))
    assert words in shown
    assert "Firefox on Linux 192.0.2.7" in shown


def test_each_kind_has_a_sentence_and_a_group_or_is_left_out_for_a_reason():
    grouped = [kind for _label, kinds in GROUPS.values() for kind in kinds]
    assert sorted(grouped) == sorted(set(EventKind) - NOT_SHOWN)
    assert set(grouped) == set(SENTENCES)
    assert all("%" not in sentence(SecurityEvent(kind=kind)) for kind in SENTENCES)


def test_nobody_sees_what_happened_to_others(olga, ed):
    happened(ed, "token-created", name="his laptop")
    SecurityEvent.objects.create(kind="sign-in-failed", details={"email": "unknown@example.com"})
    sign_in(Client(), "unknown2@example.com", "wrong")
    words = text_of(browser(olga).get(PAGE))
    assert "his laptop" not in words
    assert "unknown" not in words
    assert "Sign-in failed" not in words


def test_a_failed_sign_in_shows_neither_password_nor_address_typed(olga):
    sign_in(Client(REMOTE_ADDR="192.0.2.66"), olga.email, "hunter2 hunter2")
    words = text_of(browser(olga).get(PAGE))
    assert "Sign-in failed" in words
    assert "192.0.2.66" in words
    assert "hunter2" not in words


def test_what_an_operator_did_is_told_without_where_from(olga, otto):
    operator = Client(REMOTE_ADDR="192.0.2.99")
    operator.force_login(otto)
    act(operator, "sign_out", olga)
    olga.refresh_from_db()
    words = text_of(browser(olga).get(PAGE))
    assert "by the operator of this service" in words
    assert "192.0.2.99" not in words
    assert otto.email not in words


def test_boards_are_left_to_their_own_activity(olga):
    happened(olga, "invited", invited="somebody@example.com")
    assert "somebody@example.com" not in text_of(browser(olga).get(PAGE))


def test_a_kind_is_shown_alone(olga):
    happened(olga, "token-created", name="laptop")
    happened(olga, "password-changed")
    page = browser(olga)
    words = text_of(page.get(PAGE, {"kind": "tokens"}))
    assert "API token “laptop” created" in words
    assert "Password changed" not in words
    assert "Password changed" in text_of(page.get(PAGE, {"kind": "nonsense"}))
    assert "No activity of this kind." in text_of(page.get(PAGE, {"kind": "data"}))


def test_pages_follow_each_other_while_more_happens(olga):
    events = [happened(olga, "token-created", name=f"t{number:03}") for number in range(LINES + 2)]
    first, before = lines_of(olga)
    happened(olga, "token-created", name="newer")
    assert before == events[2].pk
    second, end = lines_of(olga, before=before)
    assert [line.pk for line in first + second] == [event.pk for event in reversed(events)]
    assert end is None
    page = browser(olga)
    assert f'href="?before={before + 1}&amp;kind=tokens"' in page.get(PAGE, {"kind": "tokens"}).text
    assert "Older" not in text_of(page.get(PAGE, {"before": before}))
    assert "No older activity." in text_of(page.get(PAGE, {"before": events[0].pk}))


@pytest.mark.parametrize("before", ["", "x", "-1", "9" * 40, "²"])
def test_a_page_that_makes_no_sense_is_the_first(olga, before):
    happened(olga, "exported")
    assert "Data exported" in text_of(browser(olga).get(PAGE, {"before": before}))


def test_it_is_kept_for_ninety_days(olga):
    happened(olga, "exported")
    with time_machine.travel(timezone.now() + timedelta(days=89)):
        tidy()
        assert len(lines_of(olga)[0]) == 1
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        tidy()
        assert lines_of(olga) == ([], None)


def test_it_takes_a_fixed_number_of_statements(olga, django_assert_num_queries):
    for _number in range(3):
        happened(olga, "signed-in")
    page = browser(person("quiet"))
    page.force_login(olga)
    with django_assert_num_queries(3):  # session, account, lines
        page.get(PAGE)


def test_names_cannot_be_markup(olga):
    happened(olga, "token-created", name="<script>alert(1)</script>")
    assert "<script>alert" not in browser(olga).get(PAGE).text
