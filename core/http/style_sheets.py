"""The style sheets of static/css that a page names, in the order in which browsers apply them.

Where static files are collected, each group is one file (taskboard/static.py). A page names `site` and at most one more.
"""

BOARD = (
    "board-page",
    "backgrounds",
    "card",
    "card-state",
    "print",
    "drag",
    "filter",
    "own-view",
    "quick-add",
    "card-dates",
    "covers",
    "presence",
    "public-board",
)
CARD = ("people", "card-content", "files", "editor")  # a board fetches these for what opens above it (later-styles.js)
GROUPS = {
    "site": (
        "tokens",
        "reset",
        "base",
        "layout",
        "controls",
        "surfaces",
        "board",
        "prose",
        "keys",
        "notifications",
        "tab-bar",
        "search-field",
        "utilities",
    ),
    "board": BOARD,
    "card": CARD,
    "board-with-card": BOARD + CARD,
    "list": ("boards", "board-page", "card-state"),
    "pages": (
        "boards",
        "people",
        "backgrounds",
        "filter",
        "own-view",
        "card-state",
        "start",
        "inbox",
        "quick-add",
        "my",
        "search",
    ),
    "table": ("board-page", "card-state", "filter", "own-view", "people", "quick-add", "drag", "my", "table"),
    "settings": ("settings",),
    "reference": ("reference",),
}
ON_PAPER = ("print",)


def source(name: str) -> str:
    """Return the static file of a style sheet."""
    return f"css/{name}.css"


def bundle(group: str) -> str:
    """Return the static file that has a whole group."""
    return f"css/{group}.bundle.css"
