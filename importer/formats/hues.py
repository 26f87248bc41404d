"""Map the colors of other services to our twelve."""

import re
from math import atan2, degrees, hypot

from boards.colours import Hue

ANGLES = {  # as --hue in static/css/tokens.css
    Hue.RED: 22, Hue.ORANGE: 71, Hue.YELLOW: 106, Hue.GREEN: 153, Hue.TEAL: 180, Hue.CYAN: 212, Hue.SKY: 235, Hue.BLUE: 264,
    Hue.PURPLE: 290, Hue.PINK: 336, Hue.ROSE: 6, Hue.CORAL: 46,
}  # fmt: skip
NEUTRAL = Hue.SKY  # for grey, black, white and colors that nobody knows
LEAST_CHROMA = 0.03  # in OKLab; below it a color is a grey
OWN = {hue.name.lower(): hue for hue in Hue}
HEX = re.compile(r"#?([0-9a-fA-F]{6})(?:[0-9a-fA-F]{2})?")


def named(name: str) -> Hue | None:
    """Return the color with this English name, None for another."""
    return OWN.get(name.strip().lower())


def nearest(code: str) -> Hue:
    """Return the color nearest to `#rrggbb` by its angle on the color wheel of OKLCH."""
    found = HEX.fullmatch(code.strip())
    if not found:
        return NEUTRAL
    red, green, blue = (_linear(int(found[1][place : place + 2], 16) / 255) for place in (0, 2, 4))
    a, b = _oklab(red, green, blue)
    if hypot(a, b) < LEAST_CHROMA:
        return NEUTRAL
    angle = degrees(atan2(b, a)) % 360
    return min(ANGLES, key=lambda hue: abs((ANGLES[hue] - angle + 180) % 360 - 180))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _oklab(red: float, green: float, blue: float) -> tuple[float, float]:
    """Return a and b of OKLab, by the matrices that CSS Color 4 gives."""
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return a, b
