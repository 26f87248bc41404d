"""Ids of rows and numbers of changes, as addresses and forms have them. Ids are UUIDs of version 7, written as canonical lower-case strings. Anything else is answered with "not found"."""

import re
from uuid import UUID

FORM = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def parse_id(value: object) -> UUID | None:
    """Return the id that this string contains; None for anything else."""
    return UUID(value) if isinstance(value, str) and re.fullmatch(FORM, value) else None


def parse_number(value: str) -> int | None:
    """Return the number of a change that this text contains; None for anything else."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


class IdConverter:
    """Converts `<id:board_id>` in a path: the view gets a UUID, and a path with anything else matches no route."""

    regex = FORM

    def to_python(self, value: str) -> UUID:
        return UUID(value)

    def to_url(self, value: UUID | str) -> str:
        return str(value)
