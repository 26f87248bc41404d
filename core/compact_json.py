"""JSON for requests and responses: written without spaces, for UTF-8, and read strictly."""

import json
from typing import Any, NoReturn


class NotJson(ValueError):
    """Raised for a body that is not JSON. The message is a sentence for the client that sent it."""


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def loads(body: bytes) -> Any:
    """Read JSON in UTF-8; raise NotJson for anything else, also for NaN and Infinity, which Python would accept."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise NotJson("The body is nested too deeply.") from None
    except ValueError:
        raise NotJson("The body is not valid JSON in UTF-8.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
