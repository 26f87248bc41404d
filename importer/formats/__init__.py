"""One module a format (source.Format). They translate into outlines (boards/outlines.py) and write nothing.

A new format is a module here and its row in FORMATS.
"""

from importlib import import_module
from typing import Any, cast

from importer.formats.source import Format, Source


class Later:
    """A format whose module is loaded when something of it is used: all of them together take 3 MB, and few imports come."""

    def __init__(self, module: str) -> None:
        self._module = f"{__name__}.{module}"

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


# By the name that rows keep; the first that recognizes a file is proposed.
FORMATS: dict[str, Format] = {
    name: cast(Format, Later(module))
    for name, module in {
        "own": "own",
        "trello": "trello",
        "wekan": "wekan",
        "vikunja": "vikunja",
        "csv": "csv_tables",
        "planka": "planka",
    }.items()
}


def recognize(source: Source) -> str:
    """Return the name of the format that the file seems to be of, "" if of none."""
    return next((name for name, format in FORMATS.items() if format.NEEDS_FILE and format.looks_like(source)), "")
