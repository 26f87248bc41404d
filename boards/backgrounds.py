"""The background of a board lies behind its lists: nothing, the board's color, one of eight gradients, or a picture.

Heads and lists stand on a plate of the canvas (`--plate` in static/css/tokens.css), so that no background decides whether
they can be read.
"""

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from boards.errors import Invalid


class Background(models.TextChoices):
    """The value names the rule in static/css/backgrounds.css."""

    PLAIN = "plain", pgettext_lazy("background", "None")
    COLOR = "color", pgettext_lazy("background", "Board color")
    DUSK = "dusk", pgettext_lazy("background", "Dusk")
    SEA = "sea", pgettext_lazy("background", "Sea")
    MOSS = "moss", pgettext_lazy("background", "Moss")
    SAND = "sand", pgettext_lazy("background", "Sand")
    DAWN = "dawn", pgettext_lazy("background", "Dawn")
    NIGHT = "night", pgettext_lazy("background", "Night")
    MIST = "mist", pgettext_lazy("background", "Mist")
    HEATH = "heath", pgettext_lazy("background", "Heath")


PICTURE = "picture"
OF_PICTURE = f"{PICTURE}:"  # how the field of the board begins that names a picture


def kind_of(background: str) -> str:
    """Return the name of the background, "picture" for one of them."""
    return PICTURE if background.startswith(OF_PICTURE) else background


def picture_of(background: str) -> str:
    """Return the name of the picture (boards/actions/boards/background.py); "" where there is none."""
    return background.removeprefix(OF_PICTURE) if background.startswith(OF_PICTURE) else ""


def label_of(background: str) -> str:
    if picture_of(background):
        return pgettext("background", "Picture")
    return str(Background(background).label) if background in Background.values else "–"


def valid_background(value: object) -> Background:
    if value not in Background.values:
        raise Invalid.of("background", _("%(field)s must be one of %(allowed)s."), allowed=", ".join(Background.values))
    return Background(value)
