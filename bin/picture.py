"""The pictures of a board in the README: serve the demo from a data folder of its own and photograph its first board."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = {"light": ROOT / "docs" / "pictures" / "board.png", "dark": ROOT / "docs" / "pictures" / "board-dark.png"}
BOARD = "Website relaunch"
LARGEST = 150_000  # bytes
PATIENCE = 60  # seconds


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("Chromium is not installed. On Debian and Ubuntu: apt install chromium.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as data, served(data) as (url, environment), sync_playwright() as playwright:
        demo = subprocess.run(
            [ROOT / "bin" / "manage", "demo"], env=environment, check=True, capture_output=True, text=True
        )
        account = dict(line.split(": ", 1) for line in demo.stdout.splitlines())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for theme, path in PICTURES.items():
            photograph(browser, url, account["Sign in"].strip(), account["Password"].strip(), theme, path)
    too_large = [path.name for path in PICTURES.values() if path.stat().st_size > LARGEST]
    print(
        f"Larger than {LARGEST} bytes: {too_large}" if too_large else "Made docs/pictures/board.png and board-dark.png."
    )
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


def photograph(browser: Browser, url: str, email: str, password: str, theme: str, path: Path) -> None:
    window = {"width": 1280, "height": 800}
    page = browser.new_page(base_url=url, viewport=window, color_scheme=theme, locale="en-GB")  # type: ignore[arg-type]
    page.goto("/sign-in")
    page.fill("#id_login", email)
    page.fill("#id_password", password)
    page.click("main form button.primary")
    page.get_by_role("link", name=BOARD).click()
    page.locator("main[data-wired]").wait_for()
    page.mouse.move(1200, 700)
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path)
    page.close()


if __name__ == "__main__":
    sys.exit(main())
