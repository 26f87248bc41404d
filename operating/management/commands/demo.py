import secrets
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.demo import ADDRESS
from accounts.models import Plan
from accounts.plans import nobody_has_an_account
from accounts.tokens import TokenLimitReached
from core.text.command_lines import for_this_installation
from operating.demo.building import build_demo, others_exist
from taskboard.serving.data_folder import address_of_the_service


class Command(BaseCommand):
    help = "Makes a demo account with filled boards and prints how to get in. A repeat gives a new password and token."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="do not ask, even where other accounts exist")

    def handle(self, *args: Any, yes: bool, **options: Any) -> None:
        if others_exist() and not yes:
            self.require_agreement()
        if not Plan.objects.filter(key="pro").exists():
            raise CommandError("The demo account is on the plan pro, which does not exist. Add it in the admin first.")
        password = secrets.token_urlsafe(12)
        try:
            token = build_demo(password)
        except TokenLimitReached as error:
            raise CommandError(f"The demo account has no room for another token. {error}") from error
        self.stdout.write(f"Address:   {address_of_the_service()}")
        self.stdout.write(f"Sign in:   {ADDRESS}")
        self.stdout.write(f"Password:  {password}")
        self.stdout.write(f"API token: {token}")
        if nobody_has_an_account():
            self.stdout.write(
                for_this_installation(
                    "Operator:  nobody yet. bin/manage firstlink prints the link for your own account."
                )
            )

    def require_agreement(self) -> None:
        if not sys.stdin.isatty():
            raise CommandError("This service has other accounts. Add --yes to add the demo beside them.")
        self.stdout.write("This service has other accounts. Add the demo beside them? [y/N] ", ending="")
        self.stdout.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise CommandError("Nothing was changed.")
