"""On PostgreSQL an index of trigrams, so that words are found anywhere in a card's text without reading every card."""

from django.core.management.base import CommandError
from django.db import ProgrammingError, migrations, transaction

from core.sql import INSUFFICIENT_PRIVILEGE, sqlstate_of

HELP = (
    "PostgreSQL does not let this user create the extension pg_trgm. Let an administrator of the database run "
    "'CREATE EXTENSION pg_trgm;' in it once, then start again."
)


def create(apps, schema_editor):
    connection = schema_editor.connection
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
        if cursor.fetchone() is None:
            try:
                with transaction.atomic(using=connection.alias):
                    cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            except ProgrammingError as error:
                if sqlstate_of(error) == INSUFFICIENT_PRIVILEGE:
                    raise CommandError(HELP) from error
                raise
        cursor.execute("CREATE INDEX card_by_trigrams ON boards_card USING gin (search_text gin_trgm_ops)")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX card_by_trigrams")


class Migration(migrations.Migration):
    dependencies = [("boards", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
