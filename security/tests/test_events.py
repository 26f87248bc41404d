import logging
from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone

from operating.tidying import tidy
from security.events import log_event
from security.models import EventKind, SecurityEvent

pytestmark = pytest.mark.django_db


def a_request(**headers):
    return RequestFactory().get("/", REMOTE_ADDR="203.0.113.7", **headers)


def test_an_event_tells_who_what_and_from_where(olga):
    log_event(EventKind.TOKEN_CREATED, a_request(HTTP_USER_AGENT="Firefox"), user=olga, name="laptop")
    event = SecurityEvent.objects.get()
    assert (event.kind, event.user, event.by) == ("token-created", olga, None)
    assert (event.address, event.browser, event.details) == ("203.0.113.7", "Firefox", {"name": "laptop"})


def test_the_line_of_an_event_cannot_begin_a_line_of_its_own(olga, caplog):
    caplog.set_level(logging.INFO, "security")
    log_event(EventKind.SIGN_IN_FAILED, a_request(), user=olga, why='password"\nevent="signed-in')
    [said] = [record.getMessage() for record in caplog.records if record.name.startswith("security")]
    assert said == (
        f'event="sign-in-failed" account="{olga.pk}" address="203.0.113.7" why="password\\"\\nevent=\\"signed-in"'
    )


def test_addresses_of_people_are_in_the_row_and_not_in_the_line(olga, caplog):
    log_event(EventKind.INVITED, None, user=olga, invited="ed@example.com", role="editor")
    assert SecurityEvent.objects.get().details["invited"] == "ed@example.com"
    assert 'role="editor"' in caplog.text
    assert "ed@example.com" not in caplog.text


@pytest.mark.parametrize(
    "kind, name",
    [
        (EventKind.BOARD_DELETED, "title"),
        (EventKind.PUBLIC_LINK_ON, "title"),
        (EventKind.EXPORTED, "board"),
        (EventKind.IMPORTED, "name"),
        (EventKind.DEVICE_DENIED, "name"),
        (EventKind.INVITED, "invited"),
    ],
)
def test_what_somebody_chose_is_in_the_row_and_not_in_the_line(olga, caplog, kind, name):
    caplog.set_level(logging.INFO, "security")
    log_event(kind, None, user=olga, **{name: "The merger"}, count=3)
    assert SecurityEvent.objects.get().details[name] == "The merger"
    assert "count=3" in caplog.text
    assert "merger" not in caplog.text


def test_a_browser_of_any_length_is_cut(olga):
    log_event(EventKind.SIGNED_IN, a_request(HTTP_USER_AGENT="x" * 5000), user=olga)
    assert len(SecurityEvent.objects.get().browser) == 200


def test_the_log_is_kept_for_ninety_days(olga):
    for days in (89, 91):
        log_event(EventKind.SIGNED_IN, a_request(), user=olga, days=days)
        SecurityEvent.objects.filter(details__days=days).update(at=timezone.now() - timedelta(days=days))
    tidy()
    assert [event.details["days"] for event in SecurityEvent.objects.all()] == [89]
