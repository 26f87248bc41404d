from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_field_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='sessions_ended_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='sessions ended'),
        ),
    ]
