from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Access, Bounds, MadeBy, User
from accounts.names import NameField
from accounts.notices import tell_of_token
from accounts.tokens import TokenLimitReached, create_token
from apiv1.tokens.boards import boards_of
from core.text.command_lines import for_this_installation
from core.text.locale import locale_of

LONGEST = 36_500  # days


class Command(BaseCommand):
    help = "Prints a new API token of this account and nothing else. It cannot be shown again."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--name", help="where it will be used, as in laptop (default: Command line)")
        parser.add_argument("--access", choices=Access.values, default=Access.READ_WRITE.value)
        parser.add_argument(
            "--board", metavar="ID", nargs="+", action="extend", help="a board that exists for it (default: all boards)"
        )
        parser.add_argument("--no-deletes", action="store_true", help="it may delete nothing, and remove nobody")
        parser.add_argument("--expires", metavar="DAYS", type=int, help="how long it works (default: for ever)")

    def handle(self, *args: Any, email: str, name: str | None, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(
                for_this_installation(
                    f"There is no account with the address {email}. Make it first: bin/manage adduser {email}"
                )
            )
        if not user.is_active:
            raise CommandError(f"The account {user.email} is deactivated. Activate it in the admin first.")
        bounds = Bounds(options["access"], board_ids(user, options["board"]), not options["no_deletes"])
        expires_at = end_of(options["expires"])
        try:
            with transaction.atomic():
                token, value = create_token(
                    user, token_name(user, name), made_by=MadeBy.COMMAND_LINE, expires_at=expires_at, bounds=bounds
                )
                tell_of_token(token, None)
        except TokenLimitReached as error:
            raise CommandError(str(error)) from error
        self.stdout.write(value)


def board_ids(user: User, given: list[str] | None) -> list[str] | None:
    if given is None:
        return None
    known = {str(board.pk) for board in boards_of(user)}
    if unknown := sorted({*given} - known):
        raise CommandError(
            f"--board: {user.email} has no board with the id {', '.join(unknown)}. The id is in the address of its page."
        )
    return sorted({*given})


def end_of(days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= LONGEST:
        raise CommandError(f"--expires: write a number of days from 1 to {LONGEST}.")
    return timezone.now() + timedelta(days=days)


def token_name(user: User, given: str | None) -> str:
    if given is None:
        with locale_of(user):
            return gettext("Command line")
    try:
        return NameField().clean(given)
    except ValidationError as error:
        raise CommandError(f"--name: {' '.join(error.messages)}") from error
