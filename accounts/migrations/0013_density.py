from django.db import migrations, models

import accounts.models.user


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_bounds_of_tokens")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="density",
            field=models.CharField(
                choices=accounts.models.user.densities,
                db_default="comfortable",
                default="comfortable",
                max_length=12,
                verbose_name="density",
            ),
        ),
    ]
