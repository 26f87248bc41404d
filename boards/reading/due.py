"""Read the cards that a person has to do next."""

from boards.reader import Reader
from boards.reading.work import Grouping, Work, WorkRow, assigned_to, bare_rows


def due_cards(reader: Reader, most: int) -> list[WorkRow]:
    """Return the first cards with a due date of the reader's work, soonest due first: one statement."""
    work = Work(reader, assigned_to(reader.user))
    return [row for row in bare_rows(work, Grouping.DUE, slice(most)) if row.due_at]
