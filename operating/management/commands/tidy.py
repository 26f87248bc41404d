from typing import Any

from django.core.management.base import BaseCommand

from operating.tidying import tidy


class Command(BaseCommand):
    help = "Removes expired data: kept answers, device grants, old tokens, sessions. A worker does the same every hour."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for name, count in tidy().items():
            self.stdout.write(f"{name}: {count} removed")
