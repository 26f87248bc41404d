"""Check the addresses that messages are sent to. Browsers name them, so they must lead out of our network."""

from urllib.parse import urlsplit

from django.conf import settings

from core.http import outgoing

LONGEST = 1000  # characters
PORTS = (None, 443)


def is_allowed(endpoint: str) -> bool:
    """Tell whether the address has the shape of a push service's. Where its name leads is checked when it is called.

    The operator may name services that may be anywhere.
    """
    if len(endpoint) > LONGEST or not outgoing.is_allowed(endpoint, settings.PUSH_SERVERS):
        return False
    parts = urlsplit(endpoint)
    return not parts.fragment and (parts.port in PORTS or outgoing.is_named(endpoint, settings.PUSH_SERVERS))
