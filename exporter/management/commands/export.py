"""bin/manage export: write the file that /settings/data offers, for any account."""

import os
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from boards.reader import Reader
from core.ids import parse_id
from exporter.models import Form
from exporter.writing import NoBoard, write


class Command(BaseCommand):
    help = "Writes everything on the boards of an account, or on one of them, to standard output or to a file."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the account's email address")
        parser.add_argument("--board", metavar="ID", help="one board only: its id, as in its address")
        parser.add_argument(
            "--form",
            choices=[str(form) for form in Form],
            default=str(Form.JSON),
            help="json (the default), zip with the files and pages to read, or csv with the cards of one board",
        )
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to write; only a whole file gets there")

    def handle(self, *args: Any, **options: Any) -> None:
        reader, form = reader_of(options), options["form"]
        if form == Form.CSV and reader.boards is None:
            raise CommandError("A CSV file has the cards of one board: name it with --board.")
        try:
            if options["output"] is None:
                write_out(form, reader)
            else:
                write_whole(options["output"], form, reader)
        except NoBoard:
            raise CommandError(f"This account has no access to a board with the id {options['board']}.") from None


def reader_of(options: dict[str, Any]) -> Reader:
    user = get_user_model().objects.filter(email=options["email"].lower()).first()
    if user is None:
        raise CommandError(f"There is no account with the address {options['email']}.")
    if options["board"] is None:
        return Reader(user)
    board = parse_id(options["board"].lower())
    if board is None:
        raise CommandError(
            f"{options['board']} is not the id of a board: copy it from the address of the board's page."
        )
    return Reader(user, frozenset({board}))


def write_out(form: str, reader: Reader) -> None:
    with open(sys.stdout.fileno(), "wb", closefd=False) as file:
        try:
            write(form, reader, file)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # as Python would complain again at its end
            raise CommandError("The export could not be written: its reader has stopped.") from None
        except OSError as error:
            raise CommandError(f"The export could not be written: {error.strerror}.") from None


def write_whole(path: Path, form: str, reader: Reader) -> None:
    """Write the file beside `path`, then move it there in one step. Only its owner can read it, as boards are private."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    try:
        _write_to(descriptor, form, reader)
        os.replace(name, path)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError):
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        raise


def _write_to(descriptor: int, form: str, reader: Reader) -> None:
    file: IO[bytes]
    with open(descriptor, "wb") as file:
        write(form, reader, file)
