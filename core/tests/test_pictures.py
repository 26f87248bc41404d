"""Uploaded pictures: what is taken, what is refused before it costs anything, and what is left of the upload."""

import struct
import subprocess
import zlib
from io import BytesIO

import pytest
from PIL import Image

from core.files import pictures
from core.files.pictures import MOST_BYTES, PROGRAM, SIDE, PictureRefused, square, within

RED, GREEN, BLUE = (255, 0, 0), (0, 160, 0), (0, 0, 255)
TOO_MANY, UNREADABLE = "million pixels", "cannot be read as a picture"


def file_of(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def made_of(data: bytes) -> Image.Image:
    made = Image.open(BytesIO(square(BytesIO(data))))
    made.load()
    return made


def is_near(found: object, wanted: tuple[int, ...]) -> bool:
    assert isinstance(found, tuple)
    return all(abs(one - other) < 30 for one, other in zip(found, wanted, strict=True))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG of RGBA with this head, and so many pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def halves(size: tuple[int, int] = (400, 400)) -> Image.Image:
    """Red above blue."""
    picture = Image.new("RGB", size, BLUE)
    picture.paste(RED, (0, 0, size[0], size[1] // 2))
    return picture


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_picture_becomes_a_small_square_in_the_one_format(kind):
    made = made_of(file_of(halves((900, 600)), kind))
    assert (made.format, made.size, made.mode) == ("WEBP", (SIDE, SIDE), "RGB")
    assert is_near(made.getpixel((SIDE // 2, 10)), RED)
    assert is_near(made.getpixel((SIDE // 2, SIDE - 10)), BLUE)


def test_the_middle_is_kept():
    wide = Image.new("RGB", (900, 300), RED)
    wide.paste(GREEN, (300, 0, 600, 300))
    made = made_of(file_of(wide, "PNG"))
    assert all(is_near(made.getpixel(place), GREEN) for place in [(5, 5), (250, 5), (5, 250), (128, 128)])


def test_a_picture_smaller_than_the_square_is_made_larger():
    assert made_of(file_of(Image.new("RGB", (1, 1), RED), "PNG")).size == (SIDE, SIDE)


@pytest.mark.parametrize(
    "orientation,corners",
    [(1, "ab"), (2, "ba"), (3, "dc"), (4, "cd"), (5, "ac"), (6, "ca"), (7, "db"), (8, "bd")],
)
def test_it_is_turned_as_the_camera_was_held(orientation, corners):
    """Corners are named a b / c d from left to right in the file; `corners` are the upper two as people see them."""
    colours = {"a": RED, "b": GREEN, "c": BLUE, "d": (255, 255, 0)}
    picture = Image.new("RGB", (400, 400))
    for place, name in zip([(0, 0), (200, 0), (0, 200), (200, 200)], colours, strict=True):
        picture.paste(colours[name], (*place, place[0] + 200, place[1] + 200))
    exif = Image.Exif()
    exif[0x0112] = orientation
    made = made_of(file_of(picture, "JPEG", exif=exif, quality=95))
    upper = [made.getpixel((40, 40)), made.getpixel((SIDE - 40, 40))]
    assert [is_near(found, colours[name]) for found, name in zip(upper, corners, strict=True)] == [True, True]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_else_of_the_file_is_left(kind):
    exif = Image.Exif()
    exif[0x010E] = "secret words"
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0)})
    sent = file_of(halves(), kind, exif=exif, icc_profile=b"secret profile" * 20) + b"<script>secret()</script>"
    assert b"secret" in sent
    content = square(BytesIO(sent))
    assert content != sent
    assert b"secret" not in content
    made = Image.open(BytesIO(content))
    assert not dict(made.getexif())
    assert set(made.info) <= {"loop", "background", "timestamp", "duration"}


def test_of_what_moves_the_first_picture_is_taken():
    frames = [Image.new("RGB", (64, 64), colour) for colour in (GREEN, RED, BLUE)]
    for kind in ("GIF", "WEBP"):
        made = made_of(file_of(frames[0], kind, save_all=True, append_images=frames[1:], duration=50))
        assert not getattr(made, "is_animated", False)
        assert is_near(made.getpixel((100, 100)), GREEN)


def test_colours_for_printing_become_those_of_a_screen():
    assert is_near(made_of(file_of(halves().convert("CMYK"), "JPEG", quality=95)).getpixel((100, 10)), RED)


def test_grey_of_sixteen_bits_stays_as_light_as_it_is():
    made = made_of(file_of(Image.new("I;16", (300, 300), 0x8000), "PNG"))
    assert is_near(made.getpixel((100, 100)), (128, 128, 128))


def test_what_is_transparent_is_white():
    palette = Image.new("P", (300, 300), 0)
    palette.putpalette([0, 0, 0, 255, 0, 0])
    palette.paste(1, (0, 0, 300, 150))
    for sent in (
        file_of(palette, "PNG", transparency=0),
        file_of(palette, "GIF", transparency=0),
        file_of(Image.new("LA", (300, 300), (0, 0)), "PNG"),
        file_of(Image.new("RGBA", (300, 300), (0, 0, 0, 0)), "WEBP"),
    ):
        assert is_near(made_of(sent).getpixel((100, 200)), (255, 255, 255))


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0" * 1000,
        b"<html><script>alert(1)</script></html>",
        b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        b"%PDF-1.7\n",
        b"BM" + file_of(Image.new("RGB", (9, 9)), "BMP")[2:],
        file_of(Image.new("RGB", (9, 9)), "TIFF"),
        file_of(Image.new("RGB", (32, 32)), "ICO"),
        b"\x89PNG\r\n\x1a\n",
        png(10, 10),
        png(0, 0),
        b"GIF89a\1\0\1\0" + b"\xff" * 50,
    ],
)
def test_what_is_no_picture_is_refused_in_words(sent):
    with pytest.raises(PictureRefused, match=UNREADABLE):
        square(BytesIO(sent))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_half_a_picture_is_refused(kind):
    whole = file_of(Image.effect_noise((300, 300), 90).convert("RGB"), kind)
    with pytest.raises(PictureRefused, match=UNREADABLE):
        square(BytesIO(whole[: len(whole) // 2]))


class Unread(BytesIO):
    def read(self, size: int | None = -1) -> bytes:
        raise AssertionError("it was read")


def test_a_file_that_is_too_large_is_not_even_looked_at():
    with pytest.raises(PictureRefused, match="larger than 10 MB"):
        square(Unread(bytes(MOST_BYTES + 1)))


@pytest.mark.parametrize("size", [(50_000, 50_000), (2_147_483_647, 1), (4_001, 4_000), (10_000, 10_000)])
def test_a_bomb_is_refused_by_its_head(size, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_arguments, **_options: pytest.fail("it was decoded"))
    with pytest.raises(PictureRefused, match=TOO_MANY):
        square(BytesIO(png(*size, bytes(100))))


def test_photos_may_have_more_pixels_because_they_are_decoded_smaller():
    sent = file_of(Image.new("L", (7_000, 5_000), 90), "JPEG")
    assert is_near(made_of(sent).getpixel((9, 9)), (90, 90, 90))
    with pytest.raises(PictureRefused, match="40 million pixels"):
        square(BytesIO(file_of(Image.new("L", (8_001, 5_000)), "JPEG")))


def test_orientation_that_is_none_is_ignored():
    exif = Image.Exif()
    exif[0x0112] = 77
    assert made_of(file_of(halves(), "JPEG", exif=exif)).size == (SIDE, SIDE)


def drawn_again_and_again() -> bytes:
    """A progressive JPEG of 40 million pixels whose last scan comes 3,000 times: 350 kB, and minutes of decoding."""
    whole = file_of(Image.new("L", (8_000, 5_000)), "JPEG", progressive=True)
    scan = whole[whole.rindex(b"\xff\xda") : -2]
    return whole[:-2] + scan * 3_000 + b"\xff\xd9"


def test_a_picture_that_takes_too_long_ends_only_its_own_process(processes):
    with pytest.raises(PictureRefused, match=UNREADABLE):
        square(BytesIO(drawn_again_and_again()))


def test_a_picture_that_takes_too_much_memory_ends_only_its_own_process(processes, tmp_path, monkeypatch):
    program = tmp_path / PROGRAM.name
    program.write_text(PROGRAM.read_text().replace("MEMORY = 288", "MEMORY = 48"))
    monkeypatch.setattr(pictures, "PROGRAM", program)
    with pytest.raises(PictureRefused, match=UNREADABLE):
        square(BytesIO(file_of(Image.new("RGB", (4_000, 4_000)), "PNG")))


def test_several_sizes_are_made_at_once_and_small_pictures_keep_theirs():
    sizes = [
        Image.open(BytesIO(made)).size for made in within(BytesIO(file_of(halves((600, 300)), "PNG")), [1000, 320])
    ]
    assert sizes == [(600, 300), (320, 160)]
