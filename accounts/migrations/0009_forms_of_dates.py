from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_picture")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="week_start",
            field=models.CharField(blank=True, default="", max_length=10, verbose_name="first day of the week"),
        ),
        migrations.AddField(
            model_name="user",
            name="date_form",
            field=models.CharField(blank=True, default="", max_length=10, verbose_name="form of dates"),
        ),
        migrations.AddField(
            model_name="user",
            name="clock",
            field=models.CharField(blank=True, default="", max_length=2, verbose_name="form of times"),
        ),
    ]
