"""Collect the complaints of axe-core about pages. Tests ask for the fixture `axe`."""

from typing import Any

from playwright.sync_api import Page

from taskboard.tests.needs import AXE, asked_for


def complaints(page: Page) -> list[str]:
    """Return what axe says against the page as it looks now."""
    asked_for("axe")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((found) => found.violations)")
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def complaints_in_both_themes(page: Page) -> list[str]:
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # else colors are still on their way
        found += [f"{theme} {one}" for one in complaints(page)]
    return found
