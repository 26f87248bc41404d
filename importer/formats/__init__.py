"""One module a format (source.Format). They translate into outlines (boards/outlines.py) and write nothing.

A new format is a module here and its row in FORMATS.
"""

from importer.formats import csv_tables, own, planka, trello, vikunja, wekan
from importer.formats.source import Format, Source

# By the name that rows keep; the first that recognizes a file is proposed.
FORMATS: dict[str, Format] = {
    "own": own,
    "trello": trello,
    "wekan": wekan,
    "vikunja": vikunja,
    "csv": csv_tables,
    "planka": planka,
}


def recognize(source: Source) -> str:
    """Return the name of the format that the file seems to be of, "" if of none."""
    return next((name for name, format in FORMATS.items() if format.NEEDS_FILE and format.looks_like(source)), "")
