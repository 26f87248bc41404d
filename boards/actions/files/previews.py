"""Small pictures made of stored files, beside the request: one to be looked at, one for tiles and covers."""

from threading import Lock

from django_tasks import task

from boards.models import Preview, StoredFile
from core.files.pictures import PictureRefused, within
from core.files.storage import open_file, store_picture

ONE_AT_A_TIME = Lock()  # in a process, because of the memory that a picture takes
SIDES = {"preview": 1000, "thumbnail": 320}  # pixels, of the longer side


@task(tries=5)
def make_previews(file_id: str) -> None:
    """Make the pictures of a stored file. One that cannot be read as a picture is a plain file from then on."""
    file = StoredFile.objects.filter(pk=file_id, preview=Preview.WAITING).first()
    if file is None:  # deleted meanwhile, or made already
        return
    try:
        with ONE_AT_A_TIME, open_file(file.name) as opened:
            pictures = within(opened, SIDES.values())
    except (PictureRefused, FileNotFoundError):
        _note(file, Preview.FAILED)
        return
    for kind, picture in zip(SIDES, pictures, strict=True):
        store_picture(file.name, kind, picture)
    _note(file, Preview.MADE)


def _note(file: StoredFile, preview: Preview) -> None:
    StoredFile.objects.filter(pk=file.pk).update(preview=preview)
