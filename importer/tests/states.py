"""An import as it stands at one moment, for tests of its pages."""

from accounts.models import User
from importer import steps
from importer.models import Import, ImportState
from importer.tests.reading import FILES

ASKED = "spreadsheet-german.csv"  # a file with questions before the report
PAGES = [
    ImportState.ASKING,
    ImportState.READING,
    ImportState.REPORTED,
    ImportState.RUNNING,
    ImportState.DONE,
    ImportState.FAILED,
    ImportState.CANCELLED,
    ImportState.TAKEN_BACK,
]


def import_in(state: ImportState, user: User) -> Import:
    """Return the user's only import, of a board of Trello or of a table, in this state."""
    Import.objects.filter(user=user).delete()
    name = ASKED if state == ImportState.ASKING else "trello.json"
    with (FILES / name).open("rb") as file:
        row = steps.upload(user, file, name)
    if state != ImportState.ASKING:
        steps.begin_reading(row, at_once=True)
        row.refresh_from_db()
    if state in (ImportState.DONE, ImportState.TAKEN_BACK):
        steps.begin_writing(row, people={}, left_out=[], at_once=True)
        steps.write_now(row)
        row.refresh_from_db()
    if state == ImportState.TAKEN_BACK:
        steps.take_back(row)
    if state in (ImportState.READING, ImportState.RUNNING):
        Import.objects.filter(pk=row.pk).update(state=state, progress=2)
    if state == ImportState.FAILED:
        Import.objects.filter(pk=row.pk).update(state=state, error="Line 3 of this file is no JSON. Export it again.")
    if state == ImportState.CANCELLED:
        steps.cancel(row)
    row.refresh_from_db()
    assert row.state == state
    return row
