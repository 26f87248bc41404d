from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext

from accounts.models import MadeBy, User
from accounts.names import NameField
from accounts.notices import tell_of_token
from accounts.tokens import TokenLimitReached, create_token
from core.text.locale import locale_of


class Command(BaseCommand):
    help = "Prints a new API token of this account and nothing else. It cannot be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--name", help="where it will be used, as in laptop (default: Command line)")

    def handle(self, *args: Any, email: str, name: str | None, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(
                f"There is no account with the address {email}. Make it first: bin/manage adduser {email}"
            )
        if not user.is_active:
            raise CommandError(f"The account {user.email} is deactivated. Activate it in the admin first.")
        try:
            with transaction.atomic():
                token, value = create_token(user, token_name(user, name), made_by=MadeBy.COMMAND_LINE)
                tell_of_token(token, None)
        except TokenLimitReached as error:
            raise CommandError(str(error)) from error
        self.stdout.write(value)


def token_name(user: User, given: str | None) -> str:
    if given is None:
        with locale_of(user):
            return gettext("Command line")
    try:
        return NameField().clean(given)
    except ValidationError as error:
        raise CommandError(f"--name: {' '.join(error.messages)}") from error
