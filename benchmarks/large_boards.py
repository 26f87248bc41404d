"""Large boards in headless Chromium, from the embedded default (one process, SQLite), each figure beside its budget.

.venv/bin/python -m benchmarks.large_boards
"""

import gzip
import os
import statistics
import sys
import tempfile
import threading
import urllib.request
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import boards, servers
from benchmarks.results import record
from taskboard.tests.needs import found_chromium

BOARDS = ((5000, 10), (20_000, 200))
# Name, how many times slower the processor, kbit/s and ms of the line
MACHINES = (("as it is", 1, None, 0), ("processor 4x slower", 4, None, 0), ("400 kbit/s, 400 ms", 1, 400, 400))

WATCH = """
window.tasks = []
new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.tasks.push(duration)))
    .observe({ type: "longtask", buffered: true })
window.firstTile = new Promise((resolve) => {
    const look = () => document.querySelector(".card")?.getBoundingClientRect().height
        ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look)
    look()
})
"""
SCROLL = """async () => {
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    window.tasks.length = 0
    const row = document.querySelector(".list > ol")
    for (let step = 0; step < 40; step++) { row.scrollBy(0, 900); await wait(50) }
    const lists = document.querySelector(".lists")
    for (let step = 0; step < 40; step++) { lists.scrollBy(600, 0); await wait(50) }
    lists.scrollTo(0, 0)
    return [Math.max(0, ...window.tasks), document.querySelectorAll(".card").length]
}"""
SCROLL_TABLE = """async () => {
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    window.tasks.length = 0
    const frame = document.querySelector(".table-frame")
    for (let step = 0; step < 12; step++) { frame.scrollBy(0, 400); await wait(50) }
    return [Math.max(0, ...window.tasks), document.querySelectorAll(".card-table tbody tr").length]
}"""
# Loads the first list whole, then replaces one of its tiles again and again, with layout.
REPLACE = """async () => {
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const list = document.querySelector(".list[id]")
    const row = list.querySelector("ol")
    while ("next" in list.dataset) { row.scrollTo(0, row.scrollHeight); await wait(100) }
    const { place } = await import(window.placeModule)
    const times = []
    for (let turn = 0; turn < 21; turn++) {
        const tile = row.children[Math.floor(row.children.length / 2)].cloneNode(true)
        tile.dataset.version = turn + 1000
        const begun = performance.now()
        place(tile)
        row.getBoundingClientRect()
        times.push(performance.now() - begun)
    }
    return [times.sort((a, b) => a - b)[10], document.querySelectorAll(".card").length]
}"""


def opened(
    chrome: Browser, port: int, cookie: str, machine: tuple[str, int, int | None, int]
) -> tuple[Page, list[str]]:
    """Return a page of a browser that has nothing in its cache, on such a machine, and the addresses of its scripts."""
    _name, slower, kbit, delay = machine
    context = chrome.new_context(viewport={"width": 1440, "height": 900})
    name, _equals, value = cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": f"http://127.0.0.1:{port}"}])
    context.add_init_script(WATCH)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    if kbit:
        bytes_a_second = kbit * 1000 / 8
        line = {
            "offline": False,
            "latency": delay,
            "downloadThroughput": bytes_a_second,
            "uploadThroughput": bytes_a_second,
        }
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", line)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return page, asked


def first_tile(page: Page, address: str) -> float:
    page.goto(address, wait_until="commit", timeout=120_000)
    return float(page.evaluate("() => window.firstTile"))


def sizes(asked: list[str], cookie: str) -> tuple[float, float]:
    """Return kilobytes, compressed, of HTML, styles and scripts together, and of the scripts alone."""
    scripts = all_of = 0.0
    for address in dict.fromkeys(asked):
        ending = address.partition("?")[0].rpartition(".")[2]
        if ending not in ("css", "js") and "/board/" not in address:
            continue
        request = urllib.request.Request(address, headers={"Cookie": cookie})
        with urllib.request.urlopen(request) as answer:
            size = len(gzip.compress(answer.read())) / 1000
        all_of += size
        scripts += size if ending == "js" else 0
    return all_of, scripts


def measure(chrome: Browser, port: int, cookie: str, board_id: Any, name: str) -> None:
    address = f"http://127.0.0.1:{port}/board/{board_id}"
    with urllib.request.urlopen(urllib.request.Request(address, headers={"Cookie": cookie})) as answer:
        html = answer.read()
    record("large-boards", "HTML", {name: f"{len(html) / 1000:.0f} kB"})
    print(
        f"{name}: {len(html) / 1000:.0f} kB of HTML (budget 500), {len(gzip.compress(html)) / 1000:.0f} kB compressed"
    )
    for machine in MACHINES:
        also = "" if machine is MACHINES[0] else f", {machine[0]}"
        times = []
        for _turn in range(1 if machine[2] else 3):
            page, asked = opened(chrome, port, cookie, machine)
            times.append(first_tile(page, address))
            page.wait_for_selector("main[data-wired]", timeout=120_000)
            if len(times) < 3 and not machine[2]:
                page.context.close()
        print(f"  {machine[0]:22} first tile after {statistics.median(times):6.0f} ms (budget 1000)")
        record("large-boards", f"first tile{also}", {name: f"{statistics.median(times):.0f} ms"})
        if not machine[2]:
            longest, tiles = page.evaluate(SCROLL)
            print(f"  {machine[0]:22} longest task while scrolling {longest:4.0f} ms (budget 200), {tiles} tiles then")
            record("large-boards", f"longest task while scrolling{also}", {name: f"{longest:.0f} ms"})
        if machine is MACHINES[0]:
            every, scripts = sizes(asked, cookie)
            print(
                f"  {machine[0]:22} HTML, CSS, JS {every:4.0f} kB compressed (budget 300), JS {scripts:4.1f} (budget 60)"
            )
            record("large-boards", "HTML, CSS and JavaScript, compressed", {name: f"{every:.0f} kB"})
            record("large-boards", "JavaScript, compressed", {name: f"{scripts:.1f} kB"})
            [module] = {one for one in asked if "/place." in one and one.endswith(".js")}
            page.evaluate("(address) => { window.placeModule = address }", module)
            took, tiles = page.evaluate(REPLACE)
            print(f"  {machine[0]:22} one tile replaced in {took:5.1f} ms (budget 10), {tiles} tiles on the page")
            record("large-boards", "one tile replaced, with layout", {name: f"{took:.1f} ms"})
        page.context.close()


def measure_table(chrome: Browser, port: int, cookie: str, board_id: Any, name: str) -> None:
    """Scroll through every page of a board's table."""
    for machine in MACHINES[:2]:
        page, _asked = opened(chrome, port, cookie, machine)
        page.goto(f"http://127.0.0.1:{port}/board/{board_id}/table", timeout=120_000)
        longest, rows = 0.0, 0
        while True:
            page.wait_for_selector("main[data-wired]", timeout=120_000)
            took, shown = page.evaluate(SCROLL_TABLE)
            longest, rows = max(longest, took), rows + shown
            if not (further := page.locator("#table-rows a[rel=next]")).count():
                break
            page.goto(str(further.evaluate("link => link.href")), timeout=120_000)
        also = "" if machine is MACHINES[0] else f", {machine[0]}"
        print(f"  {machine[0]:22} longest task while scrolling the table {longest:4.0f} ms (budget 50), {rows} rows")
        record("large-boards", f"longest task while scrolling the table{also}", {name: f"{longest:.0f} ms"})
        page.context.close()


def made(found: list[Any]) -> None:
    """Make the boards. In a thread of its own, as Playwright's event loop runs in the other."""
    boards.prepare(os.environ["TASKBOARD_DATA"])
    user = boards.make_user()
    found += [
        (f"{cards:,} cards in {lists} lists", boards.make_board(user, cards, lists).pk) for cards, lists in BOARDS
    ]
    found.append(boards.sign_in(user))


def main() -> None:
    os.environ["TASKBOARD_DATA"] = tempfile.mkdtemp(prefix="taskboard-benchmark-")
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    found: list[Any] = []
    making = threading.Thread(target=made, args=[found])
    making.start()
    making.join()
    *all_boards, cookie = found
    with servers.started([sys.executable, "manage.py", "serve", "--port"]) as (port, _process):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").close()  # waits until the first start is complete
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(
                executable_path=found_chromium(), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, board_id in all_boards:
                measure(chrome, port, cookie, board_id, name)
            measure_table(chrome, port, cookie, all_boards[0][1], all_boards[0][0])
            chrome.close()


if __name__ == "__main__":
    main()
