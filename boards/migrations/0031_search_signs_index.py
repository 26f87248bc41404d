"""On PostgreSQL indexes for words of one or two Chinese, Japanese or Korean signs, and of titles of checklists and names of files.

A sign stands three times in them, so that one alone is a trigram. Texts without such signs are left out.
"""

from django.db import migrations

SIGNS = "[\u2e80-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
BY_SIGNS = {
    "card_by_signs": ("boards_card", "search_text"),
    "comment_by_signs": ("boards_comment", "body"),
    "item_by_signs": ("boards_checklistitem", "text"),
}
BY_TRIGRAMS = {
    "checklist_by_trigrams": ("boards_checklist", "title"),
    "file_by_trigrams": ("boards_attachment", "file_name"),
}


def create(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    for name, (table, column) in BY_SIGNS.items():
        schema_editor.execute(
            f"CREATE INDEX {name} ON {table} USING gin"
            f" (REGEXP_REPLACE({column}, '({SIGNS})', '\\1\\1\\1', 'g') gin_trgm_ops) WHERE {column} ~ '{SIGNS}'"
        )
    for name, (table, column) in BY_TRIGRAMS.items():
        schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin (UPPER({column}) gin_trgm_ops)")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in BY_SIGNS | BY_TRIGRAMS:
            schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [("boards", "0030_open_cards_by_due")]
    operations = [migrations.RunPython(create, drop)]
