from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.sign_in.factors.changes import remove_all
from core.text.command_lines import for_this_installation


class Command(BaseCommand):
    help = "Removes authenticator app, passkeys and recovery codes of an account that lost them. Its password stays."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(f"No account has the address {email}.")
        if remove_all(user):
            self.stdout.write(f"{user.email} now signs in with the password alone, and is signed out everywhere.")
        else:
            self.stdout.write(f"{user.email} has no second factor. Nothing was changed.")
        if not user.has_usable_password():
            self.stdout.write(
                for_this_installation(f"This account has no password: set one with bin/manage adduser {user.email}.")
            )
