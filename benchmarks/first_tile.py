"""The first tile of a board of 2,000 cards in headless Chromium beside another checkout, in turns, with empty caches.

    .venv/bin/python -m benchmarks.first_tile CHECKOUT [rounds] [times that the processor is slower]

Each checkout has its environment (`bin/dev pip --version` makes it), and runs its `bin/serve` on an embedded database of its own, with the
same cards.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks import servers
from benchmarks.large_boards import first_tile, opened
from benchmarks.results import record
from taskboard.tests.needs import found_chromium

MAKE = """
import os
from benchmarks import boards
boards.prepare(os.environ["TASKBOARD_DATA"])
user = boards.make_user()
print(boards.make_board(user, 2000, 10).pk, boards.sign_in(user))
"""


def served(checkout: Path, stack: ExitStack) -> tuple[int, str, str]:
    """Start the checkout's service; return its port, the id of its board and a cookie."""
    data = tempfile.mkdtemp(prefix="taskboard-benchmark-")
    python = str(checkout / ".venv" / "bin" / "python")
    made = subprocess.run(
        [python, "-c", MAKE],
        cwd=checkout,
        env=os.environ | {"TASKBOARD_DATA": data},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    board_id, cookie = made.stdout.split()[-2:]
    serve = [python, "manage.py", "serve", "--port"]
    port, _pid = stack.enter_context(servers.started(serve, cwd=checkout, TASKBOARD_DATA=data))
    urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").close()  # waits until the first start is complete
    return port, board_id, cookie


def main() -> None:
    checkout, numbers = Path(sys.argv[1]).resolve(), [int(value) for value in sys.argv[2:]]
    rounds, slower = *numbers, *(24, 1)[len(numbers) :]
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ["TASKBOARD_LIMITS"] = "off"
    machine = ("", slower, None, 0)
    with ExitStack() as stack:
        sides = {"before": served(checkout, stack), "now": served(servers.ROOT, stack)}
        times: dict[str, list[float]] = {side: [] for side in sides}
        chrome = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=found_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for turn in range(-1, rounds):
            for side in ("before", "now") if turn % 2 else ("now", "before"):
                port, board_id, cookie = sides[side]
                page, _asked = opened(chrome, port, cookie, machine)
                took = first_tile(page, f"http://127.0.0.1:{port}/board/{board_id}")
                page.wait_for_selector("main[data-wired]", timeout=120_000)
                page.context.close()
                if turn >= 0:  # the first one finds nothing kept on the server
                    times[side].append(took)
        chrome.close()
    before, now = (statistics.median(times[side]) for side in ("before", "now"))
    print(f"first tile {now:.0f} ms, before {before:.0f}: {now / before:.2f} (goal 0.9)")
    figures = {"Before": f"{before:.0f} ms", "Now": f"{now:.0f} ms", "Ratio": f"{now / before:.2f}"}
    record("first-tile", "as it is" if slower == 1 else f"processor {slower}x slower", figures)


if __name__ == "__main__":
    main()
