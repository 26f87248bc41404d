"""On PostgreSQL an index of the words in titles of cards, for the search's best matches."""

from django.db import migrations

TITLE = r"SUBSTRING(search_text, 1, STRPOS(search_text, E'\n'))"  # folded, as the first line of the text


def create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"CREATE INDEX card_by_title ON boards_card USING gin (({TITLE}) gin_trgm_ops)")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX card_by_title")


class Migration(migrations.Migration):
    dependencies = [("boards", "0033_boards_of_open_cards")]
    operations = [migrations.RunPython(create, drop)]
