"""Which addresses messages are sent to. Browsers name them, so anybody could name any: they must lead out of our network."""

from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from core.reaching import is_private_literal

LONGEST = 1000  # characters


def is_allowed(endpoint: str) -> bool:
    """Tell whether the address has the shape of a push service's. Where its name leads is checked when it is called."""
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        return False
    try:
        parts = urlsplit(endpoint)
        port, host = parts.port, parts.hostname
    except ValueError:
        return False
    if not host or parts.fragment or "@" in parts.netloc or "\\" in endpoint:
        return False
    return is_own(parts) or (parts.scheme == "https" and port in (None, 443) and not is_private_literal(host))


def is_own(parts: SplitResult) -> bool:
    """Tell whether the operator named this push service: it may then be anywhere."""
    return f"{parts.scheme}://{parts.netloc}" in settings.PUSH_SERVERS
