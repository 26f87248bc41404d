"""A program that makes small pictures of one that nobody trusts, in a process that can end only itself.

    python picture_decoding.py square|within SIDE[,SIDE] KIND ORIENTATION <picture >made

core/files/pictures.py runs it. Each picture that it writes is a WebP behind its length, as four bytes. It ends with an error
where the file cannot be read as a picture, or takes more than the bounds.
"""

import os
import resource
import struct
import sys
from contextlib import suppress
from io import BytesIO
from typing import IO

CPU = 4  # seconds; docs/decisions/pictures.md has what the worst that is taken needs
MEMORY = 288 * 1024 * 1024  # bytes of data; a WebP of 16 million pixels needs 270 million
QUALITY = 85
BACKGROUND = "white"  # behind what is transparent
PHOTOS = ("JPEG", "MPO")  # what phones write as JPEG may be several pictures, of which the first is taken


def bind() -> None:
    """Set the bounds before a byte of the picture is read. The others go first, and where memory runs out this process ends first."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):  # systems that know no such bound
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")


bind()

from PIL import Image  # noqa: E402  # within the bounds too


def main(how: str, sides: list[int], kind: str, orientation: int) -> list[bytes]:
    picture = Image.open(sys.stdin.buffer, formats=PHOTOS if kind == "JPEG" else [kind])
    picture.draft("RGB", (2 * sides[0], 2 * sides[0]))  # a JPEG is then decoded at the next larger eighth of its size
    if how == "square":
        return [_written(_upright(_square(picture, sides[0]), orientation))]
    made, small = [], _plain(picture)
    for side in sides:
        small.thumbnail((side, side), reducing_gap=2.0)
        made.append(_written(_upright(small, orientation)))
    return made


def _square(picture: Image.Image, side: int) -> Image.Image:
    """Cut it from the middle, so that it does not matter whether it is turned before or after."""
    least = min(picture.size)
    left, top = ((length - least) // 2 for length in picture.size)
    box = (left, top, left + least, top + least)
    return _plain(picture).resize((side, side), Image.Resampling.LANCZOS, box, reducing_gap=2.0)


def _plain(picture: Image.Image) -> Image.Image:
    """Return it in a mode that can be made smaller well: palettes and depths of 16 bits cannot."""
    if picture.mode in ("L", "RGB", "RGBA", "CMYK") and "transparency" not in picture.info:
        return picture
    if picture.mode.startswith("I"):  # 16 bits of grey
        return picture.point(lambda value: value / 256).convert("L")
    return picture.convert("RGBA")


def _upright(small: Image.Image, orientation: int) -> Image.Image:
    """Turn it as its camera was held."""
    turned = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
    return small.transpose(turned[orientation]) if orientation in turned else small


def _written(small: Image.Image) -> bytes:
    """Write the pixels alone, on a background, as WebP: no metadata, no profile, no palette of the upload."""
    clean = Image.new("RGB", small.size, BACKGROUND)
    clean.paste(small.convert("RGB"), mask=small.getchannel("A") if small.mode == "RGBA" else None)
    file = BytesIO()
    clean.save(file, "WEBP", quality=QUALITY)
    return file.getvalue()


def write(made: list[bytes], out: IO[bytes]) -> None:
    for content in made:
        out.write(struct.pack(">I", len(content)) + content)


if __name__ == "__main__":
    how, sides, kind, orientation = sys.argv[1:]
    try:
        made = main(how, [int(side) for side in sides.split(",")], kind, int(orientation))
    except Exception:  # decoders meet hostile files with whatever their code happens to raise
        os._exit(1)
    write(made, sys.stdout.buffer)
