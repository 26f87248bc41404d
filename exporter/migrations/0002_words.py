from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('exporter', '0001_kept_exports'),
    ]

    operations = [
        migrations.AlterField(
            model_name='export',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'canceled')], default='waiting', max_length=10, verbose_name='state'),
        ),
    ]
