"""On PostgreSQL indexes of trigrams, so that agents find words in comments and checklists without reading all of them."""

from django.db import migrations

INDEXES = {"comment_by_trigrams": ("boards_comment", "body"), "item_by_trigrams": ("boards_checklistitem", "text")}


def create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name, (table, column) in INDEXES.items():
            schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin (UPPER({column}) gin_trgm_ops)")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [("boards", "0028_background")]
    operations = [migrations.RunPython(create, drop)]
