"""Check the daily copies, and the uploaded files that a backup has to hold."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django_tasks.base import TaskResultStatus

from accounts.models import User
from accounts.pictures import PEOPLE
from boards.actions.boards.background import BACKGROUNDS, named_pictures
from boards.actions.files.previews import SIDES
from boards.models import StoredFile
from core.files import storage
from importer.models import Import
from jobs.models import Task
from operating.backup.daily import keep_copy
from operating.backup.encryption import require_strong
from operating.backup.files import stored
from operating.backup.kept import TOO_OLD, newest_copy
from operating.backup.passphrases import passphrase_of
from operating.backup.trouble import BackupTrouble
from operating.doctor.finding import Finding, note, ok, wrong


def check_backups() -> Iterator[Finding]:
    if settings.BACKUP_PASSPHRASE_FILE:
        yield from check_passphrase(Path(settings.BACKUP_PASSPHRASE_FILE))
    if not settings.BACKUPS:
        yield note("No copies are kept by the service.", "Set TASKBOARD_BACKUPS, unless something else backs it up.")
        return
    newest = newest_copy()
    if newest is None:
        yield wrong(
            f"There is no copy in {settings.BACKUPS} yet.",
            last_failure(newest) or "A worker makes one within the hour.",
        )
    elif timezone.now() - newest > TOO_OLD:
        yield wrong(
            f"The newest copy in {settings.BACKUPS} is of {newest:%Y-%m-%d %H:%M} UTC.",
            last_failure(newest) or "Does a worker run, and can it write there?",
        )
    else:
        yield ok(f"The newest copy in {settings.BACKUPS} is of {newest:%Y-%m-%d %H:%M} UTC.")
    if not settings.BACKUP_PASSPHRASE_FILE:
        yield note(
            "Kept copies are not encrypted, so the secret key is not in them.", "Set TASKBOARD_BACKUP_PASSPHRASE_FILE."
        )
    if settings.BACKUPS.exists() and settings.BACKUPS.stat().st_dev == settings.DATA.stat().st_dev:
        yield note("Copies are kept on the disk of the data folder, and lost with it.", "Keep them on another one.")


def check_passphrase(file: Path) -> Iterator[Finding]:
    try:
        require_strong(passphrase_of(passphrase_file=file, ask=False))
    except BackupTrouble as trouble:
        yield wrong(str(trouble), "Until then no backup is made.")
        return
    if file.stat().st_mode & 0o077:
        yield wrong(f"Other users of this machine can read {file}.", f"Run: chmod go-rwx {file}")


def last_failure(since: datetime | None) -> str:
    """Return why the last copy failed, by the newest failed task; empty where none failed `since` the newest copy."""
    failed = Task.objects.filter(task_path=keep_copy.module_path, status=TaskResultStatus.FAILED)
    if since:
        failed = failed.filter(finished_at__gt=since)
    newest = failed.order_by("-finished_at").first()
    return f"The last one failed: {newest.traceback.strip().splitlines()[-1]}" if newest and newest.traceback else ""


def check_files() -> Iterator[Finding]:
    if settings.S3_BUCKET:
        yield note(
            f"Files are in the bucket {settings.S3_BUCKET}. Each backup reads all of them.",
            "bin/manage files compares them with the database.",
        )
        return
    of_people = User.objects.exclude(picture="").values_list("picture", flat=True)
    named = {PEOPLE.path_of(name) for name in of_people.iterator()}
    named |= {BACKGROUNDS.path_of(name) for name in named_pictures()}
    named |= set(Import.objects.exclude(file="").values_list("file", flat=True))
    made = set()  # of files: pictures that are made again where they are missing
    for name in StoredFile.objects.values_list("name", flat=True).iterator():
        named.add(storage.path_of(name))
        made |= {storage.path_of(name, kind) for kind in SIDES}
    there = set(stored())
    if missing := named - there:
        yield wrong(
            f"{len(missing)} uploaded files are missing in {settings.FILES}, as {min(missing)}.",
            "Put them back from a backup. Until then pages say that they are gone.",
        )
    else:
        yield ok(f"All {len(named)} uploaded files are there.")
    if left := there - named - made:
        yield note(f"{len(left)} files in {settings.FILES} are not used.", "A worker deletes them within two hours.")
