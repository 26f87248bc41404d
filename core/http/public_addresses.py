"""Tells public IP addresses from those that lead into a private network."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

NAT64 = [
    IPv6Network("64:ff9b::/96"),
    IPv6Network("64:ff9b:1::/48"),
]  # the first holds an IPv4 address, the second is private


def is_public(address: str) -> bool:
    """Tell whether this IP address is one of the internet, and no way back into a network of ours."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found in NAT64[1] or found.teredo or found.is_site_local:
            return False
        found = _inner(found) or found
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def is_private_literal(host: str) -> bool:
    try:
        return not is_public(host)
    except ValueError:
        return False  # a name


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that this one stands for."""
    if address in NAT64[0]:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
