"""Read the passphrase of a backup from an option, a prompt, or TASKBOARD_BACKUP_PASSPHRASE_FILE."""

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings

from operating.backup.encryption import read_passphrase
from operating.backup.trouble import BackupTrouble

TRIES = 3  # at a terminal


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="a file whose first line is the passphrase"
    )
    parser.add_argument("--ask", action="store_true", help="ask for the passphrase")


def passphrase_of(*, passphrase_file: Path | None, ask: bool, twice: bool = False) -> str:
    """Return "" where none is given. Raise BackupTrouble."""
    if passphrase_file and ask:
        raise BackupTrouble("Give either --passphrase-file or --ask.")
    if ask:
        return asked(twice=twice)
    file = passphrase_file or settings.BACKUP_PASSPHRASE_FILE
    if not file:
        return ""
    passphrase = read_passphrase(Path(file))
    if not passphrase:
        raise BackupTrouble(f"The first line of {file} is empty: write the passphrase there.")
    return passphrase


def asked(*, twice: bool) -> str:
    if not sys.stdin.isatty():
        raise BackupTrouble("--ask needs a terminal. Use --passphrase-file.")
    for left in reversed(range(TRIES)):
        passphrase = getpass.getpass("Passphrase of the backup: ")
        if not twice or getpass.getpass("Once more: ") == passphrase:
            return passphrase
        if left:
            sys.stderr.write("The two passphrases differ. Try again.\n")
    raise BackupTrouble("The two passphrases differ. Nothing was written.")
