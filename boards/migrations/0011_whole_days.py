"""Cards that were given a bare date are due on that whole day: their time is the last second of a day for who made them.

No other door wrote that second: the field of the pages has minutes only. Where such a card repeats, its series becomes
one of whole days too.
"""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from django.db import migrations

BATCH = 500  # cards written at a time
LAST_SECOND = time(23, 59, 59)


def mark(apps, schema_editor):
    card_model = apps.get_model("boards", "Card")
    found = card_model.objects.filter(due_at__second=59, due_day=None)
    columns = ("pk", "due_at", "recurrence_anchor", "created_by__time_zone")
    days = []
    for pk, due_at, anchor, name in found.values_list(*columns).iterator():
        zone = ZoneInfo(name)
        local = due_at.astimezone(zone)
        if local.time() == LAST_SECOND:
            anchored = anchor and datetime.combine(anchor.astimezone(zone).date(), time(), UTC)
            days.append(card_model(pk=pk, due_day=local.date(), recurrence_anchor=anchored))
    card_model.objects.bulk_update(days, ["due_day", "recurrence_anchor"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [("boards", "0010_dates")]
    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
