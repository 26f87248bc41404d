from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from boards.actions.files.sweep import sweep

DONE = {
    "files used by nothing": "deleted",
    "files without row": "deleted",
    "rows without file": "marked; put the files back from a backup",
    "previews not made": "asked for again",
}


class Command(BaseCommand):
    help = "Compares the files of cards with the storage. A worker does so every hour, and mends what it finds."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mend", action="store_true", help="mend unused and lost files, as the worker does")

    def handle(self, *args: Any, **options: Any) -> None:
        found = sweep(timezone.now(), mend=options["mend"])
        for trouble, done in DONE.items():
            count = found[trouble]
            self.stdout.write(f"{trouble}: {count}" + (f" ({done})" if count and options["mend"] else ""))
