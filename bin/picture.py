"""The pictures of the README and the guide: serve the demo from a data folder of its own and photograph it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
README, GUIDE = ROOT / "docs" / "pictures", ROOT / "docs" / "guide"
BOARD = "Website relaunch"
LARGEST = 150_000  # bytes
PATIENCE = 60  # seconds
SETTLED = 400  # milliseconds until nothing moves any more


def board(page: Page) -> None:
    page.mouse.move(1200, 700)


def dragging(page: Page) -> None:
    """Hold a card over another list."""
    page.locator(".card", has_text="Redirect the old addresses").hover()
    page.mouse.down()
    aim = page.locator(".card", has_text="Move the blog")
    for place in (40, 12):
        aim.hover(position={"x": 130, "y": place}, force=True)


def quick_add(page: Page) -> None:
    page.locator(".list").first.get_by_text("Add card").click()
    page.keyboard.type("Call the printer #Chore tomorrow 5pm", delay=10)


def filters(page: Page) -> None:
    page.keyboard.press("f")


def palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("blog", delay=10)
    page.locator("[role=option]", has_text="Move the blog").wait_for()


def move_to(page: Page) -> None:
    page.locator(".card .title").first.focus()
    page.keyboard.press("m")
    page.locator("[role=option]").first.wait_for()


def shortcuts(page: Page) -> None:
    page.keyboard.press("?")


def limits(page: Page) -> None:
    """Limit the first list to two cards, and cover two of its cards."""
    shown = page.locator(".list[id]").first
    shown.locator("header .menu > summary").click()
    page.get_by_role("button", name="Set card limit").click()
    page.keyboard.type("2\n")
    shown.locator(".count.over").wait_for()
    for place, color in ((0, "Green"), (2, "Blue")):
        tile = shown.locator(".card").nth(place)
        tile.hover()
        tile.locator(".tile-more").click()
        page.get_by_role("menuitem", name="Set cover color").click()
        page.get_by_role("dialog", name="Cover color").get_by_role("button", name=color).click()
        tile.locator(".cover").wait_for()
    page.locator(".toasts .close").evaluate_all("buttons => buttons.forEach((button) => button.click())")
    page.mouse.move(1000, 600)


def card(page: Page) -> None:
    page.locator(".card .title", has_text="Move the blog").click()
    page.locator("#open-card").wait_for()


def editor(page: Page) -> None:
    page.locator(".card .title").first.click()
    page.locator("#open-card [data-part=description] .prose p").first.click()
    page.locator("[role=toolbar]").wait_for()


# Where each picture goes, its theme, its width, and what to do on the board before it is taken
PICTURES: dict[Path, tuple[str, int, Callable[[Page], None]]] = {
    README / "board.png": ("light", 1280, board),
    README / "board-dark.png": ("dark", 1280, board),
    GUIDE / "dragging.png": ("light", 1024, dragging),
    GUIDE / "quick-add.png": ("light", 1024, quick_add),
    GUIDE / "filter.png": ("light", 1024, filters),
    GUIDE / "palette.png": ("light", 1024, palette),
    GUIDE / "move-to.png": ("light", 1024, move_to),
    GUIDE / "shortcuts.png": ("light", 1024, shortcuts),
    GUIDE / "limits.png": ("light", 1024, limits),
    GUIDE / "card.png": ("light", 1024, card),
    GUIDE / "editor.png": ("light", 1024, editor),
    GUIDE / "phone.png": ("dark", 390, board),
}


def main() -> int:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "google-chrome"))), None)
    if chromium is None:
        print("Chromium is not installed. On Debian and Ubuntu: apt install chromium.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as data, served(data) as (url, environment), sync_playwright() as playwright:
        demo = subprocess.run(
            [ROOT / "bin" / "manage", "demo"], env=environment, check=True, capture_output=True, text=True
        )
        account = dict(line.split(": ", 1) for line in demo.stdout.splitlines())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for path, (theme, width, prepare) in PICTURES.items():
            page = opened(browser, url, account["Sign in"].strip(), account["Password"].strip(), theme, width)
            prepare(page)
            page.wait_for_timeout(SETTLED)
            path.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=path)
            page.context.close()
    too_large = [path.name for path in PICTURES if path.stat().st_size > LARGEST]
    print(f"Larger than {LARGEST} bytes: {too_large}" if too_large else f"Made {len(PICTURES)} pictures.")
    return bool(too_large)


@contextmanager
def served(data: str) -> Iterator[tuple[str, dict[str, str]]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"TASKBOARD_DATA": data, "TASKBOARD_BASE_URL": url}
    server = subprocess.Popen([ROOT / "bin" / "serve", "--port", str(port)], env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"{url}/healthz")
        yield url, environment
    finally:
        server.terminate()
        server.wait(PATIENCE)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url, timeout=PATIENCE).close()
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


def opened(browser: Browser, url: str, email: str, password: str, theme: str, width: int) -> Page:
    """Return a page that shows the demo's first board, signed in."""
    window = {"width": width, "height": 800 if width > 1024 else 640}
    context = browser.new_context(base_url=url, viewport=window, color_scheme=theme, locale="en-GB")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("#id_login", email)
    page.fill("#id_password", password)
    page.click("main form button.primary")
    page.get_by_role("link", name=BOARD).first.click()
    page.locator("main[data-wired]").wait_for()
    return page


if __name__ == "__main__":
    sys.exit(main())
