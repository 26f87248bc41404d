"""Tell the type of a file by its first bytes.

Why a table of our own: nothing depends on more than it holds. Pages show only the types in PICTURES. Other files are
downloaded, and their type is for people. A library would know hundreds more, each of which may be wrong.
"""

PICTURES = ("image/jpeg", "image/png", "image/webp", "image/gif")
UNKNOWN, TEXT = "application/octet-stream", "text/plain"

# (where the mark is, the mark, the type): the first that fits
MARKS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"(\xb5/\xfd", "application/zstd"),
    (0, b"7z\xbc\xaf'\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (257, b"ustar", "application/x-tar"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),  # Word, Excel and others of before 2007
    (0, b"{\\rtf", "application/rtf"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
)
IN_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
IN_FTYP = {
    b"avif": "image/avif",
    b"heic": "image/heic",
    b"mif1": "image/heic",
    b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4",
}
IN_ZIP = {  # a folder in the archive
    b"word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    b"xl/": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    b"ppt/": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}


def type_of(head: bytes) -> str:
    """Return the media type of a file that begins with these bytes, of which 64 kB are enough."""
    if head[:4] == b"RIFF" and head[8:12] in IN_RIFF:
        return IN_RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return IN_FTYP.get(head[8:12], "video/mp4")
    for place, mark, content_type in MARKS:
        if head[place : place + len(mark)] == mark:
            return _in_zip(head) if content_type == "application/zip" else content_type
    return TEXT if _is_text(head) else UNKNOWN


def _in_zip(head: bytes) -> str:
    """Tell documents of offices from other archives, by a name that is in all of them."""
    return next((kind for start, kind in IN_ZIP.items() if start in head), "application/zip")


def _is_text(head: bytes) -> bool:
    """Tell whether it is UTF-8 without control characters. The last character may be cut off."""
    if any(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(head) - error.start < 4 and error.reason == "unexpected end of data"
    return True
