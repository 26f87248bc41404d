import accounts.models.user
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_languages'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='made_by',
            field=models.CharField(choices=[('web', 'web'), ('cli', 'command line')], default='web', max_length=10, verbose_name='created via'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='max_boards',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='owned board limit'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='max_tokens',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='API token limit'),
        ),
        migrations.AlterField(
            model_name='user',
            name='email',
            field=models.EmailField(max_length=254, unique=True, verbose_name='email address'),
        ),
        migrations.AlterField(
            model_name='user',
            name='theme',
            field=models.CharField(choices=accounts.models.user.themes, default='system', max_length=10, verbose_name='theme'),
        ),
    ]
