from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boards", "0015_board_views")]
    operations = [
        migrations.AddField(
            model_name="list",
            name="card_limit",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="card limit"),
        ),
        migrations.AddConstraint(
            model_name="list",
            constraint=models.CheckConstraint(
                condition=models.Q(card_limit=None) | models.Q(card_limit__gte=1, card_limit__lte=999),
                name="a_card_limit_has_three_digits",
            ),
        ),
    ]
