"""bin/manage export: write the file that /settings/data offers, for any account."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from boards.reader import Reader
from exporter.json_export import write_export


class Command(BaseCommand):
    help = "Writes everything on the boards of an account as one JSON file, to standard output or to a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the account's email address")
        parser.add_argument("--output", metavar="FILE", type=Path, help="where to write; only a whole file gets there")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model().objects.filter(email=options["email"].lower()).first()
        if user is None:
            raise CommandError(f"There is no account with the address {options['email']}.")
        if options["output"] is None:
            with open(sys.stdout.fileno(), "w", encoding="utf-8", closefd=False) as text:
                write_export(Reader(user), text)
        else:
            write_whole(options["output"], user)


def write_whole(path: Path, user: Any) -> None:
    """Write the file beside `path`, then move it there in one step. Only its owner can read it, as boards are private."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    try:
        with open(descriptor, "w", encoding="utf-8") as text:
            write_export(Reader(user), text)
        os.replace(name, path)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError):
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        raise
