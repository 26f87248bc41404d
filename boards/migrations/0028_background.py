from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boards", "0027_own_versions")]

    operations = [
        migrations.AddField(
            model_name="board",
            name="background",
            field=models.CharField(db_default="plain", default="plain", editable=False, max_length=48),
        ),
    ]
