"""Write Markdown for fields that boards do not have, and for links."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from boards.errors import Invalid
from boards.losses import Loss
from boards.richtext import check, to_markdown
from boards.richtext.escaping import escaped, escaped_address
from boards.richtext.links import safe_address
from boards.text import FORBIDDEN
from core.text.dates import local_time
from importer.formats.things import one_line
from importer.report import Report


def plain(text: str) -> str:
    """Return Markdown that shows a text as one line, with addresses as links."""
    return typed(one_line(text))


def typed(text: str) -> str:
    """Return Markdown that shows a text as it was typed: with its lines, and with every character that could be a mark."""
    if text.isalnum():
        return text
    paragraphs = [_paragraph(part) for part in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n")]
    try:
        return to_markdown(check({"type": "doc", "content": paragraphs}))
    except Invalid:  # more marks than a description may have
        return escaped(text)


def _paragraph(text: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for place, line in enumerate(FORBIDDEN.sub("", text).split("\n")):
        content += [{"type": "hardBreak"}] if place else []
        content += [{"type": "text", "text": line}] if line else []
    return {"type": "paragraph", "content": content}


def with_fields(description: str, fields: Sequence[tuple[str, str]]) -> str:
    """Return the description with a list of fields below it. Names are texts, values Markdown, of any number of lines."""
    if not fields:
        return description
    listed = "\n".join(f"- **{plain(name)}**: {_in_item(value)}" for name, value in fields)
    return f"{description.rstrip()}\n\n{listed}" if description.strip() else listed


def _in_item(value: str) -> str:
    return value if "\n" not in value else "\n\n  " + value.strip("\n").replace("\n", "\n  ")


def link(address: str, text: str, report: Report, where: str) -> str:
    """Return Markdown for a link; the text and address as text where the address is not safe, which is counted."""
    safe = safe_address(address)
    if safe:
        shown = one_line(text)
        return (
            f"[{escaped(shown, in_link=True)}](<{escaped_address(safe)}>)"
            if shown and shown != address
            else f"<{safe}>"
        )
    report.lose(Loss.UNSAFE_LINK, where)
    return plain(f"{text} ({address})" if text and text != address else address)


def wall_time(moment: datetime, zone: ZoneInfo) -> str:
    """Return Markdown for a time as clocks in the zone show it."""
    return plain(f"{local_time(moment, zone):%Y-%m-%d %H:%M}")


def together(parts: Iterable[str], by: str = ", ") -> str:
    return by.join(part for part in parts if part)
