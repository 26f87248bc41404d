from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_default_plan")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="access",
            field=models.CharField(
                choices=[("read", "read"), ("readWrite", "read and write")],
                db_default="readWrite",
                default="readWrite",
                max_length=10,
                verbose_name="access",
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="board_ids",
            field=models.JSONField(blank=True, default=None, null=True, verbose_name="boards"),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="deletes",
            field=models.BooleanField(db_default=True, default=True, verbose_name="may delete"),
        ),
    ]
