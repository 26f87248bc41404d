"""An attempt of a worker at an import. Its row says which attempt it is, so that another worker's writes nothing any more."""

from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone

from importer.models import Import, State


class Stopped(Exception):
    """The import was cancelled, or another worker has it."""


def take(import_id: str, state: State) -> Import | None:
    """Take the import for this attempt; None where it is not to be done any more."""
    found = Import.objects.filter(pk=UUID(import_id), state=state)
    if not found.update(attempt=F("attempt") + 1, changed_at=timezone.now()):
        return None
    return found.select_related("user").first()


def mine(row: Import) -> QuerySet[Import]:
    """Return the row, if the import is still in that state and with this worker."""
    return Import.objects.filter(pk=row.pk, state=row.state, attempt=row.attempt)


def note(row: Import, **values: Any) -> None:
    """Write to the row. Raises Stopped when the import is not to go on, or no longer with this worker."""
    if not mine(row).update(changed_at=timezone.now(), **values):
        raise Stopped
    for name, value in values.items():
        setattr(row, name, value)
