"""The colors of Trello's labels, covers and boards."""

from boards.colours import Hue
from boards.losses import Loss
from importer.formats import hues
from importer.formats.hues import NEUTRAL
from importer.formats.things import Thing
from importer.report import Report

SAME = {"red", "orange", "yellow", "green", "sky", "blue", "purple", "pink"}
NEAR = {"lime": Hue.GREEN, "black": NEUTRAL, "grey": NEUTRAL, "gray": NEUTRAL}


def label_hue(color: str) -> tuple[Hue | None, bool]:
    """Return the hue of a color, None for none, and whether it is the very color. The shades are `red_dark` and `red_light`."""
    if not color:
        return None, False
    name, _, shade = color.partition("_")
    if name in SAME:
        return Hue[name.upper()], not shade
    return NEAR.get(name) or hues.nearest(color), False


def background_hue(prefs: Thing, report: Report) -> Hue | None:
    """Return the hue of a board; that of its picture's main color for one with a picture."""
    name, code = prefs.key("background"), prefs.key("backgroundColor") or prefs.key("backgroundTopColor")
    if not name and not code:
        return None
    if name in SAME:
        return Hue[name.upper()]
    if prefs.key("backgroundImage"):
        report.lose(Loss.FIELD_LEFT_OUT, prefs.at("backgroundImage"))
    else:
        report.lose(Loss.COLOR_CHANGED, prefs.at("background"))
    return NEAR.get(name) or hues.nearest(code)
