"""Writes an export in any of its forms, to a file that need not be able to seek."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from boards.reader import Reader
from exporter.csv_export import csv_of
from exporter.json_export import json_of
from exporter.models import Form
from exporter.progress import Progress
from exporter.snapshot import snapshot
from exporter.streams import open_streams
from exporter.tape import Tape
from exporter.totals import totals
from exporter.walking import CARD, Step, head_of, steps
from exporter.zip_export import PASSES, write_zip


class NoBoard(Exception):
    """The reader has no access to the one board that was asked for."""


def write(form: str, reader: Reader, file: IO[bytes], progress: Progress | None = None) -> None:
    """Write everything on the reader's boards, as of one moment. Raise NoBoard before anything is written."""
    progress = progress or Progress()
    head = head_of(reader.user)
    if form == Form.ZIP:
        with Tape() as tape:
            with read(reader, progress, PASSES) as found:
                for step in found:
                    tape.add(step)
            write_zip(reader.user, head, tape, file, progress)
        return
    with read(reader, progress) as found:
        for part in csv_of(found) if form == Form.CSV else json_of(head, found):
            file.write(part.encode())


@contextmanager
def read(reader: Reader, progress: Progress, passes: int = 1) -> Iterator[Iterator[Step]]:
    """Yield the steps, while the snapshot is open. Each card will be written `passes` times."""
    with snapshot() as using:
        found = totals(reader, using)
        if reader.boards is not None and not found["boards"]:
            raise NoBoard
        progress.expect(**found, passes=passes)
        with open_streams(reader, using) as streams:
            yield counted(steps(streams), progress)


def counted(found: Iterator[Step], progress: Progress) -> Iterator[Step]:
    for step in found:
        yield step
        if step.depth == CARD:
            progress.read_card()
