"""The network that an address belongs to. taskboard/tests/test_middleware.py has the addresses behind proxies."""

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from core.http.addresses import client_address, network_of


@pytest.mark.parametrize(
    "address, network",
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7:50123", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:DB8:0:0:ffff::9", "2001:db8::/64"),
        ("2001:db8:0:1::9", "2001:db8:0:1::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("[::ffff:203.0.113.7]:80", "203.0.113.7"),
        ("::1", "::/64"),
    ],
)
def test_an_ipv6_address_counts_as_its_network(address, network):
    assert network_of(address) == network


@pytest.mark.parametrize("text", ["", "unknown", "unix:", "x" * 60, "203.0.113", "203.0.113.7.9", "[", "[]", "1::2::3"])
def test_what_is_no_address_counts_together(text):
    assert network_of(text) == ""


@given(st.text(), st.text(), st.integers(0, 3))
def test_no_header_breaks_anything(peer, forwarded, proxies):
    with override_settings(TRUSTED_PROXIES=proxies):
        found = client_address(peer, forwarded)
    assert len(found) <= 39
    assert len(network_of(peer)) <= 42
