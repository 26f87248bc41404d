"""JSON-RPC 2.0: read messages of clients, write answers."""

from dataclasses import dataclass, field
from typing import Any

from core.http.compact_json import NotJson, dumps, loads

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602


class ProtocolError(Exception):
    """The message violates the protocol. `code` is one of JSON-RPC's error codes, or of those that MCP adds."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


@dataclass(frozen=True, slots=True)
class Message:
    """A request if it has an id. Otherwise a notification or a response, which get no answer."""

    method: str = ""
    id: str | int | None = None
    params: Any = field(default_factory=dict)

    @property
    def is_request(self) -> bool:
        return self.id is not None


def read_message(body: bytes) -> Message:
    """Return the message; raise ProtocolError for anything that is not one JSON-RPC message."""
    try:
        value = loads(body)
    except NotJson as error:
        raise ProtocolError(PARSE_ERROR, str(error)) from None
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_REQUEST, "Send one JSON-RPC message as an object; batches are not supported.")
    if value.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'jsonrpc must be "2.0".')
    if "method" not in value:
        if "result" in value or "error" in value:
            return Message()
        raise ProtocolError(INVALID_REQUEST, "The message has no method.")
    if not isinstance(value["method"], str):
        raise ProtocolError(INVALID_REQUEST, "method must be a string.")
    if "id" not in value:
        return Message(value["method"])
    if isinstance(value["id"], bool) or not isinstance(value["id"], str | int):
        raise ProtocolError(INVALID_REQUEST, "id must be a string or a whole number.")
    return Message(value["method"], value["id"], value.get("params", {}))


def result(message: Message, value: bytes) -> bytes:
    """Return the answer to a request. `value` is JSON already."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (encode(message.id), value)


def failure(error: ProtocolError, message: Message | None = None) -> bytes:
    given = message.id if message else None
    told = {"code": error.code, "message": error.message} | ({} if error.data is None else {"data": error.data})
    return encode({"jsonrpc": "2.0", "id": given, "error": told})


def encode(value: Any) -> bytes:
    """Return compact JSON in UTF-8. A lone surrogate, which UTF-8 cannot hold, is escaped as it was when sent."""
    return dumps(value).encode("utf-8", "backslashreplace")
