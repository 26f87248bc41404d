from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0014_last_look")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="start_page",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=10, verbose_name="start page"
            ),
        ),
    ]
