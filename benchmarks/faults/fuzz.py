"""Feeds changed pictures, zips and files of other services to what reads them, and finds those that cost too much.

    .venv/bin/python -m benchmarks.faults.fuzz [minutes] [seed] [folder for what was found]

Each input is read in a process of its own, which tells its processor time and memory. It fails for more than 5 seconds or
300 MB, and for an exception that no reader announces. The same seed makes the same inputs.
"""

import os
import random
import resource
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
django.setup()

from PIL import Image  # noqa: E402

from benchmarks.results import record  # noqa: E402
from core.files.pictures import PictureRefused, size_of, square, within  # noqa: E402
from importer.formats import FORMATS, recognize  # noqa: E402
from importer.formats.source import Source, Unreadable  # noqa: E402
from importer.report import Report  # noqa: E402

MOST_CPU, MOST_MEMORY = 5.0, 300  # seconds, MB
LONGEST_PICTURE, LONGEST_EXPORT = 3_000_000, 400_000  # bytes; a table may have a card in 7 bytes, which takes 22 µs
FILES = Path(__file__).resolve().parents[2] / "importer" / "tests" / "files"


class Cost(NamedTuple):
    cpu: float  # seconds
    memory: int  # MB
    failed: bool


def pictures() -> dict[str, bytes]:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "words"
    noise = Image.effect_noise((300, 200), 90).convert("RGB")
    made = {}
    for name, kind, options in [
        ("a.jpg", "JPEG", {"exif": exif}),
        ("b.jpg", "JPEG", {"progressive": True, "exif": exif, "icc_profile": bytes(3000)}),
        ("c.png", "PNG", {"exif": exif}),
        ("d.webp", "WEBP", {"exif": exif, "lossless": True}),
        ("e.webp", "WEBP", {"exif": exif}),
        ("f.gif", "GIF", {"save_all": True, "append_images": [noise.rotate(90), noise.rotate(180)]}),
    ]:
        noise.save(file := BytesIO(), kind, **options)
        made[name] = file.getvalue()
    return made


def exports() -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted(FILES.iterdir())}
    own = b'{"format": "taskboard-export", "version": 1, "boards": [{"id": "b", "title": "B", "lists": [{"id": "l", "title": "L", "cards": [{"id": "c", "number": 1, "title": "a", "description": "**x**"}]}]}]}'
    for name, inside in (("own.zip", "export.json"), ("vikunja.zip", "data.json")):
        with zipfile.ZipFile(file := BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(
                inside, own if name == "own.zip" else b'[{"title": "P", "tasks": [{"id": 1, "title": "t"}]}]'
            )
            archive.writestr("files/1", b"words" * 100)
        found[name] = file.getvalue()
    return {**found, "own.json": own}


def changed(whole: bytes, choose: random.Random, longest: int) -> bytes:
    """Flip, cut, repeat, move and overwrite pieces, up to eight times."""
    data = bytearray(whole)
    for _time in range(choose.choice((1, 1, 2, 4, 8))):
        at, end = sorted((choose.randrange(len(data) + 1), choose.randrange(len(data) + 1)))
        what = choose.randrange(6)
        if what == 0 and data:
            data[at % len(data)] ^= 1 << choose.randrange(8)
        elif what == 1 and data:
            data[at : at + 4] = choose.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\0\0\0\1"))
        elif what == 2:
            piece = data[at : min(end, at + choose.choice((2, 20, 500, 20_000)))]
            room = max(0, longest - len(data)) // max(1, len(piece))
            data[at:at] = piece * min(room, choose.choice((2, 50, 3_000, 200_000)))
        elif what == 3 and end - at < len(data):
            del data[at:end]
        elif what == 4:
            data[at:at] = choose.randbytes(choose.choice((1, 8, 200)))
        else:
            data[at:at] = data[end : end + 100]
    return bytes(data[:longest])


def read_picture(path: Path) -> None:
    with path.open("rb") as file:
        size_of(file)
        with suppress(PictureRefused):
            square(file)
        with suppress(PictureRefused):
            within(file, [1000, 320])


def read_export(path: Path) -> None:
    source = Source(path, path.name, salt=b"x" * 22)
    name = recognize(source) or {".json": "trello", ".zip": "own"}.get(path.suffix, "csv")
    with suppress(Unreadable):
        format = FORMATS[name]
        choices = {question.name: question.answer for question in format.questions(source)}
        for board in format.read(Source(path, path.name, salt=b"x" * 22, choices=choices), Report()):
            for card in board.cards:
                for file in card.files:
                    if file.open is not None:
                        with suppress(OSError, ValueError), file.open() as opened:
                            while opened.read(65536):
                                pass


def cost_of(read: Callable[[Path], None], path: Path) -> Cost:
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        try:
            read(path)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    _pid, status, used = os.wait4(child, 0)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, status != 0)


def main(minutes: float, seed: int, folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    choose, until, found = random.Random(seed), time.monotonic() + minutes * 60, 0
    samples = [(name, data, read_picture, LONGEST_PICTURE) for name, data in pictures().items()]
    samples += [(name, data, read_export, LONGEST_EXPORT) for name, data in exports().items()]
    counts, worst_cpu, worst_memory = Counter[str](), Cost(0, 0, False), Cost(0, 0, False)
    while time.monotonic() < until:
        name, data, read, longest = choose.choice(samples)
        path = folder / f"input{Path(name).suffix}"
        path.write_bytes(changed(data, choose, longest))
        cost = cost_of(read, path)
        counts[name] += 1
        worst_cpu, worst_memory = max(worst_cpu, cost), max(worst_memory, cost, key=lambda one: one.memory)
        if cost.cpu > MOST_CPU or cost.memory > MOST_MEMORY or cost.failed:
            found += 1
            kept = path.rename(folder / f"found-{found}-{name}")
            print(f"{kept}: {cost.cpu:.1f} s, {cost.memory} MB{', failed' if cost.failed else ''}", flush=True)
    print(
        f"Seed {seed}: {counts.total()} inputs, {found} found. Most: {worst_cpu.cpu:.1f} s, {worst_memory.memory} MB."
    )
    record("fuzz", "inputs", {"Figure": f"{counts.total():,} in {minutes:.0f} minutes"})
    record("fuzz", "found", {"Figure": str(found)})
    record("fuzz", "processor time, at most", {"Figure": f"{worst_cpu.cpu:.1f} s"})
    record("fuzz", "memory, at most", {"Figure": f"{worst_memory.memory} MB"})
    return 1 if found else 0


if __name__ == "__main__":
    given = sys.argv[1:]
    minutes, seed = float(given[0]) if given else 60.0, int(given[1]) if len(given) > 1 else 1
    sys.exit(main(minutes, seed, Path(given[2]) if len(given) > 2 else Path("fuzz-found")))
