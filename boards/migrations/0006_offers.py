import django.db.models.deletion
import django.utils.timezone
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0005_invitations'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Offer',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('version', models.BigIntegerField(default=0, editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='offered')),
                ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='boards.board')),
                ('offered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='offered by')),
                ('to', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='to')),
            ],
            options={
                'verbose_name': 'offer of a board',
                'verbose_name_plural': 'offers of boards',
                'ordering': ['created_at', 'id'],
                'constraints': [models.UniqueConstraint(fields=('board',), name='one_offer_a_board')],
            },
        ),
    ]
