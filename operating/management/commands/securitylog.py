from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Q

from operating.commands.finding import account_of
from operating.commands.times import moment
from security.export import FORMATS
from security.models import SecurityEvent


class Command(BaseCommand):
    help = "Prints the security log, the oldest line first: to keep it for longer than 90 days, or to search it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--format", choices=list(FORMATS), default="jsonl", help="(default: jsonl, a JSON object a line)"
        )
        parser.add_argument(
            "--since", metavar="TIME", help="as in 2026-12-01 or 2026-12-01T09:00:00Z; UTC without a zone"
        )
        parser.add_argument("--until", metavar="TIME", help="leaves out this time and what came later")
        parser.add_argument("--user", metavar="ACCOUNT", help="lines about this account, or what it did to others")

    def handle(
        self, *args: Any, format: str, since: str | None, until: str | None, user: str | None, **options: Any
    ) -> None:
        found = SecurityEvent.objects.all()
        if since is not None:
            found = found.filter(at__gte=moment("--since", since))
        if until is not None:
            found = found.filter(at__lt=moment("--until", until))
        if user is not None:
            account = account_of(user)
            found = found.filter(Q(user=account) | Q(by=account))
        for line in FORMATS[format][1](found):
            self.stdout.write(line, ending="")
