"""Which addresses a link may have, in which spelling, and which texts are addresses."""

import re
from collections.abc import Iterator
from urllib.parse import quote

ALLOWED = re.compile(r"(?:https?://|mailto:)[^\s/]", re.IGNORECASE)
# What a browser, an HTML attribute or Markdown could read as something else is written as %XX.
AWKWARD = re.compile(r"""[\s\x00-\x20\x7f-\x9f<>"\\`]""")
# Brackets inside belong to it if they close, so that the address may stand in brackets itself.
BARE = re.compile(r"""(?<!\w)https?://(?:[^\s<>"`()\\]|\([^\s<>"`()\\]*\))+""", re.IGNORECASE)
NOT_AT_THE_END = ".,:;!?'*_~[]{}|"


def safe_address(address: str) -> str:
    """The address as it is kept, "" for one that is not http, https or mailto."""
    address = AWKWARD.sub(_percent, address.strip())
    return address if ALLOWED.match(address) else ""


def split_at_addresses(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with the address that it is, or ""."""
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
