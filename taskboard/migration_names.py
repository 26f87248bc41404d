"""The names of migrations. Importing them all, as Django does to learn their names, takes 3 MB while the process lives."""

import pkgutil
from functools import cache
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

Name = tuple[str, str]  # app, migration


@cache
def known_migrations() -> frozenset[Name]:
    """Return the migrations that this version has."""
    folders = {config.label: Path(config.path) / "migrations" for config in apps.get_app_configs()}
    return frozenset(
        (label, module.name)
        for label, folder in folders.items()
        for module in pkgutil.iter_modules([str(folder)])
        if module.name[0] not in "_~" and not module.ispkg
    )


def applied_migrations() -> frozenset[Name]:
    """Return those that the database has, also of a newer version. Takes two statements."""
    return frozenset(MigrationRecorder(connection).applied_migrations())
