"""Read files of rows as spreadsheets and services write them: find their encoding, delimiter and head."""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from django.utils.translation import gettext as _

from importer.formats.source import Unreadable

DELIMITERS = ",;\t"
LONGEST_CELL = LONGEST_LINE = 2_000_000  # characters
LONGEST_RECORD = 5_000_000  # characters, of all its lines
MOST_COLUMNS = 1000
PREAMBLE = 20  # rows above the head, at most
SAMPLE = 64 * 1024  # bytes
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
WESTERN = "windows-1252"

csv.field_size_limit(LONGEST_CELL)  # for the process: nothing else here reads CSV


class Row(NamedTuple):
    line: int  # on which it ends
    cells: list[str]
    comments: tuple[str, ...] = ()  # what a service writes in rows of their own or into other cells
    items: tuple[tuple[str, bool], ...] = ()  # of a checklist: text, done


def encoding_of(path: Path) -> str:
    """Return the encoding by the mark at the beginning, or utf-8 where every byte fits; "" where only a person can tell."""
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        if marked := next((name for mark, name in MARKS.items() if head.startswith(mark)), ""):
            return marked
        if wide := _wide(head):
            return wide
        file.seek(0)
        return "utf-8" if _is_utf8(file) else ""


def _wide(head: bytes) -> str:
    """Return which UTF-16 it is by the zeros that every second byte of Western text is."""
    sample = head[:1000]
    if len(sample) >= 4 and sample[1::2].count(0) > len(sample) // 4:
        return "utf-16-le"
    if len(sample) >= 4 and sample[0::2].count(0) > len(sample) // 4:
        return "utf-16-be"
    return ""


def _is_utf8(file: IO[bytes]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while chunk := file.read(SAMPLE):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def opened(path: Path, encoding: str) -> Iterator[IO[str]]:
    with path.open("rb") as raw, io.TextIOWrapper(raw, encoding, errors="replace", newline="") as file:
        yield file


def delimiter_of(path: Path, encoding: str) -> str:
    """Return the delimiter that splits the first rows into most columns, as many in one row as in the next."""
    with opened(path, encoding) as file:
        sample = file.read(SAMPLE)
    if sample[:4].lower() == "sep=" and sample[4:5] in tuple(DELIMITERS):
        return sample[4]
    return max(DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def _evenness(sample: str, delimiter: str) -> tuple[int, int]:
    widths: list[int] = []
    try:
        for cells in csv.reader(io.StringIO(sample), delimiter=delimiter):
            widths.append(len(cells))
            if len(widths) > 2 * PREAMBLE:
                break
    except csv.Error:
        return 0, 0
    wide = [width for width in widths if width > 1]
    most_common = max(wide, key=wide.count, default=1)
    return widths.count(most_common) if most_common > 1 else 0, most_common


def rows(path: Path, encoding: str, delimiter: str) -> Iterator[Row]:
    """Yield the rows with content. Raises Unreadable for a file that is none of rows: a quote that never ends, a huge cell."""
    with opened(path, encoding) as file:
        lines = _Lines(file)
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            lines.left = LONGEST_RECORD
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise Unreadable(
                    _("Line %(line)s cannot be read: a quotation mark is missing or a cell is far too large.")
                    % {"line": reader.line_num}
                ) from error
            if len(cells) > MOST_COLUMNS:
                raise Unreadable(_("Line %(line)s has more than 1,000 columns.") % {"line": reader.line_num})
            if any(cell.strip() for cell in cells) and not _is_hint(reader.line_num, cells):
                yield Row(reader.line_num, cells)


class _Lines:
    """The lines of a file without NUL. `left` is how many characters the record at hand may still have.

    Raises Unreadable for a line that does not end, csv.Error for a record that does not.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file, self.left = file, LONGEST_RECORD

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(LONGEST_LINE)
        if not line:
            raise StopIteration
        if len(line) == LONGEST_LINE:
            raise Unreadable(_("This file has a line of more than 2,000,000 characters, so it can't be a table."))
        self.left -= len(line)
        if self.left < 0:
            raise csv.Error
        return line.replace("\x00", "")


def _is_hint(line: int, cells: Sequence[str]) -> bool:
    """Tell whether this is the first line that Excel reads the delimiter from: `sep=;`."""
    return line == 1 and cells[0].lower() in ("sep=", "sep=,", "sep=;", "sep=\t")
