"""Cards that have a description get its first line as their excerpt."""

from django.db import migrations

BATCH = 500  # cards written at a time
MOST = 80  # characters


def fill(apps, schema_editor):
    card_model = apps.get_model("boards", "Card")
    found = card_model.objects.exclude(description=None).values_list("pk", "description")
    lines = ((pk, next(lines_of(description), "")) for pk, description in found.iterator())
    cards = [card_model(pk=pk, excerpt=shortened(line)) for pk, line in lines if line]
    card_model.objects.bulk_update(cards, ["excerpt"], batch_size=BATCH)


def lines_of(node):
    """Yield the lines of a document that are not empty."""
    content = node.get("content", [])
    if node["type"] in ("paragraph", "heading", "codeBlock"):
        text = "".join(map(text_of, content)).replace("\n", " ").strip()
        yield from [text] if text else []
    else:
        for inner in content:
            yield from lines_of(inner)


def text_of(node):
    return f"@{node['attrs']['label']}" if node["type"] == "mention" else node.get("text", " ")


def shortened(line):
    return line if len(line) <= MOST else line[: MOST - 1].rstrip() + "…"


class Migration(migrations.Migration):
    dependencies = [("boards", "0013_excerpt")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
