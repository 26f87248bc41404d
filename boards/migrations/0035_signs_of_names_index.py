"""On PostgreSQL indexes of titles of checklists and names of files for words of one or two Chinese, Japanese or Korean signs.

A sign stands three times in them, as in the indexes of other texts (0031).
"""

from django.db import migrations

SIGNS = "[\u2e80-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
INDEXES = {
    "checklist_by_signs": ("boards_checklist", "title"),
    "file_by_signs": ("boards_attachment", "file_name"),
}


def create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name, (table, column) in INDEXES.items():
            schema_editor.execute(
                f"CREATE INDEX {name} ON {table} USING gin"
                f" (REGEXP_REPLACE({column}, '({SIGNS})', '\\1\\1\\1', 'g') gin_trgm_ops) WHERE {column} ~ '{SIGNS}'"
            )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [("boards", "0034_titles_index")]
    operations = [migrations.RunPython(create, drop)]
