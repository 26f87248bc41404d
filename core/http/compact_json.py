"""JSON for requests and responses: written without spaces, for UTF-8, and read strictly."""

import json
from typing import Any, NoReturn

from core.text.nearest import shown


class NotJson(ValueError):
    """Raised for a body that is not JSON. The message is a sentence for the client that sent it."""


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def loads(body: bytes) -> Any:
    """Read JSON in UTF-8; raise NotJson for anything else, also for what Python would accept.

    That is NaN, Infinity, and a field that an object has twice, of which Python would drop the first.
    """
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_object)
    except RecursionError:
        raise NotJson("The body is nested too deeply.") from None
    except NotJson:
        raise
    except ValueError:
        raise NotJson("The body is not valid JSON in UTF-8.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _value in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise NotJson(f"The body has the field {shown(twice)} twice. Send each field once.")
    return made
