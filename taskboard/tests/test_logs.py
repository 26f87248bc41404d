"""A request for an unknown host is one line, and not for each of them."""

import time

import pytest
from django.test import Client

from core.outage import Throttle
from taskboard.logs import UnknownHost


def test_unknown_hosts_are_a_line_now_and_then_that_names_the_setting(monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(UnknownHost, "lines", Throttle(15))
    client = Client(raise_request_exception=False)
    for number in range(5):
        assert client.get("/sign-in", headers={"Host": f"scanner-{number}.example"}).status_code == 400
    now[0] += 15
    client.get("/sign-in", headers={"Host": "evil\nline"})
    lines = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert [line.levelname for line in lines] == ["WARNING", "WARNING"]
    assert not any(line.exc_info for line in lines)
    assert lines[0].getMessage() == (
        "refused 1 request for a host that is not in TASKBOARD_ALLOWED_HOSTS, the last one for 'scanner-0.example'"
    )
    assert lines[1].getMessage().startswith("refused 5 requests")
    assert "\n" not in lines[1].getMessage()
