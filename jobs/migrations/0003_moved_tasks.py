"""Tasks that wait have the path of their function. Some of these functions moved to other modules."""

from django.db import migrations

MOVED = {
    "boards.actions.deletion.delete_rows": "boards.actions.boards.deletion.delete_rows",
    "boards.actions.groups.settle_members": "boards.actions.people.groups.settle_members",
    "boards.actions.previews.make_previews": "boards.actions.files.previews.make_previews",
    "leaving.deletion.finish": "account_deletion.deletion.finish",
    "notifications.invitation_mail.mail_invitation": "notifications.mail.invitation_mail.mail_invitation",
    "notifications.invited.tell_invited": "notifications.mail.invited.tell_invited",
    "notifications.mailing.mail_what_is_due": "notifications.mail.sending.mail_what_is_due",
    "notifications.reminders.remind": "notifications.reminders.reminders.remind",
    "taskboard.backup.daily.keep_copy": "operating.backup.daily.keep_copy",
    "taskboard.tidying.tidy_hourly": "operating.tidying.tidy_hourly",
}


def follow_them(apps, schema_editor):
    rename(apps, MOVED)


def undo(apps, schema_editor):
    rename(apps, {new: old for old, new in MOVED.items()})


def rename(apps, paths):
    tasks = apps.get_model("django_tasks_database", "DBTaskResult").objects
    for old, new in paths.items():
        tasks.filter(task_path=old).update(task_path=new)


class Migration(migrations.Migration):
    dependencies = [
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
        ("jobs", "0002_words"),
    ]

    operations = [migrations.RunPython(follow_them, undo)]
