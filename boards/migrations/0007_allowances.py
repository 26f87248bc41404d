import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0006_offers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Use',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('board', 'board created'), ('invitation', 'invitation sent'), ('invitation-mail', 'mail about an invitation received')], max_length=20, verbose_name='what')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'use of an allowance',
                'verbose_name_plural': 'uses of allowances',
                'indexes': [models.Index(fields=['user', 'what', 'at'], name='uses_of_account'), models.Index(fields=['at'], name='uses_by_age')],
            },
        ),
    ]
