"""The colors of WeKan's labels, which have the names of CSS, and of its boards, which have names of their own."""

from boards.colours import Hue
from importer.formats import hues
from importer.formats.hues import NEUTRAL

OF_LABELS = {
    "lime": Hue.GREEN, "darkgreen": Hue.GREEN, "black": NEUTRAL, "silver": NEUTRAL, "gray": NEUTRAL, "white": NEUTRAL,
    "peachpuff": Hue.CORAL, "crimson": Hue.RED, "plum": Hue.PINK, "slateblue": Hue.PURPLE, "magenta": Hue.PINK,
    "gold": Hue.YELLOW, "navy": Hue.BLUE, "saddlebrown": Hue.ORANGE, "paleturquoise": Hue.TEAL, "mistyrose": Hue.ROSE,
    "indigo": Hue.PURPLE,
}  # fmt: skip
OF_BOARDS = {
    "nephritis": Hue.GREEN, "pomegranate": Hue.RED, "belize": Hue.BLUE, "wisteria": Hue.PURPLE, "midnight": Hue.BLUE,
    "pumpkin": Hue.ORANGE, "moderatepink": Hue.PINK, "strongcyan": Hue.CYAN, "limegreen": Hue.GREEN, "relax": Hue.TEAL,
    "corteza": Hue.CORAL, "clearblue": Hue.SKY, "natural": Hue.YELLOW,
}  # fmt: skip


def hue_of(color: str) -> tuple[Hue, bool]:
    """Return the hue of a label's or a card's color, and whether it is the very color."""
    own = hues.named(color)
    return (own, True) if own else (OF_LABELS.get(color) or hues.nearest(color), False)


def board_hue(color: str) -> tuple[Hue | None, bool]:
    own = hues.named(color)
    return (own, True) if own else (OF_BOARDS.get(color), False)
