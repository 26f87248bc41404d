from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boards", "0012_undone")]
    operations = [
        migrations.AddField(
            model_name="card",
            name="excerpt",
            field=models.CharField(db_default="", default="", editable=False, max_length=80),
        ),
    ]
