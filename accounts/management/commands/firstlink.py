from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.first_account import make_link
from accounts.models import User


class Command(BaseCommand):
    help = "Prints a link that makes the first account, the operator's. It works once, for a day."

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.exists():
            raise CommandError(
                "This service has accounts. To make somebody its operator: bin/manage adduser EMAIL --operator"
            )
        self.stdout.write(make_link())
