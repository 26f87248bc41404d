"""Django's migrate, after a copy of an existing SQLite database."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from operating.backup.before_migrating import copy_before_migrating
from operating.backup.trouble import BackupTrouble
from taskboard.migration_names import applied_migrations
from taskboard.serving.database import name_of_database, reach, require_no_newer
from taskboard.serving.refusal import CannotStart


class Command(migrate.Command):
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            reach()
            require_no_newer(applied_migrations())
            if options["verbosity"]:  # the start asks for none
                self.stderr.write(f"Working on {name_of_database()}.")
            if (
                connection.vendor == "sqlite"
                and not (options["plan"] or options["check_unapplied"])
                and self.would_change(options)
            ):
                copy_before_migrating()
        except (BackupTrouble, CannotStart) as trouble:
            raise CommandError(str(trouble)) from None
        super().handle(*args, **options)

    def would_change(self, options: dict[str, Any]) -> bool:
        executor = MigrationExecutor(connection)
        backwards = options["app_label"] is not None
        applied = bool(executor.loader.applied_migrations)
        return applied and (backwards or bool(executor.migration_plan(executor.loader.graph.leaf_nodes())))
