"""Heads of pictures: what Pillow would say, without decoding and without reading more than a few parts."""

import struct
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.files.picture_heads import EXIF, PARTS, Head, head_of
from core.files.pictures import size_of

ORIENTATION = 0x0112
KINDS = [
    ("JPEG", {}),
    ("JPEG", {"progressive": True}),
    ("PNG", {}),
    ("WEBP", {}),
    ("WEBP", {"lossless": True}),
    ("GIF", {}),
]


def file_of(kind: str, size: tuple[int, int] = (40, 30), **options: object) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, "red").save(file, kind, **options)
    return file.getvalue()


def segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


EMPTY_EXIF = segment(0xE1, b"Exif\0\0" + bytes(10))


class Counted(BytesIO):
    taken = 0  # bytes

    def read(self, size: int | None = -1) -> bytes:
        self.taken += len(data := super().read(size))
        return data


@pytest.mark.parametrize("kind,options", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (40, 30), (3_000, 70)])
def test_the_size_is_that_of_the_picture(kind, options, size):
    assert head_of(BytesIO(file_of(kind, size, **options))) == Head(kind, *size)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation_is_read_from_exif(kind, orientation):
    exif = Image.Exif()
    exif[0x010E] = "words before it"
    exif[ORIENTATION] = orientation
    head = head_of(BytesIO(file_of(kind, exif=exif)))
    assert head == Head(kind, 40, 30, orientation)
    assert head.size == ((30, 40) if orientation >= 5 else (40, 30))


@pytest.mark.parametrize("value", [0, 9, 77])
def test_an_orientation_that_is_none_is_upright(value):
    exif = Image.Exif()
    exif[ORIENTATION] = value
    assert head_of(BytesIO(file_of("JPEG", exif=exif))) == Head("JPEG", 40, 30)


def test_of_many_segments_with_exif_no_size_is_read_and_few_bytes_are():
    """Pillow copies all that came before for each of them: 4 MB took 5 s of processor time."""
    whole = file_of("JPEG")
    hostile = Counted(whole[:2] + EMPTY_EXIF * 200_000 + whole[2:])
    assert size_of(hostile) == (None, None)
    assert hostile.taken <= PARTS * (len(EMPTY_EXIF) + 4) + 100


def test_a_few_segments_with_exif_are_taken():
    whole = file_of("JPEG")
    assert size_of(BytesIO(whole[:2] + EMPTY_EXIF * 4 + whole[2:])) == (40, 30)
    assert size_of(BytesIO(whole[:2] + EMPTY_EXIF * 5 + whole[2:])) == (None, None)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_endless_chunks_few_are_read(kind):
    whole = file_of(kind, exif=Image.Exif())
    if kind == "PNG":
        hostile = Counted(whole[:33] + (struct.pack(">I4s", 0, b"tEXt") + bytes(4)) * 200_000)
    else:
        hostile = Counted(
            whole[:12] + struct.pack("<4sI10s", b"VP8X", 10, bytes(10)) + struct.pack("<4sI", b"ABCD", 0) * 200_000
        )
    assert head_of(hostile) is None
    assert hostile.taken <= 8 * PARTS + 100


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_large_exif_only_its_begin_is_read(kind):
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\0" + bytes(5_000_000)
    file = Counted(file_of(kind, exif=exif))
    assert head_of(file) == Head(kind, 40, 30)
    assert file.taken <= EXIF + 1_000


def test_the_size_of_a_picture_is_read_without_its_pixels():
    whole = file_of("PNG", (4_000, 4_000))
    assert size_of(BytesIO(whole[: whole.index(b"IDAT") + 4])) == (4_000, 4_000)


def test_of_more_pixels_than_are_decoded_no_size_is_told():
    assert size_of(BytesIO(file_of("GIF", (4_001, 4_000)))) == (None, None)
    assert size_of(BytesIO(file_of("JPEG", (4_001, 4_000)))) == (4_001, 4_000)


@pytest.mark.parametrize("marker", [b"\xe0", b"\xe1", b"\xc0"])
@pytest.mark.parametrize("length", [0, 1])
def test_a_segment_that_is_shorter_than_its_own_length_is_refused(tmp_path, marker, length):
    picture = tmp_path / "picture.jpg"  # a file; a BytesIO takes any negative number for all
    picture.write_bytes(b"\xff\xd8\xff" + marker + bytes([0, length]) + bytes(2000))
    with picture.open("rb") as file:
        assert head_of(file) is None


@pytest.mark.parametrize("kind,options", KINDS)
def test_no_shorter_file_raises(kind, options):
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    whole = file_of(kind, **options, **({} if kind == "GIF" else {"exif": exif}))
    for length in range(len(whole)):
        head_of(BytesIO(whole[:length]))


@given(st.sampled_from(KINDS), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8))
def test_no_changed_file_raises(many_examples, kind, changes):
    whole = bytearray(file_of(kind[0], **kind[1]))
    for place, value in changes:
        whole[place % len(whole)] = value
    head_of(BytesIO(bytes(whole)))
