from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('operating', '0001_the_banner'),
    ]

    operations = [
        migrations.AlterField(
            model_name='banner',
            name='starts_at',
            field=models.DateTimeField(blank=True, help_text='Empty: immediately.', null=True, verbose_name='from'),
        ),
    ]
