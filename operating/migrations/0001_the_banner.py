from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Banner',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('text', models.CharField(help_text='At the top of all pages, and of the sign-in page. Plain text in one paragraph.', max_length=200, verbose_name='text')),
                ('level', models.CharField(choices=[('information', 'Information'), ('warning', 'Warning')], default='information', max_length=12, verbose_name='level')),
                ('starts_at', models.DateTimeField(blank=True, help_text='Empty: at once.', null=True, verbose_name='from')),
                ('ends_at', models.DateTimeField(blank=True, help_text='Empty: until you delete it.', null=True, verbose_name='until')),
            ],
            options={
                'verbose_name': 'banner',
                'verbose_name_plural': 'banner',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='one_banner')],
            },
        ),
    ]
