"""The interface of a format: the source that it reads, the questions that it may ask, the errors that it raises."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from django.utils.functional import Promise

from boards.outlines import BoardOutline
from importer.report import Report


class Unreadable(ValueError):
    """The file cannot be read. The message is a translated sentence for people that says where and what to do."""


@dataclass(frozen=True)
class Source:
    """An uploaded file on this machine. `name` is its untrusted name. For a format that needs no file, `path` is an
    empty file for fetched data, which is there again when the boards are written after the report.
    """

    path: Path
    name: str
    time_zone: str = "UTC"  # of the account, for times without an offset
    salt: bytes = b""  # for ids that texts name before the rows are there (importer/ids.py)
    left_out: frozenset[str] = frozenset()  # keys of boards that are not wanted: nothing may link to them
    choices: dict[str, Any] = field(default_factory=dict)  # answers to the questions of the format, by their names
    still_wanted: Callable[[], None] = lambda: None  # called often while the file is read; raises to stop

    def head(self, size: int = 4096) -> bytes:
        """Return the beginning of the file, for `looks_like`."""
        with self.path.open("rb") as file:
            return file.read(size)


class SourceKind(Enum):
    """The kind of a question. The answer to a secret is deleted with the end of the import, and never shown or logged."""

    SELECT = "select"
    TEXT = "text"
    SECRET = "secret"  # noqa: S105  for a token, typed in for this once


class Choice(NamedTuple):
    value: str  # "" stands for none
    text: str | Promise


@dataclass(frozen=True)
class Question:
    """A question that only the user can answer: which column has the titles, how dates are written, a token.

    The answer is in `Source.choices[name]`, a string, and one of `choices` if there are any. Our own words are
    translated; samples from the file may stand in `help`.
    """

    name: str  # ASCII letters, digits, "-" and "_"
    label: str | Promise
    kind: SourceKind = SourceKind.SELECT
    choices: Sequence[Choice] = ()
    answer: str = ""  # what stands there at first: a sound guess or nothing
    help: str | Promise = ""
    required: bool = False
    check: Callable[[str], None] | None = None  # raises Unreadable for an answer that can be none


class Format(Protocol):
    """The interface of each module of this package.

    Boards come one after the other; each is read before the next is asked for. `read` runs twice: once for the report, once
    to write. It must give the same boards in the same order both times.
    """

    @property
    def TITLE(self) -> str | Promise:
        """The name of the service or of the form: "Trello", "CSV"."""

    @property
    def HELP(self) -> str | Promise:
        """A sentence: where that service offers the file."""

    @property
    def NEEDS_FILE(self) -> bool:
        """Tell whether there is a file to choose. Where everything comes through an API, `questions` ask for the token."""

    @property
    def BESIDE_REPORT(self) -> Sequence[Question]:
        """The questions that the page of the report asks. Nobody has to answer them; with an answer the report is made anew."""

    def looks_like(self, source: Source) -> bool:
        """Tell from little of the file whether it is of this format. Never raises."""

    def questions(self, source: Source) -> list[Question]:
        """Return what must be asked before the report, in order; [] where nothing is. May raise Unreadable.

        It is asked again with the answers in `source.choices`, so a question may depend on an earlier one (a preset).
        """

    def read(self, source: Source, report: Report) -> Iterator[BoardOutline]:
        """Read the boards. Raises Unreadable, also while the cards of a board are read."""
