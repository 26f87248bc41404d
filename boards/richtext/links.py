"""Check and write the addresses of links, and find the addresses in a text."""

import re
from collections.abc import Iterator
from urllib.parse import quote

from django.conf import settings

from core.ids import parse_id

ALLOWED = re.compile(r"(?:https?://|mailto:)[^\s/]", re.IGNORECASE)
# Characters that a browser, an HTML attribute or Markdown could misread are written as %XX.
AWKWARD = re.compile(r"""[\s\x00-\x20\x7f-\x9f<>"\\`]""")
# Brackets belong to the address only in pairs, so that an address may itself stand in brackets.
BARE = re.compile(r"""(?<!\w)https?://(?:[^\s<>"`()\\]|\([^\s<>"`()\\]*\))+""", re.IGNORECASE)
MENTION = "mention:"
PICTURE = "attachment:"
FILES = "/attachments/"
NOT_AT_THE_END = ".,:;!?'*_~[]{}|"


def safe_address(address: str) -> str:
    """Return the address in the form that is stored; "" for one that is not http, https or mailto."""
    address = AWKWARD.sub(_percent, address.strip())
    return address if ALLOWED.match(address) else ""


def mention_address(address: str) -> str:
    """Return the address if it is a mention's: `mention:` and the id of a user; otherwise ""."""
    return address if address.startswith(MENTION) and parse_id(address.removeprefix(MENTION)) else ""


def picture_address(address: str) -> str:
    """Return `attachment:` and the id if this is the address of an attachment of this service, whole or from its root."""
    path = address.removeprefix(settings.BASE_URL)
    pk = path.removeprefix(FILES)
    return PICTURE + pk if path.startswith(FILES) and parse_id(pk) else ""


def file_address(attachment_id: str) -> str:
    """Return the whole address of an attachment, for a link."""
    return f"{settings.BASE_URL}{FILES}{attachment_id}"


def split_at_addresses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text in pieces, each with the address that it is, or with ""."""
    end = 0
    for found in BARE.finditer(text):
        written = found[0].rstrip(NOT_AT_THE_END)
        if address := safe_address(written):
            yield text[end : found.start()], ""
            yield written, address
            end = found.start() + len(written)
    yield text[end:], ""


def _percent(found: re.Match[str]) -> str:
    return quote(found[0], safe="")
