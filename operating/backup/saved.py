"""The database that `bin/manage backup` saves. One without accounts is probably the wrong one."""

from pathlib import Path

from django.db import connection

from accounts.models import User
from core.text.command_lines import for_this_installation
from operating.backup.trouble import BackupTrouble
from taskboard.migration_names import applied_migrations, known_migrations
from taskboard.serving.database import name_of_database, reach, require_no_newer

OTHER = (
    "Is that the database of the service? Run the command as the service's user with its environment: "
    "docs/running/install.md, Running commands."
)


def require_accounts() -> None:
    """Raise BackupTrouble for a database that is missing, has no accounts or not this version's tables.

    Raise CannotStart where it cannot be reached. Nothing is made.
    """
    name = name_of_database()
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).is_file():
        raise BackupTrouble(f"Nothing was saved: {name} does not exist. {OTHER}")
    reach()
    applied = applied_migrations()
    if not applied or not User.objects.exists():
        raise BackupTrouble(f"Nothing was saved: {name} has no accounts. {OTHER}")
    require_no_newer(applied)
    if known_migrations() - applied:
        raise BackupTrouble(
            for_this_installation(
                f"Nothing was saved: {name} has the tables of an older version. Back up with that version, or run "
                "bin/manage migrate first."
            )
        )
