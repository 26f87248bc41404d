import getpass
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.forms import model_to_dict

from accounts.admin.forms import AccountForm
from accounts.locks import AccountChanged, lock_undeleted_account
from accounts.models import Plan, User
from accounts.models.plan import default_plan
from accounts.notices import tell
from accounts.plans import plan_of_newcomer
from accounts.recovery import recover
from accounts.sign_in.factors.held import RECENT
from accounts.sign_in.sessions.browser_sessions import end_all
from security.events import log_event
from security.models import EventKind

OPTIONS = {"email": "EMAIL", "name": "--name", "language": "--language", "time_zone": "--time-zone", "plan": "--plan"}


class Details(AccountForm):
    class Meta:
        model = User
        fields = tuple(OPTIONS)


class Command(BaseCommand):
    help = "Makes an account, or updates the one of this address. Without --password asks for it, or reads it from standard input."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--name", help="shown to others; without one they see the first part of the address")
        parser.add_argument("--password", help="others on this machine may see it; leave it out to be asked")
        parser.add_argument("--language", help=f"one of {', '.join(code for code, _name in settings.LANGUAGES)}")
        parser.add_argument("--time-zone", help="such as Europe/Berlin")
        parser.add_argument(
            "--plan", help="such as pro, which the first account is on; others start on the plan set in the admin"
        )
        parser.add_argument("--operator", action="store_true", help="may use the admin at /admin, with all rights")

    def handle(self, *args: Any, email: str, password: str | None, operator: bool, **given: Any) -> None:
        known = User.objects.filter(email=email.strip().lower()).first()
        user = self.described(known or User(plan_id=default_plan()), {"email": email, **given})
        if password is None:
            password = ask() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
        self.set_password(user, password, is_new=known is None)
        if operator:
            user.is_staff = user.is_superuser = True
        changed = [name for name in OPTIONS if given.get(name) is not None]
        changed += ["password"] * bool(password) + ["is_staff", "is_superuser"] * operator
        self.keep(user, changed, is_new=known is None)

    def described(self, user: User, given: dict[str, str | None]) -> User:
        """Return the account with the given values set, unsaved. Raise CommandError for invalid ones."""
        values = {name: value for name, value in given.items() if name in OPTIONS and value is not None}
        form = Details({**model_to_dict(user, OPTIONS), **values}, instance=user)
        if not form.is_valid():
            raise CommandError(
                "\n".join(f"{OPTIONS.get(name, name)}: {advice(name, errors)}" for name, errors in form.errors.items())
            )
        return form.save(commit=False)

    def set_password(self, user: User, password: str, *, is_new: bool) -> None:
        if not password:
            if is_new:
                raise CommandError("A new account needs a password: type it when asked, or send it to standard input.")
            return
        try:
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(f"The password was not accepted: {' '.join(error.messages)}") from error
        user.set_password(password)

    def keep(self, user: User, changed: list[str], *, is_new: bool) -> None:
        """Save the account. A new password recovers it: what somebody else may have left in it ends."""
        recovered = not is_new and "password" in changed
        with transaction.atomic():
            if not is_new:
                require_undeleted(user)
            removed = recover(User.objects.get(pk=user.pk)).factors if recovered else []
            if recovered:
                end_all(user)
            if is_new and "plan" not in changed:
                user.plan_id = plan_of_newcomer()
            user.save(update_fields=None if is_new else changed)
            if is_new:  # the operator vouches for the address
                EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
                log_event(EventKind.SIGNED_UP, None, user=user)
            if recovered:
                log_event(EventKind.PASSWORD_CHANGED, None, user=user)
                tell(user, "password_reset", None)
        self.stdout.write(f"{user.email} {'added' if is_new else 'updated'}.")
        if removed:
            self.stdout.write(f"Removed, as added in the last {RECENT.days} days: {', '.join(map(str, removed))}.")
        if not user.is_active:
            self.stdout.write("This account is deactivated; activate it in the admin.")


def require_undeleted(user: User) -> None:
    try:
        lock_undeleted_account(user.pk)
    except AccountChanged:
        raise CommandError("The account was deleted meanwhile. Nothing was done.") from None


def advice(name: str, errors: Iterable[object]) -> str:
    """Return what to write instead of an invalid value."""
    if name == "language":
        return f"write one of {', '.join(code for code, _name in settings.LANGUAGES)}."
    if name == "plan":
        return f"write one of {', '.join(Plan.objects.values_list('key', flat=True))}."
    if name == "time_zone":
        return "write a time zone such as Europe/Berlin."
    return " ".join(map(str, errors))


def ask() -> str:
    password = getpass.getpass("Password (empty keeps the present one, if there is one): ")
    if password != getpass.getpass("Again: "):
        raise CommandError("The two passwords differ. Nothing was changed.")
    return password
