"""Helpers for tests that measure pages in Chromium: rectangles, computed styles, colours."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from taskboard.tests.browsers import give_back, lend_context, open_tab, resize, wait_until_wired

Show = Callable[..., Page]


@pytest.fixture
def show(chrome: Browser, live_server, client) -> Iterator[Show]:
    contexts = []

    def show(
        path: str,
        user,
        *,
        width: int = 1280,
        height: int = 800,
        theme: str = "light",
        scripts: bool = True,
        wired: str = "main",  # what scripts must have found before the test goes on; "" for none
    ) -> Page:
        client.force_login(user)
        session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
        context = lend_context(chrome, live_server.url, java_script_enabled=scripts, reduced_motion="reduce")
        contexts.append(context)
        context.add_cookies([session])
        page = open_tab(context)
        resize(page, width, height)
        page.emulate_media(color_scheme=theme)
        page.route_web_socket(re.compile("/ws/board/"), lambda socket: None)
        page.goto(path)
        if scripts and wired:
            wait_until_wired(page, wired)
        return page

    yield show
    for context in contexts:
        give_back(context)


def style(element: Locator, name: str) -> str:
    return str(element.evaluate("(element, name) => getComputedStyle(element)[name]", name))


def box(element: Locator) -> dict[str, float]:
    return element.evaluate(
        "e => { const { left, top, right, bottom } = e.getBoundingClientRect(); return { left, top, right, bottom } }"
    )


def is_in_window(element: Locator) -> bool:
    shown, window = box(element), element.evaluate("() => ({ width: innerWidth, height: innerHeight })")
    return (
        0 <= shown["left"] < shown["right"] <= window["width"]
        and 0 <= shown["top"] < shown["bottom"] <= window["height"]
    )


def lines_of(element: Locator) -> int:
    """Return how many lines the element's text takes."""
    return element.evaluate("e => Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight))")


def widest(page: Page, selector: str) -> int:
    """Return by how many pixels the content of the element is wider than the element."""
    return page.locator(selector).evaluate("element => element.scrollWidth - element.clientWidth")


def linear(colour: list[float]) -> list[float]:
    parts = [min(1.0, max(0.0, part)) for part in colour]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast as WCAG defines it."""
    lights = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def oklab(colour: list[float]) -> tuple[float, float, float]:
    """Return the colour where equal distances look equally different (https://bottosson.github.io/posts/oklab/)."""
    r, g, b = linear(colour)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )
