"""Pages of collections: `limit`, and the signed cursor with which the next page goes on.

A cursor holds the place in the order at which a page ended, and is signed together with the address and filters of the
collection, so that it continues no other one.
"""

import base64
import json
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from boards.errors import Invalid
from boards.models.renumbering import is_forgotten

LIMIT, MOST = 50, 200
PARAMETERS = ("limit", "cursor")
WRONG = (
    "This cursor is not of this collection with these filters, or it is older than a day. Begin again without cursor."
)


class Page(NamedTuple):
    limit: int
    after: list[Any] | None  # the place where the page before ended


def page_of(request: HttpRequest) -> Page:
    """Return the page that the query asks for. Raises Invalid."""
    sent = request.GET.get("limit")
    if sent is not None and not (sent.isascii() and sent.isdigit() and len(sent) < 10 and 1 <= int(sent) <= MOST):
        raise Invalid(f"limit must be a whole number from 1 to {MOST}.", "limit")
    cursor = request.GET.get("cursor")
    return Page(int(sent) if sent else LIMIT, None if cursor is None else _read(request, cursor))


def paged(request: HttpRequest, payload: dict[str, Any], place: Sequence[Any] | None) -> dict[str, Any]:
    """Return the payload with `nextCursor`; `place` is that of the last row, None on the last page."""
    return payload | {"nextCursor": None if place is None else _write(request, place)}


def link_to_next(request: HttpRequest, cursor: str, response: HttpResponse) -> None:
    query = [(name, value) for name, values in request.GET.lists() if name != "cursor" for value in values]
    response["Link"] = f'<{request.path}?{urlencode([*query, ("cursor", cursor)])}>; rel="next"'


def _write(request: HttpRequest, place: Sequence[Any]) -> str:
    signed = [*place, int(time.time())]
    text = json.dumps([*signed, _signature(request, signed)], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read(request: HttpRequest, cursor: str) -> list[Any]:
    try:
        signed = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        *place, signature = signed
        if not constant_time_compare(signature, _signature(request, place)):
            raise ValueError(cursor)
        *place, at = place
        if is_forgotten(at):
            raise ValueError(cursor)
    except (ValueError, TypeError, RecursionError):
        raise Invalid(WRONG, "cursor") from None
    return place


def _signature(request: HttpRequest, place: Sequence[Any]) -> str:
    filters = sorted((name, values) for name, values in request.GET.lists() if name not in PARAMETERS)
    return salted_hmac("apiv1.paging", repr((request.path, filters, list(place)))).hexdigest()[:20]
