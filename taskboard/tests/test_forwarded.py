"""X-Forwarded-For as the two production servers hand it on: in several lines, with another spelling of its name."""

import httpx
import pytest

from apiv1.tests.stacks import embedded, gunicorn
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PLAIN_HTTP

START = "/api/v1/cli/auth"
CLIENT, OTHER, FORGED = "203.0.113.9", "203.0.113.10", "198.51.100."


@pytest.mark.timeout(300)
@pytest.mark.parametrize("stack", [embedded, gunicorn])
def test_the_address_counted_is_the_one_that_the_proxy_saw(processes, stack, tmp_path):
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path / "data")), "TASKBOARD_TRUSTED_PROXIES": "1"}
    with stack({**environment, "TASKBOARD_LIMITS": "cli-start=5/d"}) as running:

        def start(*lines):
            return httpx.post(running.url + START, headers=list(lines), **PLAIN_HTTP).status_code

        name = "X-Forwarded-For"
        ways = [
            [(name, CLIENT)],
            [(name, f"{FORGED}1, {CLIENT}")],
            [(name, f"{FORGED}2"), (name, CLIENT)],
            [(name, f"{FORGED}3, {FORGED}4"), (name.lower(), f"{FORGED}5, {CLIENT}:50123")],
            [("X_Forwarded_For", f"{FORGED}6"), ("Forwarded", f"for={FORGED}7"), (name, f"unknown, ::ffff:{CLIENT}")],
        ]
        assert [start(*lines) for lines in ways] == [200] * 5
        assert [start(*lines) for lines in ways] == [429] * 5
        assert start((name, f"{CLIENT}, {OTHER}")) == 200
