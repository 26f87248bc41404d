import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_density")]

    operations = [
        migrations.CreateModel(
            name="LastLook",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="last_look",
                        serialize=False,
                        to="accounts.apitoken",
                    ),
                ),
                ("versions", models.JSONField(default=dict)),
            ],
            options={"verbose_name": "last look", "verbose_name_plural": "last looks"},
        ),
    ]
