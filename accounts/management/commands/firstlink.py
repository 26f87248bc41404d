from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.first_account import make_link
from accounts.plans import nobody_has_an_account
from core.text.command_lines import for_this_installation


class Command(BaseCommand):
    help = "Prints a link that makes the first account, the operator's. It works once, for a day."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not nobody_has_an_account():
            raise CommandError(
                for_this_installation(
                    "This service has accounts. To make somebody its operator: bin/manage adduser EMAIL --operator"
                )
            )
        self.stdout.write(make_link())
