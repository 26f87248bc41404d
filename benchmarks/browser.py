"""A board of 5,000 cards in 10 lists in headless Chromium, from the embedded default (one process, SQLite).

.venv/bin/python -m benchmarks.browser

Each figure is the median of several; beside it stands its budget. They are taken at full speed and with a processor that
Chromium slows down to a quarter.
"""

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from benchmarks import servers
from benchmarks.board_page import make_board
from benchmarks.results import record
from taskboard.tests.needs import found_chromium

TIMES = 7
SLOWER = (1, 4)


class Measure(NamedTuple):
    name: str
    budget: str
    take: Callable[[Page], float]  # milliseconds, on an open board


def main() -> None:
    os.environ |= {
        "TASKBOARD_DATA": tempfile.mkdtemp(prefix="taskboard-benchmark-"),
        "TASKBOARD_LIMITS": "off",
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
    }
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    board_id, cookie = make_board()
    with (
        servers.started([sys.executable, "manage.py", "serve", "--port"]) as (port, _process),
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=found_chromium(), args=["--no-sandbox", "--disable-gpu"])
        print("| | Budget | Full speed | 4x slower |\n|---|---|---|---|")
        for measure in MEASURES:
            taken = [
                figures(measure, opened)
                for slower in SLOWER
                for opened in open_board(browser, f"http://127.0.0.1:{port}", str(board_id), cookie, slower)
            ]
            print(f"| {measure.name} | {measure.budget} | {' | '.join(taken)} |", flush=True)
            record("browser", measure.name, dict(zip(("Full speed", "4x slower"), taken, strict=True)))
        browser.close()


def open_board(browser: Browser, url: str, board_id: str, cookie: str, slower: int) -> Iterator[Page]:
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900})
    name, _equals, value = cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": url}])
    page = context.new_page()
    page.goto(f"/board/{board_id}")
    page.locator("main[data-wired]").wait_for()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield page
    context.close()


def figures(measure: Measure, page: Page) -> str:
    taken = sorted(measure.take(page) for _time in range(TIMES))
    return f"{statistics.median(taken):.1f} ms (at most {taken[-1]:.1f})"


# The script of dragging, started again on a copy of the board that is not on the page.
REGISTER = """async () => {
    const script = performance.getEntriesByType("resource").find(({ name }) => /\\/drag[.\\w]*\\.js$/.test(name)).name
    const { default: drag } = await import(script)
    const copy = document.querySelector("main.board").cloneNode(true)
    const begun = performance.now()
    drag(copy)
    return performance.now() - begun
}"""

# Times from letting go of the mouse: until the frame is painted, and until the server's tile is in its place.
WATCH = """() => {
    window.times = new Promise((done) => addEventListener("pointerup", () => {
        const begun = performance.now(), since = () => performance.now() - begun
        const { id, version } = window.dragged
        let painted
        requestAnimationFrame(() => setTimeout(() => { painted = since() }))
        const look = () => {
            const tile = document.getElementById(id)
            if (tile && tile.dataset.version !== version && painted !== undefined) done({ painted, settled: since() })
            else setTimeout(look, 1)
        }
        look()
    }, { capture: true, once: true }))
    window.frames = []
    let last = performance.now()
    const frame = () => { window.frames.push(performance.now() - last); last = performance.now(); window.counting = requestAnimationFrame(frame) }
    window.counting = requestAnimationFrame(frame)
}"""


def registering(page: Page) -> float:
    return float(page.evaluate(REGISTER))


def dragged(page: Page) -> dict[str, float]:
    """Drag the third tile of the first list into the middle of the second list's window, and back to the top next time."""
    lists = page.locator(".lists > .list[id]:has(> ol > .card:nth-child(6))")
    from_list, into = (0, 1) if dragged.times % 2 == 0 else (1, 0)  # type: ignore[attr-defined]
    dragged.times += 1  # type: ignore[attr-defined]
    tile = lists.nth(from_list).locator("ol > .card").nth(2)
    tile.evaluate("tile => { window.dragged = { id: tile.id, version: tile.dataset.version } }")
    x, y = middle(tile)
    end_x, end_y = middle(lists.nth(into).locator("ol > .card").nth(4))
    page.evaluate(WATCH)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 21):
        page.mouse.move(x + (end_x - x) * step / 20, y + (end_y - y) * step / 20)
    page.mouse.up()
    found: dict[str, float] = page.evaluate("times")
    frames: list[float] = page.evaluate("cancelAnimationFrame(window.counting), window.frames")
    return found | {"frame": statistics.median(frames)}


dragged.times = 0  # type: ignore[attr-defined]


def middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


MEASURES = [
    Measure("starting to listen for drags", "", registering),
    Measure("a frame while a tile is dragged", "", lambda page: dragged(page)["frame"]),
    Measure("from the drop until the tile is painted there", "", lambda page: dragged(page)["painted"]),
    Measure("from the drop until the server's answer is placed", "100 ms", lambda page: dragged(page)["settled"]),
]


if __name__ == "__main__":
    main()
