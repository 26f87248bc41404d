"""The copies that a worker makes once a day into TASKBOARD_BACKUPS, and the rule by which it keeps them."""

import re
from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operating.backup.passphrases import passphrase_of
from operating.backup.trouble import BackupTrouble
from operating.backup.writing import write_backup

DAYS, WEEKS, MONTHS = 7, 4, 12  # of each the newest copy is kept
DUE_AFTER = timedelta(hours=23, minutes=30)  # a worker looks once an hour
TOO_OLD = timedelta(days=2)  # then something is wrong
NAME = re.compile(r"taskboard-(\d{8}T\d{6}Z)\.backup")
TIME = "%Y%m%dT%H%M%SZ"


def copies(folder: Path) -> dict[datetime, Path]:
    """Return the copies in the folder by the time at which they were made. Raise OSError.

    Copies of the future are left out: the machine's clock was wrong.
    """
    now = timezone.now()
    names = ((NAME.fullmatch(path.name), path) for path in folder.iterdir())
    found = {datetime.strptime(name[1], TIME).replace(tzinfo=UTC): path for name, path in names if name}
    return {made_at: path for made_at, path in found.items() if made_at <= now}


def newest_copy() -> datetime | None:
    """Return when the newest copy was made; None without one, or while the folder cannot be read."""
    try:
        return max(copies(settings.BACKUPS), default=None) if settings.BACKUPS else None
    except OSError:
        return None


def is_copy_due() -> bool:
    newest = newest_copy()
    return bool(settings.BACKUPS) and (newest is None or timezone.now() - newest > DUE_AFTER)


def make_copy(folder: Path) -> Path:
    """Make a copy, then delete those that are not kept any more. Raise BackupTrouble."""
    file = folder / f"taskboard-{timezone.now().strftime(TIME)}.backup"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BackupTrouble(f"The folder {folder} cannot be made: {error.strerror}.") from error
    write_backup(file, passphrase_of(passphrase_file=None, ask=False), force=True)
    prune(folder)
    return file


def prune(folder: Path) -> None:
    found = copies(folder)
    for made_at in found.keys() - kept(found):
        found[made_at].unlink(missing_ok=True)
    for left in folder.glob(".taskboard-*.backup.unfinished"):  # of a process that was killed
        if timezone.now().timestamp() - left.stat().st_mtime > DUE_AFTER.total_seconds():
            left.unlink(missing_ok=True)


def kept(made: Iterable[datetime]) -> set[datetime]:
    """Return the newest copy of each of the last days, weeks and months that have one."""
    newest_first = sorted(made, reverse=True)
    return (
        firsts(newest_first, DAYS, lambda at: at.date())
        | firsts(newest_first, WEEKS, lambda at: at.isocalendar()[:2])
        | firsts(newest_first, MONTHS, lambda at: (at.year, at.month))
    )


def firsts(times: list[datetime], number: int, period: Callable[[datetime], Hashable]) -> set[datetime]:
    found: dict[Hashable, datetime] = {}
    for at in times:
        found.setdefault(period(at), at)
    return set(list(found.values())[:number])
