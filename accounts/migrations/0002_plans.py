from django.db import migrations


def add_plans(apps, schema_editor):
    plan = apps.get_model("accounts", "Plan")
    plan.objects.create(key="free", name="Free", max_tokens=1, max_boards=10)
    plan.objects.create(key="pro", name="Pro", max_tokens=20, max_boards=None)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(add_plans, migrations.RunPython.noop)]
