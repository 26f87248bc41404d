import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0035_signs_of_names_index'),
    ]

    operations = [
        migrations.AlterField(
            model_name='publiclink',
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='turned on'),
        ),
    ]
