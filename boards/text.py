"""The rules for every title, name and longer text that is stored, whichever interface it comes through."""

import re

from django.utils.translation import gettext as _

from boards.errors import Invalid

BOARD_TITLE = 200
LIST_TITLE = 200
CARD_TITLE = 500
EXCERPT = 80  # of the first line of a description, for tiles
DESCRIPTION = 20_000
LABEL = 50
FILTER_NAME = 50
CHECKLIST = 500
COMMENT = 20_000
FILE_NAME = 255

DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]")


def clean_line(value: object, field: str, limit: int) -> str:
    """Return a title or name, trimmed. Raises Invalid unless that is one line of 1 to `limit` code points."""
    text = _clean(value, field).strip()
    if not text:
        raise _empty(field)
    if "\n" in text:
        raise Invalid.of(field, _("%(field)s must be a single line."))
    _hold(text, field, limit)
    return text


def clean_file_name(value: object, *, shorten: bool = True) -> str:
    """Return the name of a file on one line, without folders and without what turns the direction of letters around.

    A name that is too long loses the end of its first part, not its ending; without `shorten` it raises Invalid.
    """
    text = FORBIDDEN.sub("", " ".join(str(value).splitlines())) if shorten else _clean(value, "name")
    name = DIRECTIONS.sub("", text.replace("\\", "/").rpartition("/")[2]).strip().strip(".").strip() or "file"
    if len(name) > FILE_NAME and shorten:
        stem, dot, ending = name.rpartition(".")
        ending = f"{dot}{ending}" if stem and len(ending) <= 20 else ""
        name = name[: FILE_NAME - len(ending)] + ending
    return clean_line(name, "name", FILE_NAME)


def clean_text(value: object, field: str, limit: int, *, required: bool = False) -> str:
    """Return a text of any number of lines, without blank lines at its ends. Raises Invalid.

    Spaces before the first word are kept, because four of them are indented code in Markdown. `limit` counts the code
    points of the text as sent, blank lines included, but CRLF counts as one. Browsers send CRLF for each newline that
    they were given, and a text that was read here must never be too long to send back.
    """
    text = _clean(value, field)
    _hold(text, field, limit)
    if required and not text.strip():
        raise _empty(field)
    lines = text.split("\n")
    filled = [number for number, content in enumerate(lines) if content.strip(" \t")]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""


def _clean(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise Invalid.of(field, _("%(field)s must be text."))
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    if found := FORBIDDEN.search(text):
        raise Invalid.of(
            field,
            _("%(field)s contains a character that cannot be stored (%(character)s). Remove it."),
            character=f"U+{ord(found[0]):04X}",
        )
    return text


def _hold(text: str, field: str, limit: int) -> None:
    if len(text) > limit:
        raise Invalid.of(
            field,
            _("%(field)s must have at most %(limit)d characters; this one has %(given)d."),
            limit=limit,
            given=len(text),
        )


def _empty(field: str) -> Invalid:
    return Invalid.of(field, _("%(field)s must not be empty."))
