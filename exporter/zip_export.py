"""The export as a zip: the JSON, the files, and pages to read. It is written as a stream, with little in memory.

The rows are read once, under one snapshot, onto a tape. Everything else is made of that, and the files are read after the
snapshot: it is not held while a gigabyte is copied. A file that is deleted in between is named in the JSON, and the pages
say that it is missing.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.utils import timezone, translation

from accounts.models import User
from accounts.pictures import PEOPLE
from accounts.time_zones import zone_named
from boards.actions.boards.background import BACKGROUNDS
from boards.backgrounds import kind_of, picture_of
from core.files.names import Names
from core.files.storage import open_file
from exporter.json_export import json_of
from exporter.progress import PIECE, Progress
from exporter.readable.facts import Setting, boards_of, file_path
from exporter.readable.html import board_html, index_html
from exporter.readable.markdown import board_markdown
from exporter.tape import Tape
from exporter.walking import BOARD, CARD, Step

PASSES = 4  # over the cards: the snapshot, the JSON, Markdown, HTML
BLOCK = 256 * 1024
PICTURE = "picture.webp"
COMPRESSED = (
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
    "application/zip",
    "application/gzip",
    "application/pdf",
)
COMPRESSED_KINDS = ("video/", "audio/")


def write_zip(user: User, head: dict[str, Any], tape: Tape, file: IO[bytes], progress: Progress) -> None:
    """Write the steps of the tape. `head` is the beginning of the JSON; it is not changed."""
    with ZipFile(file, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        picture = PEOPLE.read(user.picture)
        if picture is not None:
            archive.writestr(entry(PICTURE, ZIP_STORED), picture)
        who = {**head["user"], "picture": PICTURE if picture is not None else None}
        steps = with_backgrounds(counted(tape, progress))
        write_text(archive, "export.json", json_of({**head, "user": who}, steps))
        write_backgrounds(archive, tape)
        missing = write_files(archive, tape, progress)
        setting = Setting(zone_named(user.time_zone), user.language_tag, missing)
        with translation.override(user.language):
            write_pages(archive, tape, setting, head, progress)


def with_backgrounds(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the steps. Boards say what lies behind their lists, as only a zip has the pictures."""
    for step in steps:
        if step.depth == BOARD:
            step.content["background"] = kind_of(step.more["background"])
        yield step


def write_backgrounds(archive: ZipFile, tape: Tape) -> None:
    """Write the pictures of boards; one that was deleted meanwhile is left out."""
    for step in tape:
        picture = BACKGROUNDS.read(picture_of(step.more.get("background", "")))
        if picture is not None:
            archive.writestr(entry(f"backgrounds/{step.content['id']}.webp", ZIP_STORED), picture)


def write_pages(archive: ZipFile, tape: Tape, setting: Setting, head: dict[str, Any], progress: Progress) -> None:
    names, boards = Names("board"), []
    for content, inside in boards_of(counted(tape, progress)):
        boards.append((content["title"], name := names.add(content["title"]), content["archivedAt"] is not None))
        write_text(archive, f"boards/{name}.md", board_markdown(content, inside, setting))
    for (_title, name, _archived), (content, inside) in zip(boards, boards_of(counted(tape, progress)), strict=True):
        write_text(archive, f"boards/{name}.html", board_html(content, inside, setting))
    write_text(archive, "index.html", index_html(boards, head["user"]["name"], head["exportedAt"], setting))


def write_files(archive: ZipFile, tape: Tape, progress: Progress) -> set[str]:
    """Return the ids of the attachments whose file is gone."""
    missing = set()
    for step in tape:
        for attachment, name in zip(step.content.get("attachments", ()), step.more.get("files", ()), strict=True):
            try:
                source = open_file(name)
            except FileNotFoundError:
                missing.add(attachment["id"])
            else:
                with closing(source):
                    write_file(archive, attachment, source, progress)
            progress.finish_file()
    return missing


def write_file(archive: ZipFile, attachment: dict[str, Any], source: IO[bytes], progress: Progress) -> None:
    kind = attachment["contentType"]
    how = ZIP_STORED if kind in COMPRESSED or kind.startswith(COMPRESSED_KINDS) else ZIP_DEFLATED
    with archive.open(entry(file_path(attachment), how), "w", force_zip64=True) as target:
        while block := source.read(BLOCK):
            target.write(block)
            progress.work_on(len(block) // PIECE)


def write_text(archive: ZipFile, name: str, parts: Iterable[str]) -> None:
    with archive.open(entry(name, ZIP_DEFLATED), "w", force_zip64=True) as target:
        for part in parts:
            target.write(part.encode())


def entry(name: str, how: int) -> ZipInfo:
    info = ZipInfo(name, timezone.now().timetuple()[:6])
    info.compress_type, info.external_attr = how, 0o600 << 16
    return info


def counted(tape: Tape, progress: Progress) -> Iterator[Step]:
    for step in tape:
        yield step
        if step.depth == CARD:
            progress.work_on(1)
