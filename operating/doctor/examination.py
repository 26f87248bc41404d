from collections.abc import Iterator

from django.db import Error

from core.outage import one_line
from operating.doctor.accounts import check_operators
from operating.doctor.backups import check_backups, check_files
from operating.doctor.database import check_database, check_work
from operating.doctor.finding import Check, Finding, FindingState, wrong
from operating.doctor.machine import check_machine
from operating.doctor.settings import check_settings

CHECKS: list[Check] = [check_settings, check_machine]
WITH_DATABASE: list[Check] = [check_operators, check_work, check_backups, check_files]


def examine() -> Iterator[Finding]:
    """Check everything. What cannot be checked is a finding too."""
    for check in CHECKS:
        yield from guarded(check)
    of_database = list(guarded(check_database))
    yield from of_database
    if all(finding.state != FindingState.WRONG for finding in of_database):
        for check in WITH_DATABASE:
            yield from guarded(check)


def guarded(check: Check) -> Iterator[Finding]:
    try:
        yield from check()
    except (OSError, Error) as error:
        name = check.__name__.removeprefix("check_")
        yield wrong(f"The check of {name} failed: {one_line(error)}", "Mend this, then run bin/manage doctor again.")
