"""bin/manage backup: the whole service in one file, while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from core.outage import one_line
from operating.backup.manifest import FILES
from operating.backup.passphrases import add_arguments, passphrase_of
from operating.backup.saved import require_accounts
from operating.backup.trouble import BackupTrouble
from operating.backup.writing import write_backup
from taskboard.serving.database import name_of_database
from taskboard.serving.refusal import CannotStart


class Command(BaseCommand):
    help = "Writes everything to keep into FILE, as it is at one moment: database, stored files, with a passphrase also keys."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="where to write; only a complete backup is kept")
        parser.add_argument("--force", action="store_true", help="replace an existing file")
        add_arguments(parser)

    def handle(
        self, *args: Any, file: Path, force: bool, passphrase_file: Path | None, ask: bool, **options: Any
    ) -> None:
        try:
            require_accounts()
            passphrase = passphrase_of(passphrase_file=passphrase_file, ask=ask, twice=True)
            made = write_backup(file.absolute(), passphrase, force=force)
        except (BackupTrouble, CannotStart) as trouble:
            raise CommandError(str(trouble)) from None
        except Error as error:
            raise CommandError(f"The database could not be read: {one_line(error)}") from error
        self.stdout.write(
            f"{file}: {file.stat().st_size} bytes, {made.rows} rows, {len(made.of(FILES))} stored files of "
            f"{name_of_database()}; read back and whole."
        )
        if passphrase:
            self.stdout.write("It is encrypted and has the secret key in it. Keep the passphrase elsewhere.")
        else:
            self.stdout.write(
                f"It is not encrypted. The secret key is not in it: keep {settings.DATA / 'secret_key'} or "
                "TASKBOARD_SECRET_KEY too, or use --passphrase-file."
            )
