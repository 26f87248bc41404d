import django.db.models.deletion
import django.utils.timezone
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0017_card_covers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='OwnTemplate',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('hue', models.PositiveSmallIntegerField(choices=[(1, 'Red'), (2, 'Orange'), (3, 'Yellow'), (4, 'Green'), (5, 'Teal'), (6, 'Cyan'), (7, 'Sky'), (8, 'Blue'), (9, 'Purple'), (10, 'Pink'), (11, 'Rose'), (12, 'Coral')], default=8, verbose_name='color')),
                ('outline', models.JSONField(editable=False)),
                ('cards', models.JSONField(editable=False)),
                ('card_count', models.PositiveIntegerField(editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'board template',
                'verbose_name_plural': 'board templates',
                'ordering': ['created_at', 'id'],
            },
        ),
    ]
