"""The address that a client has behind as many proxies as the operator declares."""

import pytest

from cliauth.tests.conftest import CommandLine

PROXY = "10.0.0.1"  # the address that connects to the service


@pytest.mark.parametrize(
    "proxies, forwarded, address",
    [
        (0, "203.0.113.9", PROXY),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),  # the first was written by the client itself
        (2, "198.51.100.1,203.0.113.9 , 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", PROXY),  # did not pass the outermost proxy
        (1, "", PROXY),
    ],
)
def test_a_client_has_the_address_that_the_outermost_trusted_proxy_saw(db, settings, proxies, forwarded, address):
    settings.TRUSTED_PROXIES = proxies
    line = CommandLine(REMOTE_ADDR=PROXY, HTTP_X_FORWARDED_FOR=forwarded)
    line.start()
    assert line.grant.address == address
