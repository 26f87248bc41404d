"""In place of Django's command, which ends in a traceback where the mail server does not answer."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operating.doctor.finding import FindingState
from operating.management.commands.doctor import try_mail


class Command(BaseCommand):
    help = "Sends a test mail to each address and says what the mail server answered, within seconds."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", nargs="+", help="where to send a test mail")

    def handle(self, *args: Any, **options: Any) -> None:
        for address in options["email"]:
            found = try_mail(address)
            if found.state == FindingState.WRONG:
                raise CommandError(f"{found.what}\n{found.do}")
            self.stdout.write(found.what)
