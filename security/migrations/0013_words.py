from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('security', '0012_plan_changed'),
    ]

    operations = [
        migrations.AlterField(
            model_name='securityevent',
            name='kind',
            field=models.CharField(choices=[('signed-in', 'signed in'), ('sign-in-failed', 'sign-in failed'), ('signed-out', 'signed out'), ('signed-up', 'signed up'), ('reauthenticated', 'identity confirmed'), ('password-changed', 'password changed'), ('password-reset', 'password reset'), ('reset-requested', 'password reset requested'), ('address-requested', 'email address change requested'), ('address-stopped', 'email address change stopped'), ('address-changed', 'email address changed'), ('token-created', 'API token created'), ('token-narrowed', 'API token restricted'), ('token-revoked', 'API token revoked'), ('token-refused', 'API token refused'), ('device-approved', 'command line approved'), ('device-denied', 'command line denied'), ('invited', 'invited to a board'), ('link-created', 'invitation link created'), ('public-link-on', 'public link turned on'), ('public-link-off', 'public link turned off'), ('joined', 'joined a board'), ('board-offered', 'board offered'), ('board-handed-over', 'board transferred'), ('board-deleted', 'board deleted'), ('exported', 'data exported'), ('imported', 'data imported'), ('limit-reached', 'limit reached'), ('deactivated', 'account deactivated'), ('activated', 'account activated'), ('plan-changed', 'plan changed'), ('account-deleted', 'account deleted'), ('factor-added', 'sign-in factor added'), ('factor-removed', 'sign-in factor removed'), ('recovery-codes-made', 'recovery codes created'), ('recovery-code-used', 'recovery code used'), ('browser-trusted', 'browser remembered'), ('trust-withdrawn', 'browser forgotten'), ('second-step-failed', 'second step failed'), ('provider-linked', 'single sign-on linked'), ('provider-unlinked', 'single sign-on unlinked'), ('groups-applied', 'changed by groups'), ('sessions-ended', 'sessions ended'), ('push-on', 'push notifications turned on'), ('push-off', 'push notifications turned off')], max_length=30, verbose_name='event'),
        ),
    ]
