"""A picture behind the lists of a board: a file (core/files/kept_pictures.py) that the field `background` names."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from typing import IO
from uuid import UUID

from django.utils import timezone

from boards.actions.change import change
from boards.actor import Actor
from boards.backgrounds import OF_PICTURE, picture_of
from boards.models import Activity, Board, OwnTemplate, Verb
from core.files.kept_pictures import KeptPictures
from core.files.pictures import MOST_BYTES, PictureRefused, too_large, within

UNDONE_WITHIN = timedelta(days=1)
SIDE = 2560  # pixels that neither side exceeds


def _used(names: list[str]) -> set[str]:
    wanted = [OF_PICTURE + name for name in names]
    boards = Board.objects.filter(background__in=wanted).values_list("background", flat=True)
    templates = OwnTemplate.objects.filter(outline__background__in=wanted)
    used = {*boards, *templates.values_list("outline__background", flat=True)}
    if unused := set(wanted) - used:
        lately = Activity.objects.filter(verb=Verb.BOARD_CHANGED, created_at__gt=timezone.now() - UNDONE_WITHIN)
        used.update(lately.filter(data__background__0__in=unused).values_list("data__background__0", flat=True))
    return {picture_of(one) for one in used}


# Copies of a board and templates of it share the file. One that was replaced stays for a day, so that Undo brings it back.
BACKGROUNDS = KeptPictures("backgrounds", _used, unused_for=UNDONE_WITHIN)


def named_pictures() -> Iterator[str]:
    """Yield the names of all pictures that boards and templates have, some of them several times."""
    boards = Board.objects.filter(background__startswith=OF_PICTURE).values_list("background", flat=True)
    templates = OwnTemplate.objects.filter(outline__background__startswith=OF_PICTURE)
    for background in chain(boards.iterator(), templates.values_list("outline__background", flat=True).iterator()):
        yield picture_of(background)


def made_anew(file: IO[bytes]) -> bytes:
    """Return an uploaded picture as it is kept: its pixels alone. Raise PictureRefused with a sentence for people."""
    if file.seek(0, 2) > MOST_BYTES:
        raise PictureRefused(too_large())
    (content,) = within(file, [SIDE])
    return content


def set_background_picture(*, actor: Actor, board_id: UUID | None, content: bytes) -> Board:
    """Put a picture behind the lists, as core/files/pictures.py has made it. Raises NotFound and NotAllowed.

    The very picture that is there changes nothing.
    """
    with change(actor, Board, board_id) as c:
        if BACKGROUNDS.read(picture_of(c.board.background)) != content:
            c.set(c.board, background=OF_PICTURE + BACKGROUNDS.save(content))
            c.record(Verb.BOARD_CHANGED, c.board)
    return c.board
