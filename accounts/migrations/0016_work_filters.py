import django.db.models.deletion
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_start_page")]

    operations = [
        migrations.CreateModel(
            name="WorkFilter",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("folded", models.TextField()),
                ("query", models.TextField()),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["folded"],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "folded"), name="one_work_filter_of_a_name")
                ],
            },
        ),
    ]
