"""The two eras of the protocol: which of them a request belongs to, and what a modern request has to carry.

Older clients open with `initialize`. Since 2026-07-28 each request states its version in `_meta`, and repeats in headers
what proxies route by. Nothing is remembered between requests, so every one of them is told apart by itself.
"""

import re
from base64 import b64decode
from collections.abc import Mapping
from datetime import date
from typing import Any

from mcpserver.messages import INVALID_PARAMS, INVALID_REQUEST, Message, ProtocolError

MODERN = "2026-07-28"
OLDER = ("2025-11-25", "2025-06-18", "2025-03-26")
SPOKEN = (MODERN, *OLDER)

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
DISCOVER = "server/discover"
NAMED = ("tools/call", "prompts/get")  # methods whose params.name stands in Mcp-Name too

DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
ENCODED = re.compile(r"=\?base64\?(.*)\?=")


def is_modern(message: Message, headers: Mapping[str, str]) -> bool:
    """Tell the era of a message. Notifications have none: their headers are not read."""
    if not message.is_request:
        return False
    if message.method == DISCOVER:
        return True
    meta = _meta_of(message)
    if VERSION in meta and meta[VERSION] not in OLDER:
        return True
    return message.method != "initialize" and _is_from_modern_on(_header(headers, "mcp-protocol-version"))


def require_older_version(message: Message, headers: Mapping[str, str]) -> None:
    version = headers.get("mcp-protocol-version")
    if version is not None and version not in OLDER and message.is_request and message.method != "initialize":
        raise ProtocolError(INVALID_REQUEST, f"MCP-Protocol-Version must be one of {_listed(OLDER)}, or be left out.")


def require_modern_form(message: Message, headers: Mapping[str, str]) -> None:
    """Raise ProtocolError unless the request has its metadata, and headers that say the same as its body."""
    meta = _meta_of(message)
    version = meta.get(VERSION)
    if not isinstance(version, str) or not isinstance(meta.get(CAPABILITIES), dict):
        raise ProtocolError(
            INVALID_PARAMS, f"params._meta must have {VERSION}, a string, and {CAPABILITIES}, an object."
        )
    _require_equal("MCP-Protocol-Version", _header(headers, "mcp-protocol-version"), VERSION, version)
    if version not in SPOKEN:
        data = {"supported": SPOKEN, "requested": version}
        raise ProtocolError(
            UNSUPPORTED_VERSION, f"This version is not spoken here. Use one of {_listed(SPOKEN)}.", data
        )
    _require_equal("Mcp-Method", _header(headers, "mcp-method"), "method", message.method)
    if message.method in NAMED:
        name = _decoded(_header(headers, "mcp-name"))
        _require_equal("Mcp-Name", name, "params.name", message.params.get("name"))


def _meta_of(message: Message) -> dict[str, Any]:
    meta = message.params.get("_meta") if isinstance(message.params, dict) else None
    return meta if isinstance(meta, dict) else {}


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name)
    return None if value is None else value.strip(" \t")


def _is_from_modern_on(version: str | None) -> bool:
    if version is None or version < MODERN or not DAY.fullmatch(version):
        return False
    try:
        date.fromisoformat(version)
    except ValueError:
        return False
    return True


def _decoded(value: str | None) -> str | None:
    """Return the name in a header, which is in Base64 where it is more than plain ASCII. None: it cannot be read."""
    found = ENCODED.fullmatch(value or "")
    if not found:
        return value
    try:
        return b64decode(found[1], validate=True).decode()
    except ValueError:
        return None


def _require_equal(header: str, sent: str | None, field: str, value: object) -> None:
    if sent is None or sent != value:
        raise ProtocolError(HEADER_MISMATCH, f"The header {header} must be there and equal to {field} in the body.")


def _listed(versions: tuple[str, ...]) -> str:
    return ", ".join(sorted(versions))
