"""On PostgreSQL the indexes for words of one or two Chinese, Japanese or Korean signs have an array of a text's signs.

An index of trigrams, in which each sign stood three times, was seven times as large, and PostgreSQL wrote the signs of each text
that it found three times again. Texts of ASCII alone are left out.
"""

from django.db import migrations

SIGNS = "\u2e80-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff"
INDEXES = {
    "card_by_signs": ("boards_card", "search_text"),
    "comment_by_signs": ("boards_comment", "body"),
    "item_by_signs": ("boards_checklistitem", "text"),
    "checklist_by_signs": ("boards_checklist", "title"),
    "file_by_signs": ("boards_attachment", "file_name"),
}
ARRAYS = "(STRING_TO_ARRAY(REGEXP_REPLACE({column}, '[^{signs}]+', '', 'g'), NULL)) WHERE OCTET_LENGTH({column}) > CHAR_LENGTH({column})"
TRIPLED = "(REGEXP_REPLACE({column}, '([{signs}])', '\\1\\1\\1', 'g') gin_trgm_ops) WHERE {column} ~ '[{signs}]'"


def make(schema_editor, way):
    if schema_editor.connection.vendor == "postgresql":
        for name, (table, column) in INDEXES.items():
            schema_editor.execute(f"DROP INDEX {name}")
            schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin {way.format(column=column, signs=SIGNS)}")


def create(apps, schema_editor):
    make(schema_editor, ARRAYS)


def restore(apps, schema_editor):
    make(schema_editor, TRIPLED)


class Migration(migrations.Migration):
    dependencies = [("boards", "0036_words")]
    operations = [migrations.RunPython(create, restore)]
