import boards.models.verbs
import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('boards', '0002_search_index'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FormerValues',
            fields=[
                ('activity', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='former', serialize=False, to='boards.activity')),
                ('values', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
            ],
            options={
                'verbose_name': 'former values',
                'verbose_name_plural': 'former values',
            },
        ),
        migrations.AlterField(
            model_name='activity',
            name='door',
            field=models.CharField(choices=boards.models.verbs.doors, max_length=10, verbose_name='door'),
        ),
        migrations.AlterField(
            model_name='activity',
            name='verb',
            field=models.CharField(choices=boards.models.verbs.verbs, max_length=30, verbose_name='what'),
        ),
        migrations.AlterField(
            model_name='comment',
            name='door',
            field=models.CharField(choices=boards.models.verbs.doors, default='web', max_length=10, verbose_name='door'),
        ),
        migrations.CreateModel(
            name='OwnerActivity',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('verb', models.CharField(choices=boards.models.verbs.verbs, max_length=30, verbose_name='what')),
                ('door', models.CharField(choices=boards.models.verbs.doors, max_length=10, verbose_name='door')),
                ('token_id', models.UUIDField(null=True)),
                ('token_name', models.CharField(blank=True, max_length=100, verbose_name='token')),
                ('subject', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('data', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='when')),
                ('board_id', models.UUIDField()),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'activity of an owner',
                'verbose_name_plural': 'activities of owners',
                'ordering': ['-created_at', '-id'],
            },
        ),
    ]
