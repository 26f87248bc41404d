"""The security log as CSV or JSON lines, the oldest line first. docs/running/accounts.md has the fields."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC

from django.db.models import QuerySet

from core.text.csv_safety import harmless
from security.models import SecurityEvent

AT_ONCE = 1000  # rows of one statement: whoever reads slowly holds nothing open in the database
FIELDS = ("at", "event", "account", "accountEmail", "by", "byEmail", "address", "browser", "details")


def as_csv(events: QuerySet[SecurityEvent]) -> Iterator[str]:
    """Yield the lines as in RFC 4180. What a spreadsheet would take for a formula gets an apostrophe."""
    line = io.StringIO()
    writer = csv.writer(line)
    yield "\ufeff" + ",".join(FIELDS) + "\r\n"  # by the mark spreadsheets know UTF-8
    for event in in_pieces(events):
        values = fields_of(event) | {"details": json.dumps(event.details, ensure_ascii=False)}
        writer.writerow([harmless(str(value or "")) for value in values.values()])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def as_json_lines(events: QuerySet[SecurityEvent]) -> Iterator[str]:
    for event in in_pieces(events):
        yield json.dumps(fields_of(event), ensure_ascii=False) + "\n"


FORMATS: dict[str, tuple[str, Callable[[QuerySet[SecurityEvent]], Iterator[str]]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "jsonl": ("application/x-ndjson; charset=utf-8", as_json_lines),
}


def fields_of(event: SecurityEvent) -> dict[str, object]:
    return {
        "at": f"{event.at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z",
        "event": event.kind,
        "account": event.user_id and str(event.user_id),
        "accountEmail": event.user and event.user.email,
        "by": event.by_id and str(event.by_id),
        "byEmail": event.by and event.by.email,
        "address": event.address,
        "browser": event.browser,
        "details": event.details,
    }


def in_pieces(events: QuerySet[SecurityEvent]) -> Iterator[SecurityEvent]:
    rows, last = events.select_related("user", "by").order_by("pk"), 0
    while piece := list(rows.filter(pk__gt=last)[:AT_ONCE]):
        yield from piece
        last = piece[-1].pk
