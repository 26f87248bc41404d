"""Open a board of 500 cards in headless Chromium, without covers and with 500 cover pictures, from the embedded default.

    .venv/bin/python -m benchmarks.covers

Each cover is a picture of its own. Told are the first tile, when all covers in view are there, how many thumbnails were
asked for, how many kilobytes they have, and the same on a second visit, when the browser has kept them.
"""

import os
import random
import statistics
import sys
import tempfile
import threading
import urllib.request
from io import BytesIO
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright

from benchmarks import boards, servers
from benchmarks.large_boards import WATCH
from benchmarks.results import record
from taskboard.tests.needs import found_chromium

CARDS, LISTS, TURNS = 500, 5, 7
COVERS = """async () => {
    const seen = () => [...document.querySelectorAll(".cover.picture img")].filter((image) => {
        const { top, left, bottom, height } = image.getBoundingClientRect()
        return height && top < innerHeight && left < innerWidth && bottom > 0
    })
    while (!seen().every((image) => image.complete && image.naturalWidth)) await new Promise(requestAnimationFrame)
    return [performance.now(), seen().length]
}"""


FETCHED = """() => performance.getEntriesByType("resource")
    .filter(({ name, transferSize }) => name.includes("/thumbnail") && transferSize)
    .map(({ transferSize }) => transferSize)"""


def photo(chance: random.Random) -> bytes:
    """Return a JPEG of 1,200 by 800 pixels with as much detail as a blurred photo."""
    from PIL import Image

    small = Image.frombytes("RGB", (60, 40), chance.randbytes(60 * 40 * 3))
    file = BytesIO()
    small.resize((1200, 800), Image.Resampling.BICUBIC).save(file, "JPEG", quality=80)
    return file.getvalue()


def give_covers(board: Any) -> None:
    from boards.actions.files.previews import make_previews
    from boards.models import Attachment, Card, Preview, StoredFile
    from core.files.storage import store

    chance = random.Random(1)
    for card in Card.objects.filter(board=board).select_related("created_by"):
        stored = store([photo(chance)], most=10_000_000)
        file = StoredFile.objects.create(**stored._asdict(), preview=Preview.WAITING)
        make_previews.func(str(file.pk))
        attachment = Attachment.objects.create(
            board=board, card=card, file=file, file_name="photo.jpg", uploaded_by=card.created_by
        )
        Card.objects.filter(pk=card.pk).update(cover_attachment=attachment)


def made(found: list[Any]) -> None:
    """Make the boards. In a thread of its own, as Playwright's event loop runs in the other."""
    boards.prepare(os.environ["TASKBOARD_DATA"])
    user = boards.make_user()
    plain, covered = (boards.make_board(user, CARDS, LISTS) for _board in range(2))
    give_covers(covered)
    found += [plain.pk, covered.pk, boards.sign_in(user)]


def opened(context: BrowserContext, address: str) -> tuple[float, ...]:
    """Return ms until the first tile and until the covers in view, how many these are, thumbnails fetched, and their kB."""
    page = context.new_page()
    page.goto(address, wait_until="commit")
    first = page.evaluate("() => window.firstTile")
    covers, number = page.evaluate(COVERS)
    fetched = page.evaluate(FETCHED)
    page.close()
    return first, covers, number, len(fetched), sum(fetched) / 1000


def told(name: str, visits: list[tuple[float, ...]]) -> None:
    first, covers, number, fetched, size = (statistics.median(values) for values in zip(*visits, strict=True))
    print(
        f"{name}: first tile after {first:.0f} ms; {number:.0f} covers in view, all there after {covers:.0f} ms;"
        f" {fetched:.0f} thumbnails fetched, {size:.0f} kB",
        flush=True,
    )
    figures = {"First tile": f"{first:.0f} ms"}
    if number:
        figures |= {"All covers in view": f"{covers:.0f} ms", "Thumbnails fetched": f"{fetched:.0f}, {size:.0f} kB"}
    record("covers", name, figures)


def main() -> None:
    os.environ["TASKBOARD_DATA"] = tempfile.mkdtemp(prefix="taskboard-benchmark-")
    os.environ["TASKBOARD_LIMITS"] = "off"
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    found: list[Any] = []
    making = threading.Thread(target=made, args=[found])
    making.start()
    making.join()
    plain, covered, cookie = found
    name, _equals, value = cookie.partition("=")
    with servers.started([sys.executable, "manage.py", "serve", "--port"]) as (port, _process):
        base = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(f"{base}/healthz").close()  # waits until the first start is complete
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(
                executable_path=found_chromium(), args=["--no-sandbox", "--disable-gpu"]
            )
            visits: dict[str, list[tuple[float, ...]]] = {}
            for _turn in range(TURNS):
                for what, board in (("without covers", plain), ("with 500 covers", covered)):
                    context = chrome.new_context(viewport={"width": 1440, "height": 900})
                    context.add_cookies([{"name": name, "value": value, "url": base}])
                    context.add_init_script(WATCH)
                    for visit in ("first visit", "second visit", "third visit"):
                        visits.setdefault(f"{what}, {visit}", []).append(opened(context, f"{base}/board/{board}"))
                    context.close()
            for what, times in visits.items():
                told(what, times)
            chrome.close()


if __name__ == "__main__":
    main()
