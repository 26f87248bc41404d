"""ETag, If-None-Match and If-Match: the tag of a thing is its version. Weak tags count as strong ones."""

import re
from collections.abc import Mapping

TAG = re.compile(r'(?:W/)?"([^"]*)"')
ANY = "*"


def tag_of(version: int) -> str:
    return f'"{version}"'


def has_seen(headers: Mapping[str, str], version: int) -> bool:
    """Tell whether If-None-Match names this version: then the caller has what would be answered."""
    sent = headers.get("HTTP_IF_NONE_MATCH")
    return sent is not None and (sent.strip() == ANY or str(version) in TAG.findall(sent))


def expected_versions(headers: Mapping[str, str]) -> frozenset[int] | None:
    """Return the versions that If-Match names, of which no other text can be one; None where any version will do."""
    sent = headers.get("HTTP_IF_MATCH")
    if sent is None or sent.strip() == ANY:
        return None
    return frozenset(int(tag) for tag in TAG.findall(sent) if tag.isascii() and tag.isdigit() and len(tag) < 19)
