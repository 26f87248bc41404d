"""Pictures that people upload: checked by their head, decoded within bounds, and made anew without what else the file held.

The bytes that came are never stored nor served. docs/decisions/pictures.md has the bounds and what they were measured with.
Pillow is imported where it is used: most processes never see a picture.
"""

from collections.abc import Iterable
from io import BytesIO
from typing import IO, TYPE_CHECKING

from django.utils.translation import gettext as _

from core.turns import Turns

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 10 * 1024 * 1024
MOST_PIXELS = 16_000_000
MOST_PIXELS_OF_PHOTOS = 40_000_000  # a JPEG is decoded at an eighth of its size, where the others need it whole
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
PHOTOS = ("JPEG", "MPO")  # what phones write as JPEG may be several pictures, of which the first is taken
TYPES = "image/jpeg,image/png,image/webp,image/gif"  # for the `accept` of a file field
SIDE = 256  # pixels of a square
QUALITY = 85
BACKGROUND = "white"  # behind what is transparent
ORIENTATION = 0x0112  # tag of EXIF

# A picture takes up to 0.7 s and 250 MB, so they are decoded one at a time.
turns = Turns(at_once=1, waiting=3, patience=5.0, each=1)


class Refused(ValueError):
    """This is no picture that we take; the text says why, for people."""


def square(file: IO[bytes]) -> bytes:
    """Return the middle of the picture as a square WebP of SIDE pixels. Raise Refused for anything else than a picture."""
    from PIL import Image

    picture = opened(file)
    try:
        orientation = picture.getexif().get(ORIENTATION)
        picture.draft("RGB", (2 * SIDE, 2 * SIDE))  # a JPEG is then decoded at the next larger eighth of its size
        side = min(picture.size)
        left, top = ((length - side) // 2 for length in picture.size)
        small = _plain(picture).resize(
            (SIDE, SIDE), Image.Resampling.LANCZOS, (left, top, left + side, top + side), reducing_gap=2.0
        )
    except Exception as error:  # decoders meet hostile files with whatever their code happens to raise
        raise _not_readable() from error
    finally:
        picture.close()
    return _written(_upright(small, orientation))


def within(file: IO[bytes], sides: Iterable[int]) -> list[bytes]:
    """Return the picture as WebP for each side in pixels that it is not to exceed, largest first; small ones keep their size.

    Raise Refused for anything else than a picture, or one that is too large to be decoded.
    """
    picture = opened(file, most_bytes=None)
    made = []
    try:
        orientation = picture.getexif().get(ORIENTATION)
        largest = max(sides := list(sides))
        picture.draft("RGB", (2 * largest, 2 * largest))  # a JPEG is then decoded at the next larger eighth of its size
        small = _plain(picture)
        for side in sides:
            small.thumbnail((side, side), reducing_gap=2.0)
            made.append(_written(_upright(small, orientation)))
    except Exception as error:  # decoders meet hostile files with whatever their code happens to raise
        raise _not_readable() from error
    finally:
        picture.close()
    return made


def size_of(file: IO[bytes]) -> tuple[int, int] | tuple[None, None]:
    """Return width and height as the picture is seen, upright; (None, None) for one that `opened` refuses."""
    try:
        with opened(file, most_bytes=None) as picture:
            turned = picture.getexif().get(ORIENTATION) in (5, 6, 7, 8)
            return (picture.height, picture.width) if turned else (picture.width, picture.height)
    except Exception:  # EXIF is read by code that raises whatever it meets
        return None, None


def opened(file: IO[bytes], *, most_bytes: int | None = MOST_BYTES) -> "Image":
    """Return the picture, of which only the head was read. Raise Refused if it is no picture, too large or too many pixels."""
    from PIL import Image

    size = file.seek(0, 2)
    file.seek(0)
    if most_bytes is not None and size > most_bytes:
        raise Refused(too_large())
    try:
        picture = Image.open(file, formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(MOST_PIXELS) from error
    except Exception as error:
        raise _not_readable() from error
    most = MOST_PIXELS_OF_PHOTOS if picture.format in PHOTOS else MOST_PIXELS
    if picture.width * picture.height > most:
        picture.close()
        raise _too_many_pixels(most)
    return picture


def too_large() -> str:
    return _("This file is larger than %(megabytes)s MB. Choose a smaller picture.") % {
        "megabytes": MOST_BYTES // 1024**2
    }


def _too_many_pixels(most: int) -> Refused:
    millions = {"millions": most // 1_000_000}
    return Refused(_("This picture has more than %(millions)s million pixels. Make it smaller first.") % millions)


def _not_readable() -> Refused:
    return Refused(_("This file cannot be read as a picture. Choose a JPEG, PNG, WebP or GIF file."))


def _plain(picture: "Image") -> "Image":
    """Return it in a mode that can be made smaller well: palettes and depths of 16 bits cannot."""
    if picture.mode in ("L", "RGB", "RGBA", "CMYK") and "transparency" not in picture.info:
        return picture
    if picture.mode.startswith("I"):  # 16 bits of grey
        return picture.point(lambda value: value / 256).convert("L")
    return picture.convert("RGBA")


def _upright(small: "Image", orientation: object) -> "Image":
    """Turn it as its camera was held. The square is cut from the middle, so that it does not matter which comes first."""
    from PIL.Image import Transpose

    turned = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    how = turned.get(orientation) if isinstance(orientation, int) else None
    return small if how is None else small.transpose(how)


def _written(small: "Image") -> bytes:
    """Write the pixels alone, on a background, as WebP: no metadata, no profile, no palette of the upload."""
    from PIL import Image

    clean = Image.new("RGB", small.size, BACKGROUND)
    clean.paste(small.convert("RGB"), mask=small.getchannel("A") if small.mode == "RGBA" else None)
    file = BytesIO()
    clean.save(file, "WEBP", quality=QUALITY)
    return file.getvalue()
