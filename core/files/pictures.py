"""Pictures that people upload: judged by their head, decoded by a process of its own, and written anew without any
other content of the file. docs/decisions/pictures.md has the bounds and measurements.
"""

import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from core.files.picture_heads import Head, head_of
from core.limits.turns import Turns

MOST_BYTES = 10 * 1024 * 1024
MOST_PIXELS = 16_000_000
MOST_PIXELS_OF_PHOTOS = 40_000_000  # a JPEG is decoded at an eighth of its size, where the others need it whole
TYPES = "image/jpeg,image/png,image/webp,image/gif"  # for the `accept` of a file field
SIDE = 256  # pixels of a square
PROGRAM = Path(__file__).with_name("picture_decoding.py")
PATIENCE = 30  # seconds that decoding may take on a busy machine; its processor time has a bound of its own

# A picture takes up to a second and 290 MB, so they are decoded one at a time.
turns = Turns(at_once=1, waiting=3, patience=5.0, each=1)


class PictureRefused(ValueError):
    """The picture is refused; the text says why, for people."""


def square(file: IO[bytes]) -> bytes:
    """Return the middle of the picture as a square WebP of SIDE pixels. Raise PictureRefused for anything else than a picture."""
    if file.seek(0, 2) > MOST_BYTES:
        raise PictureRefused(too_large())
    (made,) = _made("square", file, [SIDE])
    return made


def within(file: IO[bytes], sides: Iterable[int]) -> list[bytes]:
    """Return the picture as WebP for each side in pixels that it is not to exceed, largest first; small ones keep their size.

    Raise PictureRefused for anything else than a picture, or one that is too large to be decoded.
    """
    return _made("within", file, sides)


def size_of(file: IO[bytes]) -> tuple[int, int] | tuple[None, None]:
    """Return width and height as the picture is seen, upright; (None, None) for one that is not decoded either."""
    try:
        return _head(file).size
    except PictureRefused:
        return None, None


def _head(file: IO[bytes]) -> Head:
    head = head_of(file)
    if head is None:
        raise _not_readable()
    most = MOST_PIXELS_OF_PHOTOS if head.kind == "JPEG" else MOST_PIXELS
    if head.width * head.height > most:
        raise _too_many_pixels(most)
    return head


def _made(how: str, file: IO[bytes], sides: Iterable[int]) -> list[bytes]:
    head = _head(file)
    wanted = [how, ",".join(map(str, sides)), head.kind, str(head.orientation)]
    with tempfile.TemporaryFile() as draft:
        file.seek(0)
        shutil.copyfileobj(file, draft)
        draft.seek(0)
        try:
            done = subprocess.run(  # noqa: S603  # our own program; the words are of `_made` and `Head`
                [sys.executable, "-I", str(PROGRAM), *wanted],
                stdin=draft,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=True,
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise _not_readable() from error
    return list(_parted(done.stdout))


def _parted(made: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(made):
        (length,) = struct.unpack_from(">I", made, place)
        yield made[place + 4 : (place := place + 4 + length)]


def too_large() -> str:
    return _("This file is larger than %(megabytes)s MB. Choose a smaller picture.") % {
        "megabytes": MOST_BYTES // 1024**2
    }


def _too_many_pixels(most: int) -> PictureRefused:
    millions = {"millions": most // 1_000_000}
    return PictureRefused(
        _("This picture has more than %(millions)s million pixels. Make it smaller first.") % millions
    )


def _not_readable() -> PictureRefused:
    return PictureRefused(_("This file cannot be read as a picture. Choose a JPEG, PNG, WebP or GIF file."))
