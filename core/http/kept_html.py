"""Cached HTML that many answers share, and answers that contain it. A part is compressed once, the HTML around it for
each answer: deflate lets both follow each other, if each ends at a whole byte and none refers to what was before it
(RFC 1951, 3.2.3 and Z_FULL_FLUSH of zlib).
"""

import secrets
import struct
import zlib
from collections.abc import Iterable
from functools import cached_property

from django.http import HttpResponse
from django.utils.safestring import SafeString

LEVEL = 5  # of zlib: pages are as small as at 6, its default, in two thirds of the time
HEAD = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"  # of gzip: by deflate, with a "file name", no time, any system
RAW = -zlib.MAX_WBITS  # deflate without the head and the sum of zlib
BEGINNING = 100  # bytes; where a part may be is found by its beginning, which is much faster than by all of it


class KeptHtml(SafeString):
    """HTML that is a part of many pages."""

    @cached_property
    def encoded(self) -> bytes:
        return self.encode()

    @cached_property
    def deflated(self) -> bytes:
        return deflate(self.encoded)


class PageOfParts(HttpResponse):
    """A page that contains these parts, unchanged and in this order."""

    def __init__(self, html: str, parts: Iterable[SafeString]) -> None:
        super().__init__(html)
        self.parts = [part for part in parts if isinstance(part, KeptHtml)]


def compress(html: bytes, parts: Iterable[KeptHtml] = ()) -> bytes:
    """Compress with gzip, and with a "file name" of random length in its head, so that the length tells less.

    HTML in the place of a part that is missing, or not behind the one before it, is compressed anew.
    """
    packed = [HEAD, b"a" * secrets.randbelow(100), b"\0"]
    done = 0
    for part in parts:
        at = html.find(part.encoded[:BEGINNING], done)
        if at >= 0 and html.startswith(part.encoded, at):
            packed += deflate(html[done:at]), part.deflated
            done = at + len(part.encoded)
    packed += deflate(html[done:], zlib.Z_FINISH), struct.pack("<II", zlib.crc32(html), len(html) & 0xFFFFFFFF)
    return b"".join(packed)


def deflate(text: bytes, end: int = zlib.Z_FULL_FLUSH) -> bytes:
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    return packing.compress(text) + packing.flush(end)
