"""Reads kind, size and orientation of a picture from the first bytes of its parts. Nothing is decoded, nothing else is kept in memory.

Every walk ends after PARTS parts and every part is read up to EXIF bytes, so a hostile file costs milliseconds.
Sources: ITU T.81 B.2 and Exif 2.32 (JPEG), W3C PNG 3 11.2 and 11.3, RFC 9649 2 (WebP), GIF89a 18.
"""

import struct
from collections.abc import Iterator
from typing import IO, NamedTuple

PARTS = 1_000  # markers or chunks; cameras write below 50
EXIF_PARTS = 4  # of a JPEG, whose decoder joins them
EXIF = 64 * 1024  # bytes
ORIENTATION = 0x0112  # tag of Exif
UPRIGHT = 1

START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
STANDALONE = {0x01, *range(0xD0, 0xD9)}  # markers without a length
APP1, START_OF_SCAN, END = 0xE1, 0xDA, 0xD9


class Head(NamedTuple):
    """The head of a picture: `kind` is a format of Pillow, sizes are pixels before it is turned upright."""

    kind: str
    width: int
    height: int
    orientation: int = UPRIGHT  # 1 to 8, as Exif counts them

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as the picture is seen, upright."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)


def head_of(file: IO[bytes]) -> Head | None:
    """Return the head of a JPEG, PNG, WebP or GIF; None for anything else, and for one that is not built as cameras and programs do."""
    file.seek(0)
    begin = file.read(30)
    try:
        if begin.startswith(b"\xff\xd8\xff"):
            head = _jpeg(file)
        elif begin.startswith(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"):
            width, height = struct.unpack_from(">II", begin, 16)
            head = Head("PNG", width, height, _orientation_of_png(file))
        elif begin[:4] == b"RIFF" and begin[8:12] == b"WEBP":
            head = _webp(begin, file)
        elif begin[:6] in (b"GIF87a", b"GIF89a"):
            head = Head("GIF", *struct.unpack_from("<HH", begin, 6))
        else:
            return None
    except (struct.error, _Odd):
        return None
    return head if head.width and head.height else None


class _Odd(ValueError):
    """The file has more parts than a picture needs, or ends before it has said its size."""


def _jpeg(file: IO[bytes]) -> Head:
    size, orientation, exif_parts = None, 0, 0
    for marker, length in _segments(file):
        if marker in START_OF_FRAME and size is None:
            height, width = struct.unpack(">xHH", file.read(5))
            size = (width, height)
        elif marker == APP1:
            content = file.read(min(length, EXIF))
            if content.startswith(b"Exif\0"):
                exif_parts += 1
                orientation = orientation or orientation_in(content[6:])
    if size is None or exif_parts > EXIF_PARTS:
        raise _Odd
    return Head("JPEG", *size, orientation or UPRIGHT)


def _segments(file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Yield marker and length of each segment before the first scan, while the file is at its content."""
    place = 2
    for _each in range(PARTS):
        file.seek(place)
        lead, marker = struct.unpack(">BB", file.read(2))
        if lead != 0xFF:
            raise _Odd
        if marker in (START_OF_SCAN, END):
            return
        if marker == 0xFF:  # a fill byte
            place += 1
        elif marker in STANDALONE:
            place += 2
        else:
            (length,) = struct.unpack(">H", file.read(2))
            if length < 2:  # it counts its own two bytes
                raise _Odd
            yield marker, length - 2
            place += 2 + length
    raise _Odd


def _orientation_of_png(file: IO[bytes]) -> int:
    for name, length in _chunks(file, first=8, form=">I4s", name_at=1, padding=1, after=4):
        if name == b"eXIf":
            return orientation_in(file.read(min(length, EXIF))) or UPRIGHT
        if name == b"IDAT":
            break
    return UPRIGHT


def _webp(begin: bytes, file: IO[bytes]) -> Head:
    kind = begin[12:16]
    if kind == b"VP8 " and begin[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", begin, 26)
        return Head("WEBP", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L" and begin[20:21] == b"\x2f":
        (bits,) = struct.unpack_from("<I", begin, 21)
        return Head("WEBP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind != b"VP8X":
        raise _Odd
    width, height = (1 + int.from_bytes(begin[at : at + 3], "little") for at in (24, 27))
    for name, length in _chunks(file, first=12, form="<4sI", name_at=0, padding=2, after=0):
        if name == b"EXIF":
            content = file.read(min(length, EXIF)).removeprefix(b"Exif\0\0")
            return Head("WEBP", width, height, orientation_in(content) or UPRIGHT)
    return Head("WEBP", width, height)


def _chunks(
    file: IO[bytes], *, first: int, form: str, name_at: int, padding: int, after: int
) -> Iterator[tuple[bytes, int]]:
    """Yield name and length of each chunk, while the file is at its content; `after` bytes follow each.

    `name_at` is the place of the name in `form`, 0 or 1; the length is the other.
    """
    place = first
    for _each in range(PARTS):
        file.seek(place)
        found = file.read(8)
        if len(found) < 8:
            return
        fields = struct.unpack(form, found)
        length = fields[1 - name_at]
        yield fields[name_at], length
        place += 8 + -(-length // padding) * padding + after
    raise _Odd


def orientation_in(exif: bytes) -> int:
    """Return the orientation, 1 to 8, that a TIFF structure says; 0 where it says none."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    if order is None or len(exif) < 10:
        return 0
    (place,) = struct.unpack_from(order + "I", exif, 4)
    if place + 2 > len(exif):
        return 0
    (entries,) = struct.unpack_from(order + "H", exif, place)
    for number in range(min(entries, (len(exif) - place - 2) // 12)):
        tag, kind, _count, value = struct.unpack_from(order + "HHIH", exif, place + 2 + 12 * number)
        if tag == ORIENTATION and kind == 3:  # a short
            return value if 1 <= value <= 8 else 0
    return 0
