from collections.abc import Iterator

from accounts.models import User
from accounts.plans import nobody_has_an_account
from operating.doctor.finding import Finding, note, ok


def check_operators() -> Iterator[Finding]:
    if operators := User.objects.filter(is_active=True, is_staff=True).count():
        yield ok(f"Operators: {operators}.")
    elif nobody_has_an_account():
        yield note("Nobody is an operator yet.", "Run bin/manage firstlink and open the link that it prints.")
    else:
        yield note(
            "Nobody is an operator: nobody can use /admin.",
            "Make somebody one: bin/manage adduser EMAIL --operator",
        )
