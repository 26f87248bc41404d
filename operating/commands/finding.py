"""Find what an operator names: accounts by address or id, other rows by the beginning of their id, and the operator."""

import re
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import Model, Q, QuerySet

from accounts.models import User
from core.text.command_lines import for_this_installation
from core.text.names import FORMER

LEAST = 8  # digits of an id that name a row
NAMED = 5  # rows that an error lists


def add_by_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--by", metavar="OPERATOR", help="the operator who does it, for the records (default: the only one)"
    )


def operator_of(by: str | None) -> User:
    """Return the operator who acts. Without a name it is the only superuser."""
    operators = User.objects.filter(is_active=True, is_staff=True, is_superuser=True)
    if by is not None:
        user = account_of(by)
        if not operators.filter(pk=user.pk).exists():
            raise CommandError(f"--by: {user.email} is not an operator with all rights.")
        return user
    found = list(operators.order_by("email")[: NAMED + 1])
    if not found:
        raise CommandError(
            for_this_installation("Nobody is an operator. Make somebody one: bin/manage adduser EMAIL --operator")
        )
    if len(found) > 1:
        raise CommandError(
            f"Several people are operators. Say who does this: --by {listed([one.email for one in found])}"
        )
    return found[0]


def accounts() -> QuerySet[User]:
    """Return all accounts but the rows that deleted ones leave."""
    return User.objects.select_related("plan").exclude(email__startswith=FORMER)


def matching(text: str) -> QuerySet[User]:
    """Return the accounts with this text in their address or name, or with an id that begins so."""
    found = Q(email__icontains=text.strip()) | Q(name__icontains=text.strip())
    if between := ids_beginning(text):
        found |= Q(pk__range=between)
    return accounts().filter(found)


def account_of(text: str) -> User:
    between = ids_beginning(text)
    wanted = Q(email=text.strip().lower()) | (Q(pk__range=between) if between else Q())
    found = list(accounts().filter(wanted)[: NAMED + 1])
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(
            f"Several accounts have an ID that begins with {text}: {listed([one.email for one in found])}."
        )
    alike = [one.email for one in matching(text).order_by("email")[: NAMED + 1]]
    search = for_this_installation("bin/manage users find TEXT searches addresses and names.")
    advice = f"Did you mean {listed(alike)}?" if alike else search
    raise CommandError(f"No account has the address or ID {text}. {advice}")


def row_of(rows: QuerySet[Any], text: str, *, what: str, command: str) -> Any:
    """Return the row whose id begins with the text."""
    between = ids_beginning(text)
    found: list[Model] = list(rows.filter(pk__range=between).order_by("pk")[: NAMED + 1]) if between else []
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(f"Several {what}s begin so: {listed([str(one.pk) for one in found])}. Write more of the ID.")
    raise CommandError(for_this_installation(f"No {what} has the ID {text}. {command} lists them."))


def ids_beginning(text: str) -> tuple[UUID, UUID] | None:
    """Return the lowest and highest id that begin with the text, which has LEAST digits or more; None for other texts."""
    text = text.strip().lower()
    digits = text.replace("-", "")
    if not re.fullmatch(r"[0-9a-f-]+", text) or not LEAST <= len(digits) <= 32:
        return None
    return UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))


def listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")
