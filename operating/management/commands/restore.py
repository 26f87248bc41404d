"""bin/manage restore: a backup into an empty service, on either database, or only a look whether it is whole."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from core.outage import one_line
from operating.backup.encryption import is_encrypted
from operating.backup.manifest import FILES, Manifest
from operating.backup.passphrases import TRIES, add_arguments, passphrase_of
from operating.backup.reading import check
from operating.backup.restoring import has_other_key, require_restorable, restore_backup
from operating.backup.trouble import BackupTrouble, WrongPassphrase
from taskboard.environment import take_back_secrets
from taskboard.serving.database import name_of_database, reach
from taskboard.serving.refusal import CannotStart

OTHER_KEY = (
    "\nThis service has another secret key than the backup was made under. Authenticator apps, recovery codes and the "
    "addresses of public links work again once that key is back, as secret_key in the data folder or in "
    "TASKBOARD_SECRET_KEY."
)


class Command(BaseCommand):
    help = "Restores the backup FILE into a service without accounts and boards, whole or not at all."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--check", action="store_true", help="only read the backup and check that it is complete")
        add_arguments(parser)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        is_restored = False
        try:
            self.stdout.write(self.outcome(file, **options))
            is_restored = not options["check"]
        finally:
            if not is_restored:
                take_back_secrets()

    def outcome(self, file: Path, **options: Any) -> str:
        try:
            return self.restored(file, **options)
        except (BackupTrouble, CannotStart) as trouble:
            raise CommandError(str(trouble)) from None
        except OSError as error:
            raise CommandError(f"Nothing was restored: {error.filename or file}: {error.strerror or error}.") from error
        except Error as error:
            raise CommandError(f"Nothing was restored. The database says: {one_line(error)}") from error

    def restored(self, file: Path, *, passphrase_file: Path | None, ask: bool, **options: Any) -> str:
        found, passphrase = self.opened(file, passphrase_file, ask=ask or self.must_ask(file, passphrase_file))
        if options["check"]:
            require_restorable(found)
            return f"{told(found)}\nThe backup is whole, and this version can restore it. Nothing was changed."
        if settings.POSTGRESQL:
            reach()
        restored = restore_backup(file, passphrase)
        return f"{told(restored)}\nRestored into {name_of_database()}. Everybody signs in again.{OTHER_KEY if has_other_key(restored) else ''}"

    def opened(self, file: Path, passphrase_file: Path | None, *, ask: bool) -> tuple[Manifest, str]:
        """Check the backup; return its manifest and passphrase. One that was mistyped is asked for again."""
        tries_left = TRIES if ask else 1
        while True:
            passphrase = passphrase_of(passphrase_file=passphrase_file, ask=ask)
            try:
                return check(file, passphrase), passphrase
            except WrongPassphrase as wrong:
                tries_left -= 1
                if not tries_left:
                    raise
                self.stderr.write(f"{wrong} Try again.")

    def must_ask(self, file: Path, passphrase_file: Path | None) -> bool:
        if passphrase_file or settings.BACKUP_PASSPHRASE_FILE or not sys.stdin.isatty():
            return False
        with file.open("rb") as opened:
            return is_encrypted(opened)


def told(manifest: Manifest) -> str:
    return (
        f"Backup of {manifest.made_at} by Taskboard {manifest.product} ({manifest.database}): "
        f"{manifest.rows} rows, {len(manifest.of(FILES))} stored files."
    )
