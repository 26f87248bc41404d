"""Find and mend files without a row and rows without a file, which crashes leave behind.

A file is written before its row, and deleted after it, so that a crash leaves a file too many and never one too few.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from string import ascii_letters, digits
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, OuterRef

from boards.actions.files.previews import SIDES, make_previews
from boards.models import Attachment, Preview, StoredFile
from core.files.storage import FOLDER, NAME, delete_file

KEPT_UNUSED = timedelta(days=1)  # as long as Undo brings back an attachment that was deleted
NO_ROW_FOR = timedelta(hours=1)  # a file without row may be one whose upload has not ended yet
PREVIEW_WITHIN, PREVIEW_NEVER = timedelta(hours=1), timedelta(days=1)  # asked for again, then given up
AT_ONCE = 500  # rows in one statement

USED = Exists(Attachment.objects.filter(file=OuterRef("pk")))


def sweep(now: datetime, *, mend: bool = True) -> Counter[str]:
    """Return how many there are of each kind of trouble. With `mend`, it is mended; else nothing is changed.

    A file without row, and one that nothing used for a day, is deleted. A row without file is marked, so that the page
    says so; and not any more when the file is back. Previews that were not made are asked for again, for a day.
    """
    found: Counter[str] = Counter()
    found["files used by nothing"] = _delete_unused(now, mend)
    found["previews not made"] = _make_previews(now, mend)
    for first in ascii_letters + digits:
        found.update(_compare(first, now, mend))
    return found


def _delete_unused(now: datetime, mend: bool) -> int:
    if mend:
        StoredFile.objects.filter(~USED, unused_since=None).update(unused_since=now)
        StoredFile.objects.filter(USED, unused_since__isnull=False).update(unused_since=None)
    past = StoredFile.objects.filter(~USED, unused_since__lt=now - KEPT_UNUSED)
    if not mend:
        return past.count()
    return sum(_delete(pk) for pk in list(past.values_list("pk", flat=True)))


def _delete(pk: UUID) -> bool:
    with transaction.atomic():  # and locked, so that nobody attaches it again meanwhile
        file = StoredFile.objects.select_for_update(of=("self",)).filter(pk=pk).first()
        if file is None or file.attachments.exists():
            return False
        file.delete()
    delete_file(file.name)
    return True


def _compare(first: str, now: datetime, mend: bool) -> Counter[str]:
    """Compare the rows whose names begin with this letter with the files. Rows are read first: their files were before."""
    found: Counter[str] = Counter()
    rows = {
        name: (missing, preview)
        for name, missing, preview in StoredFile.objects.filter(name__startswith=first)
        .values_list("name", "missing_since", "preview")
        .iterator()
        if name.startswith(first)  # SQLite does not tell small letters from capitals
    }
    there, pictures = set(), Counter[str]()
    for folder, file in _files(first):
        name, _dot, kind = file.partition(".")
        if name not in rows and _is_old(f"{FOLDER}/{folder}/{file}", now):
            found["files without row"] += 1
            if mend:
                default_storage.delete(f"{FOLDER}/{folder}/{file}")
        elif kind:
            pictures[name] += 1
        else:
            there.add(name)
    missing = rows.keys() - there
    found["rows without file"] = len(missing)
    if mend:
        _mark(missing - {name for name, (since, _preview) in rows.items() if since}, now)
        _mark(there & {name for name, (since, _preview) in rows.items() if since}, None)
        made = {name for name, (_since, preview) in rows.items() if preview == Preview.MADE}
        _make_again({name for name in made & there if pictures[name] < len(SIDES)})
    return found


def _files(first: str) -> Iterator[tuple[str, str]]:
    """Yield (folder, file name) of the files in the folders of this letter."""
    try:
        folders, _files = default_storage.listdir(FOLDER)
    except FileNotFoundError:  # nobody has ever attached a file
        return
    for folder in folders:
        if folder.startswith(first):
            _folders, files = default_storage.listdir(f"{FOLDER}/{folder}")
            yield from ((folder, file) for file in files if NAME.fullmatch(file.partition(".")[0]))


def _is_old(path: str, now: datetime) -> bool:
    try:
        return default_storage.get_modified_time(path) < now - NO_ROW_FOR
    except FileNotFoundError:
        return False


def _mark(names: set[str], since: datetime | None) -> None:
    ordered = sorted(names)
    for start in range(0, len(ordered), AT_ONCE):
        StoredFile.objects.filter(name__in=ordered[start : start + AT_ONCE]).update(missing_since=since)


def _make_again(names: set[str]) -> None:
    for file in StoredFile.objects.filter(name__in=sorted(names)[:AT_ONCE]):
        StoredFile.objects.filter(pk=file.pk).update(preview=Preview.WAITING)
        make_previews.enqueue(str(file.pk))


def _make_previews(now: datetime, mend: bool) -> int:
    late = StoredFile.objects.filter(preview=Preview.WAITING, missing_since=None, created_at__lt=now - PREVIEW_WITHIN)
    count = late.count()
    if mend:
        late.filter(created_at__lt=now - PREVIEW_NEVER).update(preview=Preview.FAILED)
        for pk in late.values_list("pk", flat=True)[:AT_ONCE]:
            make_previews.enqueue(str(pk))
    return count
