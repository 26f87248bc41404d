from django.db import migrations, models
import django.db.models.deletion


def start_on_free(apps, schema_editor):
    plans = apps.get_model("accounts", "Plan").objects
    first = plans.filter(key="free").first() or plans.first()
    if first:
        apps.get_model("accounts", "DefaultPlan").objects.create(plan=first)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0010_files")]

    operations = [
        migrations.CreateModel(
            name="DefaultPlan",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.plan",
                        verbose_name="plan",
                    ),
                ),
            ],
            options={
                "verbose_name": "default plan",
                "verbose_name_plural": "default plans",
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="one_default_plan")],
            },
        ),
        migrations.RunPython(start_on_free, migrations.RunPython.noop),
        # A default is the program's and no column's: SQLite would copy the whole table for nothing.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="user",
                    name="plan",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        to="accounts.plan",
                        verbose_name="plan",
                    ),
                )
            ]
        ),
    ]
