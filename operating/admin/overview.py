"""The figures on the first page of the admin. They take a fixed number of statements."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import ApiToken, User
from boards.models import Board, Card
from core.text.command_lines import for_this_installation
from core.text.names import FORMER
from jobs.queue import Queue
from operating.backup.kept import TOO_OLD, newest_copy
from security.models import EventKind, SecurityEvent
from taskboard.health import ROOM, Checks

ACTIVE_WITHIN = timedelta(days=30)
FAILED_WITHIN = timedelta(hours=24)
COUNTED = 200_000  # rows. PostgreSQL takes a while to count more, so its own estimate is shown instead


@dataclass(frozen=True)
class Rows:
    number: int
    is_estimate: bool


@dataclass(frozen=True)
class Overview:
    accounts: Rows
    active: int
    boards: Rows
    cards: Rows
    database_size: int  # bytes
    free: int | None  # bytes; None: the data folder cannot be read
    has_little_room: bool
    queue: Queue
    mail_server: str  # empty without one
    keeps_backups: bool
    newest_backup: datetime | None
    checks: dict[str, bool]
    redis: bool | None  # None: none is set
    files: bool
    failed_sign_ins: int
    failed_sign_ins_address: str

    @classmethod
    def now(cls) -> Self:
        checks = Checks.now()
        free = free_space()
        since = timezone.now() - FAILED_WITHIN
        failures = {"kind": EventKind.SIGN_IN_FAILED, "at__gte": since}
        accounts, boards, cards = count_rows(User, Board, Card)
        former = User.objects.filter(email__startswith=FORMER).count()  # rows that deleted accounts leave
        return cls(
            accounts=Rows(max(0, accounts.number - former), accounts.is_estimate),
            active=active_accounts().count(),
            boards=boards,
            cards=cards,
            database_size=database_size(),
            free=free,
            has_little_room=free is None or free < ROOM,
            queue=Queue.now(),
            mail_server=f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}" if settings.MAIL else "",
            keeps_backups=bool(settings.BACKUPS),
            newest_backup=newest_copy(),
            checks=dict(checks.needed),
            files=checks.files,
            redis=checks.redis if settings.REDIS_URL else None,
            failed_sign_ins=SecurityEvent.objects.filter(**failures).count(),
            failed_sign_ins_address=security_log(
                {"kind__exact": EventKind.SIGN_IN_FAILED, "at__gte": since.isoformat()}
            ),
        )

    @property
    def is_healthy(self) -> bool:
        return all(self.checks.values()) and self.redis is not False and self.files

    @property
    def lacks_backup(self) -> bool:
        return self.keeps_backups and (self.newest_backup is None or timezone.now() - self.newest_backup > TOO_OLD)

    @property
    def no_worker(self) -> str:
        return for_this_installation(_("No worker seems to be running. Start bin/manage worker."))

    @property
    def version(self) -> str:
        return settings.VERSION

    @property
    def database(self) -> str:
        return connection.display_name


def security_log(lookups: dict[str, str]) -> str:
    return f"{reverse('admin:security_securityevent_changelist')}?{urlencode(lookups)}"


def active_accounts() -> QuerySet[User]:
    """Return the accounts that came by within ACTIVE_WITHIN: by a sign-in, a session or an API token."""
    since = timezone.now() - ACTIVE_WITHIN
    by_token = ApiToken.objects.filter(last_used_at__gte=since).values("user")
    return User.objects.filter(Q(last_login__gte=since) | Q(seen_at__gte=since) | Q(pk__in=by_token), is_active=True)


def count_rows(*models: type[Model]) -> list[Rows]:
    estimates = estimated_rows(models) if settings.POSTGRESQL else {}
    return [
        Rows(estimates[model], is_estimate=True)
        if estimates.get(model, 0) > COUNTED
        else Rows(model._default_manager.count(), is_estimate=False)
        for model in models
    ]


def estimated_rows(models: tuple[type[Model], ...]) -> dict[type[Model], int]:
    """Return the numbers of rows that PostgreSQL noted at its last ANALYZE; -1 before the first one."""
    tables = {model._meta.db_table: model for model in models}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples::bigint FROM pg_class WHERE oid = ANY(%s::text[]::regclass[])", [list(tables)]
        )
        return {tables[name]: rows for name, rows in cursor.fetchall()}


def database_size() -> int:
    """Return the bytes of the database, with what SQLite has written ahead."""
    if settings.POSTGRESQL:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return cursor.fetchone()[0]
    file = str(connection.settings_dict["NAME"])
    return sum(path.stat().st_size for path in (Path(file), Path(f"{file}-wal")) if path.exists())


def free_space() -> int | None:
    try:
        return shutil.disk_usage(settings.DATA).free
    except OSError:
        return None
