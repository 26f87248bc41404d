import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0004_history_ids'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, verbose_name='email address')),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('editor', 'Editor'), ('owner', 'Owner')], max_length=10, verbose_name='role')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='sent')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('declined_at', models.DateTimeField(null=True, verbose_name='declined')),
                ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='boards.board')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='invited by')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ['created_at', 'id'],
                'indexes': [models.Index(fields=['email'], name='invitation_by_address')],
                'constraints': [models.UniqueConstraint(fields=('board', 'email'), name='one_invitation_an_address'), models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='invited_address_in_lower_case')],
            },
        ),
    ]
