from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cliauth", "0003_no_slot")]

    operations = [
        migrations.AddField(
            model_name="grant",
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
            model_name="grant",
            name="board_ids",
            field=models.JSONField(blank=True, default=None, null=True, verbose_name="boards"),
        ),
        migrations.AddField(
            model_name="grant",
            name="deletes",
            field=models.BooleanField(db_default=True, default=True, verbose_name="may delete"),
        ),
    ]
