"""Cursors of reading tools: a place, signed together with the tool, its arguments and the account, so that it continues
nothing else.
"""

import base64
import json
import time
from typing import Any

from django.utils.crypto import constant_time_compare, salted_hmac

from boards.errors import Invalid
from boards.models.renumbering import is_forgotten
from mcpserver.caller import Caller

WRONG = "This cursor belongs to another call, or is older than a day. Call again without cursor to start over."


def cursor_for(place: Any, caller: Caller, *of: object) -> str:
    """Return the cursor. `of` is what the place belongs to: the tool, and what else was sent."""
    text = json.dumps([place, int(time.time())], separators=(",", ":"))
    signed = f"{_signature(text, caller, of)}{text}"
    return base64.urlsafe_b64encode(signed.encode()).decode().rstrip("=")


def place_of(cursor: str, caller: Caller, *of: object) -> Any:
    """Return the place, as JSON gives it. Raises Invalid for any other cursor than that of `cursor_for`."""
    try:
        signed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise Invalid(WRONG, "cursor") from None
    signature, text = signed[:SIGNS], signed[SIGNS:]
    if not constant_time_compare(signature, _signature(text, caller, of)):
        raise Invalid(WRONG, "cursor")
    place, made_at = json.loads(text)
    if is_forgotten(made_at):
        raise Invalid(WRONG, "cursor")
    return place


SIGNS = 16


def _signature(text: str, caller: Caller, of: tuple[object, ...]) -> str:
    return salted_hmac("mcpserver.dated_cursors", repr((text, caller.token.pk, of))).hexdigest()[:SIGNS]
