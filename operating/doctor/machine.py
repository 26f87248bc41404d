"""The data folder, the uploaded files, the disk, the static files, Redis, the mail server."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from core.text.sizes import size_in_words
from operating.doctor.finding import Finding, note, ok, wrong
from taskboard.file_storage import name_of_storage, storage_trouble
from taskboard.health import ROOM, redis_answers
from taskboard.serving.readiness import static_files_are_collected

LITTLE = 1_000_000_000  # bytes: the next growth of the database, and copies of it, may take that much


def check_machine() -> Iterator[Finding]:
    yield from check_privacy(
        [settings.DATA, *settings.DATA.glob("*.sqlite3*"), settings.DATA / "secret_key", settings.FILES]
    )
    for folder in dict.fromkeys([settings.DATA, settings.FILES if settings.FILES.exists() else settings.DATA]):
        yield from check_room(folder)
    if settings.DEBUG or static_files_are_collected():
        yield ok("The static files are collected.")
    else:
        yield wrong(
            f"The static files are not in {settings.STATIC_ROOT}.",
            "Run bin/manage collectstatic --noinput, or start bin/serve, which does.",
        )
    if not settings.REDIS_URL:
        yield ok("No Redis is set: right for bin/serve, which is one process.")
    elif redis_answers():
        yield ok("Redis answers.")
    else:
        yield wrong("Redis does not answer: updates of open boards come late.", "Start it, or mend REDIS_URL.")
    if settings.MAIL:
        yield ok(f"Mails go to {settings.EMAIL_HOST}:{settings.EMAIL_PORT}. Try it with --mail ADDRESS.")
    else:
        yield note(
            "No mail server is set: people who forget their password have to ask you.", "Set TASKBOARD_EMAIL_URL."
        )


def check_privacy(paths: list[Path]) -> Iterator[Finding]:
    """Look at what the start did not mend, as it belongs to another user."""
    open_ones = [path for path in paths if path.exists() and path.stat().st_mode & strangers_bits(path)]
    for path in open_ones:
        who = "o" if strangers_bits(path) == stat.S_IRWXO else "go"
        yield wrong(f"Other users of this machine can read {path}.", f"Run: chmod {who}-rwx {path}")
    if not open_ones:
        yield ok(f"Only this user can read {settings.DATA}.")


def strangers_bits(path: Path) -> int:
    """Return the bits of the mode that let others in than the service: all but the owner's, or, in a container's volume
    that belongs to another user, all but those of the group, by which the service itself gets in."""
    facts = path.stat()
    by_group = facts.st_uid != os.geteuid() and facts.st_gid in {os.getegid(), *os.getgroups()}
    return stat.S_IRWXO if by_group else stat.S_IRWXG | stat.S_IRWXO


def check_storage() -> Iterator[Finding]:
    if words := storage_trouble():
        yield wrong(words, "Until then nobody can attach files or see those that are there.")
    else:
        yield ok(f"Files can be kept in {name_of_storage()}.")


def check_room(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    text = f"{size_in_words(free)} are free for {folder}."
    if free < ROOM:
        yield wrong(text, "Make room: nothing more can be written soon.")
    elif free < LITTLE:
        yield note(text, "Make room before the next upgrade.")
    else:
        yield ok(text)
