"""JSON as it goes over the wire: without spaces, in UTF-8; and read as strictly as it is written."""

import json
from typing import Any, NoReturn


class NotJson(ValueError):
    """The message is a sentence for whoever sent the body."""


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def loads(body: bytes) -> Any:
    """Raise NotJson for anything but JSON in UTF-8; NaN and Infinity, which Python would read, are not JSON."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise NotJson("The body is nested too deeply.") from None
    except ValueError:
        raise NotJson("The body is not valid JSON in UTF-8.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
