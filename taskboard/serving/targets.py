"""The target of a request. It may be a whole URL in place of the path (RFC 9112, 3.2.2)."""

from urllib.parse import urlsplit


def is_whole_url(target: bytes) -> bool:
    return target.lower().startswith((b"http://", b"https://"))


def path_of(target: bytes) -> bytes:
    """Return path and query of the target."""
    if not is_whole_url(target):
        return target
    parts = urlsplit(target)
    return (parts.path or b"/") + (b"?" + parts.query if parts.query else b"")


def authority_of(target: bytes) -> bytes:
    """Return host and port of a whole URL."""
    return urlsplit(target).netloc
