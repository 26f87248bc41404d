from django.db import migrations, models

HUES = [
    (1, "Red"),
    (2, "Orange"),
    (3, "Yellow"),
    (4, "Green"),
    (5, "Teal"),
    (6, "Cyan"),
    (7, "Sky"),
    (8, "Blue"),
    (9, "Purple"),
    (10, "Pink"),
    (11, "Rose"),
    (12, "Coral"),
]


class Migration(migrations.Migration):
    dependencies = [("boards", "0016_card_limits")]
    operations = [
        migrations.AddField(
            model_name="card",
            name="cover_hue",
            field=models.PositiveSmallIntegerField(blank=True, choices=HUES, null=True, verbose_name="cover"),
        ),
    ]
