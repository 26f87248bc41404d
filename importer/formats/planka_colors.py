"""The colors of Planka's labels: 30 names, each with the hue that it says."""

from boards.colours import Hue
from importer.formats import hues

HUES = {
    "berry": Hue.ROSE, "pumpkin": Hue.ORANGE, "lagoon": Hue.TEAL, "tomato": Hue.RED, "moss": Hue.GREEN, "grass": Hue.GREEN,
    "midnight": Hue.BLUE, "sunny": Hue.YELLOW, "sky": Hue.SKY, "navy": Hue.BLUE, "coral": Hue.CORAL, "shade": hues.NEUTRAL,
    "egg": Hue.YELLOW, "orange": Hue.ORANGE, "pink": Hue.PINK, "lime": Hue.GREEN, "green": Hue.GREEN, "blue": Hue.BLUE,
    "apricot": Hue.ORANGE, "lilac": Hue.PURPLE, "pirate": hues.NEUTRAL, "desert": Hue.YELLOW, "wet": Hue.SKY, "turquoise": Hue.TEAL,
    "light": hues.NEUTRAL, "sugar": Hue.PINK, "red": Hue.RED, "antique": Hue.BLUE, "french": Hue.SKY, "piggy": Hue.PINK,
}  # fmt: skip


def hue_of(color: str) -> tuple[Hue | None, bool]:
    """Return the hue of a color, and whether it is the very color: `berry-red`, `pumpkin-orange`, `lagoon-blue`."""
    own = hues.named(color)
    if own:
        return own, True
    words = color.split("-")
    for word in reversed(words):
        if found := hues.named(word) or HUES.get(word):
            return found, False
    return None, False
