"""The address of a client behind the operator's proxies, and the network that limits count by."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings

IPV6_NETWORK = 64  # bits: what one household or one server has. It could take a new address for every request
WIDE = {4: 24, 6: 48}  # bits: what one site or provider has. It could take a new network for every request
WITH_PORT = re.compile(r"\[(.*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+")


def client_address(peer: str, forwarded_for: str) -> str:
    """Return the address that the outermost of the TASKBOARD_TRUSTED_PROXIES saw; without proxies, `peer`.

    It is counted from the end of X-Forwarded-For, because clients can write anything at its beginning. The address has
    no port and no zone. It is empty where neither is an address, as behind a Unix socket.
    """
    hops = forwarded_for.split(",")
    trusted = settings.TRUSTED_PROXIES
    told = hops[-trusted] if trusted and len(hops) >= trusted else peer
    return str(_parsed(told) or _parsed(peer) or "")


def network_of(address: str) -> str:
    """Return the key by which limits count an address: an IPv4 address itself, the /64 of an IPv6 address.

    Texts that are not addresses count together, under the empty string.
    """
    found = _parsed(address)
    return str(ip_network((found, IPV6_NETWORK), strict=False) if isinstance(found, IPv6Address) else found or "")


def wide_network_of(address: str) -> str:
    """Return the key of the wider network (/24 or /48), of which one attacker seldom has many."""
    found = _parsed(address)
    return str(ip_network((found, WIDE[found.version]), strict=False)) if found else ""


@lru_cache(1024)  # of the people who are here now
def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address as proxies write it: perhaps with brackets, port or zone. IPv6 that maps IPv4 is read as that."""
    text = text.strip()
    if found := WITH_PORT.fullmatch(text):
        text = found[1] or found[2] or ""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
