"""The editor in headless Chromium, on the embedded default: how long it takes to open a description, and to show a letter in it.

.venv/bin/python -m benchmarks.editor [slowdown of the processor, such as 4]
"""

import os
import statistics
import sys
import tempfile
import urllib.request
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks import servers
from benchmarks.results import record
from taskboard.tests.needs import found_chromium

TIMES, LONGEST = 7, 20_000
PARAGRAPH = "A paragraph with **bold** words, `code` and a [link](https://example.org/), as people write them in a description.\n\n"
SECTION = (
    f"## A heading\n\n{PARAGRAPH * 3}- one item\n- another one\n  - nested\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n"
)
TEXTS = {"short": "Two words", "long": SECTION * (LONGEST // len(SECTION))}

# Each returns milliseconds, up to the frame after the one in which it is done.
SHOWN = "const shown = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
OPEN = f"""async () => {{ {SHOWN}
    const start = performance.now()
    document.querySelector("[data-part=description] summary").click()
    while (!document.querySelector(".ProseMirror")) await shown()
    await shown()
    return performance.now() - start
}}"""
TYPE = f"""async () => {{ {SHOWN}
    const start = performance.now()
    document.execCommand("insertText", false, "x")
    await shown()
    return performance.now() - start
}}"""


def make_cards() -> tuple[dict[str, str], str]:
    """Return the address of a card for each text, and the cookie of a session."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from accounts.models import User
    from benchmarks.live import session_cookie
    from boards.actions.boards.board import create_board
    from boards.actions.cards.card import create_card
    from boards.actor import Actor

    user = User.objects.create_user("page@example.com", None, name="Page")
    actor = Actor(user)
    board = create_board(actor=actor, title="Texts", template="kanban")
    cards = {
        name: create_card(actor=actor, board_id=board.pk, title=name, description=text) for name, text in TEXTS.items()
    }
    return {name: card.get_absolute_url() for name, card in cards.items()}, session_cookie(user.pk)


def measure(page: Page, address: str) -> tuple[float, float]:
    page.goto(address)
    page.locator("main[data-wired]").wait_for()
    opened = page.evaluate(OPEN)
    page.locator(".ProseMirror").focus()
    return opened, statistics.median([page.evaluate(TYPE) for _time in range(10)])


def main(slowdown: int) -> None:
    data = tempfile.mkdtemp(prefix="taskboard-benchmark-")
    os.environ |= {
        "TASKBOARD_DATA": data,
        "DJANGO_SETTINGS_MODULE": "taskboard.settings",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
    }
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("REDIS_URL", None)
    addresses, cookie = make_cards()
    with (
        servers.started([sys.executable, "manage.py", "serve", "--port"]) as (port, _process),
        sync_playwright() as player,
    ):
        url = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(f"{url}/healthz").close()  # waits until the first start is complete
        browser = player.chromium.launch(executable_path=found_chromium(), args=["--no-sandbox", "--disable-gpu"])
        for name, address in addresses.items():
            results = []
            for _time in range(TIMES):
                context = browser.new_context(base_url=url, reduced_motion="reduce")  # with an empty cache
                context.add_cookies([cookie_of(cookie, url)])
                page = context.new_page()
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
                results.append(measure(page, address))
                context.close()
            opened, typed = (sorted(figures) for figures in zip(*results, strict=True))
            print(f"{name}: {len(TEXTS[name])} characters")
            print(f"  open, nothing cached: median {statistics.median(opened):.0f} ms, worst {opened[-1]:.0f} ms")
            print(f"  a letter: median {statistics.median(typed):.0f} ms")
            if slowdown == 1:
                figures = {"Open, median": f"{statistics.median(opened):.0f} ms", "Worst": f"{opened[-1]:.0f} ms"}
                record("editor", name, figures | {"A letter": f"{statistics.median(typed):.0f} ms"})
        browser.close()


def cookie_of(header: str, url: str) -> Any:
    name, value = header.split(";")[0].split("=", 1)
    return {"name": name, "value": value, "url": url}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
