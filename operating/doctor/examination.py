import logging
from collections.abc import Iterator

from django.db import Error

from core.outage import one_line
from operating.doctor.accounts import check_operators
from operating.doctor.backups import check_backups, check_files
from operating.doctor.database import check_database, check_work
from operating.doctor.finding import Check, Finding, FindingState, wrong
from operating.doctor.machine import check_machine, check_storage
from operating.doctor.settings import check_settings

log = logging.getLogger(__name__)

CHECKS: list[Check] = [check_settings, check_machine, check_storage]
WITH_DATABASE: list[Check] = [check_operators, check_work, check_backups, check_files]
# Those that take a moment whatever the size of the data: they read no whole database and folder, and ask no bucket.
QUICK: list[Check] = [check_settings, check_machine, check_operators, check_work, check_backups]


def examine() -> Iterator[Finding]:
    """Check everything. What cannot be checked is a finding too."""
    for check in CHECKS:
        yield from guarded(check)
    of_database = list(guarded(check_database))
    yield from of_database
    if all(finding.state != FindingState.WRONG for finding in of_database):
        for check in WITH_DATABASE:
            yield from guarded(check)


def examine_quickly() -> Iterator[Finding]:
    """Check what the first page of the admin tells, which others have shown the database to answer."""
    for check in QUICK:
        yield from guarded(check)


def guarded(check: Check) -> Iterator[Finding]:
    """Check. A failure, of whatever kind, is a finding: it must not hide the others, or the page that they are on."""
    try:
        yield from check()
    except Exception as error:
        if not isinstance(error, (OSError, Error)):
            log.exception("The check %s failed.", check.__name__)
        name = check.__name__.removeprefix("check_")
        yield wrong(f"The check of {name} failed: {one_line(error)}", "Mend this, then run bin/manage doctor again.")
