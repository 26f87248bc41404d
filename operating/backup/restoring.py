"""Restore a backup into a service without data, whole or not at all.

The tables are made as they were when the backup was made, filled, compared, and then brought up to date: migrations see the rows
as on an upgrade. On PostgreSQL all of that is one transaction. On SQLite it is a new file that takes the place of the empty one.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Set
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from django.apps.registry import Apps
from django.conf import settings
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from core.outage import one_line
from core.text.command_lines import for_this_installation
from operating.backup.files import KEYS, UNFINISHED, digest_of, mark_of, put_stored, stored, where_stored
from operating.backup.manifest import FILES, TABLES, BackupPart, Manifest
from operating.backup.manifest import KEYS as KEY_PARTS
from operating.backup.reading import Backup, open_backup
from operating.backup.tables import Table, count, models, tables
from operating.backup.trouble import BackupTrouble
from operating.backup.writing import sync_folder
from taskboard import variables
from taskboard.migration_names import applied_migrations, known_migrations
from taskboard.serving.data_folder import hold_data_folder
from taskboard.serving.database import one_at_a_time, require_no_newer
from taskboard.version import VERSION

# Tables that have rows in every service that somebody has begun to use.
IN_USE = frozenset({"accounts_user", "boards_board"})
ROOM = 3  # times the rows' text that their tables and indexes may take on the disk
Step = Callable[[str], None]


def restore_backup(file: Path, passphrase: str = "", at: Step = lambda step: None) -> Manifest:
    """Raise BackupTrouble, or CannotStart while the service runs: then nothing was changed. `at` is told each step."""
    with hold_data_folder(), open_backup(file, passphrase) as backup:
        then = require_restorable(backup.manifest)
        require_empty(backup.manifest)
        require_room(backup.manifest)
        with new_files(backup) as put_files:
            at("files")
            with new_database(at) as put_database:
                fill(backup, then, at)
                at("filled")
                put_files()
                at("files put")
                put_keys(backup)
                at("keys put")
                put_database()
        return backup.manifest


class Then(NamedTuple):
    """The tables as they were when a backup was made."""

    migrations: list[tuple[str, str]]  # the last ones of each app
    apps: Apps


def require_restorable(manifest: Manifest) -> Then:
    """Raise BackupTrouble for a backup of a newer version, or with other tables than its version had."""
    loader = MigrationLoader(None)
    applied, nodes = set(manifest.migrations), loader.graph.node_map
    if unknown := sorted(applied - set(loader.disk_migrations)):
        raise BackupTrouble(
            f"The backup was made by Taskboard {manifest.product}, whose tables this version, {VERSION}, does not know "
            f"({'.'.join(unknown[-1])}). Nothing was changed. Restore it with that version."
        )
    targets = sorted(
        key
        for key in applied & nodes.keys()
        if not any(child.key in applied and child.key[0] == key[0] for child in nodes[key].children)
    )
    then = Then(targets, loader.project_state(targets).apps)
    require_same_tables(manifest, {table.name: table for table in tables(then.apps)})
    return then


def require_same_tables(manifest: Manifest, known: dict[str, Table]) -> None:
    kept_in_tables = {part.table for part in manifest.of(TABLES)}
    if missing := (known.keys() | IN_USE) - kept_in_tables:
        raise BackupTrouble(f"The backup lacks the table {min(missing)}.")
    for part in manifest.of(TABLES):
        if part.table not in known or sorted(part.columns) != sorted(known[part.table].columns):
            raise BackupTrouble(
                f"The table {part.table} of the backup differs from that of Taskboard {manifest.product}."
            )


def require_empty(manifest: Manifest) -> None:
    """Raise BackupTrouble where accounts, boards or other files are."""
    if connection.vendor == "postgresql" or Path(connection.settings_dict["NAME"]).exists():
        require_empty_database()
    digests = {part.file: part.sha256 for part in manifest.of(FILES)}
    for name in stored():
        if digest_of(name) != digests.get(name):
            raise BackupTrouble(
                f"There are files in {where_stored()} that are not in the backup: move them away first."
            )


def require_empty_database() -> None:
    try:
        existing = set(connection.introspection.table_names())
        if "django_migrations" in existing:
            applied = applied_migrations()
            require_no_newer(applied)
            if connection.vendor == "postgresql" and known_migrations() - applied:
                raise BackupTrouble(
                    for_this_installation("The database has tables of an older version. Run bin/manage migrate first.")
                )
        require_unused(existing)
    finally:
        connection.close()


def require_unused(existing: Set[str]) -> None:
    """Raise BackupTrouble where one of the tables that exist has accounts or boards."""
    for name in IN_USE & existing:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {name})")  # noqa: S608 (own names)
            if cursor.fetchone()[0]:
                raise BackupTrouble(
                    "This service has accounts or boards already. A backup is restored into an empty one only: set "
                    "TASKBOARD_DATA to a new folder, or DATABASE_URL to a new database."
                )


def require_room(manifest: Manifest) -> None:
    require_free(settings.FILES, sum(part.size for part in manifest.of(FILES)))
    if connection.vendor == "sqlite":
        require_free(settings.DATA, sum(part.size for part in manifest.of(TABLES)) * ROOM)


def require_free(folder: Path, needed: int) -> None:
    if not needed:
        return
    folder.mkdir(parents=True, exist_ok=True)
    if needed > (free := shutil.disk_usage(folder).free):
        raise BackupTrouble(
            f"The backup may need {needed // 1_000_000 + 1} MB in {folder}, where {free // 1_000_000} MB are free."
        )


@contextmanager
def new_files(backup: Backup) -> Iterator[Callable[[], None]]:
    """Unpack the uploaded files beside their place, which may be a mount or a bucket, and yield what moves them there.

    Files that a killed restore moved already are whole, and the same as in the backup.
    """
    draft, parts = settings.FILES / UNFINISHED, backup.manifest.of(FILES)
    shutil.rmtree(draft, ignore_errors=True)  # of one that was killed

    def put() -> None:
        for part in parts:
            put_stored(draft / part.file, part.file)

    try:
        for part in parts:
            unpack(backup, part, draft / part.file)
        yield put
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def unpack(backup: Backup, part: BackupPart, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as opened:
        for piece in backup.pieces(part):
            opened.write(piece)
        opened.flush()
        os.fsync(opened.fileno())


def put_keys(backup: Backup) -> None:
    """Put the keys into the data folder, but for a secret key that the environment sets."""
    for part in backup.manifest.of(KEY_PARTS):
        name = part.name.removeprefix(KEY_PARTS)
        if name not in KEYS or (name == "secret_key" and variables.text("TASKBOARD_SECRET_KEY")):
            continue
        draft = settings.DATA / f".{name}.restoring"
        draft.unlink(missing_ok=True)
        unpack(backup, part, draft)
        os.replace(draft, settings.DATA / name)
        sync_folder(settings.DATA)


def has_other_key(manifest: Manifest) -> bool:
    """Return whether the restored service will use another secret key than the one that the backup was made under."""
    if manifest.of(KEY_PARTS) and not variables.text("TASKBOARD_SECRET_KEY"):
        return False
    return manifest.key_mark not in map(mark_of, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])


@contextmanager
def new_database(at: Step) -> Iterator[Callable[[], None]]:
    if connection.vendor == "postgresql":
        with one_at_a_time(), in_one_transaction():
            yield lambda: None  # the commit puts it
        return
    with in_new_file(Path(connection.settings_dict["NAME"]), at) as put:
        yield put


@contextmanager
def in_one_transaction() -> Iterator[None]:
    """Drop the empty tables, as they may be newer than those of the backup.

    Raise BackupTrouble where a service on another host has filled them since the check before the files were unpacked.
    """
    with transaction.atomic():
        existing = set(connection.introspection.table_names())
        ours = {model._meta.db_table for model in models()} | {"django_migrations"}
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")  # files are unpacked in between
            for name in sorted(IN_USE & existing):
                cursor.execute(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE")
            require_unused(existing)
            for name in ours & existing:
                cursor.execute(f"DROP TABLE {connection.ops.quote_name(name)} CASCADE")
        yield


@contextmanager
def in_new_file(file: Path, at: Step) -> Iterator[Callable[[], None]]:
    """Let the default connection lead to a new file, and yield what puts that in the place of the empty one."""
    draft = file.with_name(f".{file.name}.restoring")
    remove_database(draft)
    usual = connections[DEFAULT_DB_ALIAS]
    usual.close()
    made = usual.copy()
    made.settings_dict = {**usual.settings_dict, "NAME": str(draft)}
    connections[DEFAULT_DB_ALIAS] = made

    def put() -> None:
        made.close()
        settle(draft)
        if file.exists():
            settle(file)  # so that no -wal of the empty one is left beside the new one
        at("database")
        for suffix in ("-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        os.replace(draft, file)
        sync_folder(file.parent)

    try:
        yield put
    finally:
        made.close()
        connections[DEFAULT_DB_ALIAS] = usual
        remove_database(draft)


def remove_database(file: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def settle(file: Path) -> None:
    """Bring everything into the one file, and onto the disk."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def fill(backup: Backup, then: Then, at: Step) -> None:
    """Make the tables of the backup, fill them, compare, and bring them up to date. Raise BackupTrouble."""
    manifest = backup.manifest
    try:
        with constraints_checked_at_once():
            MigrationExecutor(connection).migrate(then.migrations)
        at("tables")
        known = {table.name: table for table in tables(then.apps)}
        # On PostgreSQL this is inside the one transaction.
        with transaction.atomic() if connection.vendor == "sqlite" else nullcontext():
            for model in models(then.apps):
                with connection.cursor() as cursor:
                    cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608 (own names)
            for number, part in enumerate(manifest.of(TABLES)):
                load(backup, part, known[part.table])
                if number == len(known) // 2:
                    at("half filled")
            connection.check_constraints()
        set_sequences(then.apps)
        with constraints_checked_at_once():
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())
            emit_post_migrate_signal(0, interactive=False, db=DEFAULT_DB_ALIAS)
            connection.check_constraints()
    except Error as error:
        raise BackupTrouble(f"The database did not take the backup: {one_line(error)}") from error


@contextmanager
def constraints_checked_at_once() -> Iterator[None]:
    """PostgreSQL alters no table that still has rows to check in the same transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def load(backup: Backup, part: BackupPart, table: Table) -> None:
    places = [part.columns.index(name) for name in table.columns]
    read, number = table.reader(connection, places), 0

    def rows() -> Iterator[list[Any]]:
        nonlocal number
        for number, line in enumerate(backup.lines(part), 1):
            try:
                yield read(line)
            except (ValueError, TypeError, RecursionError, OverflowError, ArithmeticError) as error:
                raise BackupTrouble(f"Row {number} of {part.table} in the backup cannot be read: {error}") from error

    try:
        table.insert(rows(), connection)
    except (Error, OverflowError) as error:
        raise BackupTrouble(
            f"The table {part.table} did not take its rows, near row {number}: {one_line(error)}"
        ) from error
    if (found := count(table, DEFAULT_DB_ALIAS)) != part.rows:
        raise BackupTrouble(f"The table {part.table} has {found} rows after loading; the backup has {part.rows}.")


def set_sequences(apps: Apps) -> None:
    """SQLite follows the highest number by itself."""
    statements = connection.ops.sequence_reset_sql(no_style(), models(apps))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
