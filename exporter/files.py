"""The files of exports in the default storage."""

from datetime import datetime, timedelta

from django.core.files.storage import default_storage

from core.files.storage import delete_path
from exporter.models import FOLDER, Export, ExportState

UNUSED_FOR = timedelta(hours=1)  # a file without a row may be one whose worker is just beginning


def delete_file(name: str) -> None:
    """Delete it; what cannot be deleted now is by `delete_unused`."""
    delete_path(f"{FOLDER}/{name}")


def delete_unused(now: datetime) -> int:
    """Delete files that no row has, as after a crash. Return how many."""
    try:
        _folders, names = default_storage.listdir(FOLDER)
    except FileNotFoundError:  # nothing was ever exported
        return 0
    used = set(Export.objects.filter(state__in=(ExportState.RUNNING, ExportState.DONE)).values_list("name", flat=True))
    old = [name for name in names if name not in used and _is_old(name, now)]
    for name in old:
        delete_file(name)
    return len(old)


def _is_old(name: str, now: datetime) -> bool:
    try:
        return default_storage.get_modified_time(f"{FOLDER}/{name}") < now - UNUSED_FOR
    except FileNotFoundError:
        return False
