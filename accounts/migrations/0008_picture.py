from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_trusted_browsers")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="picture",
            field=models.CharField(blank=True, default="", editable=False, max_length=40, verbose_name="picture"),
        ),
    ]
