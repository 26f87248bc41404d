from django.db import migrations, models


def begin_own_versions(apps, schema_editor):
    apps.get_model("boards", "Board").objects.update(own_version=models.F("version"))


class Migration(migrations.Migration):
    """A board of the time before begins with the number of its last change as the version of its own fields."""

    dependencies = [("boards", "0026_renumbering")]
    operations = [migrations.RunPython(begin_own_versions, migrations.RunPython.noop)]
