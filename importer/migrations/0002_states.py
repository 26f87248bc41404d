from django.db import migrations, models

import importer.models


class Migration(migrations.Migration):
    dependencies = [("importer", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="import",
            name="state",
            field=models.CharField(
                choices=importer.models.states, default="asking", max_length=10, verbose_name="state"
            ),
        ),
    ]
