"""The twelve colours of boards and labels, and their names."""

from django.db import models
from django.utils.translation import pgettext_lazy


class Hue(models.IntegerChoices):
    """The value is the number of the CSS class, hue-1 to hue-12."""

    RED = 1
    ORANGE = 2
    YELLOW = 3
    GREEN = 4
    TEAL = 5
    CYAN = 6
    SKY = 7
    BLUE = 8
    PURPLE = 9
    PINK = 10
    ROSE = 11
    CORAL = 12


NAMES = {
    Hue.RED: pgettext_lazy("colour", "Red"),
    Hue.ORANGE: pgettext_lazy("colour", "Orange"),
    Hue.YELLOW: pgettext_lazy("colour", "Yellow"),
    Hue.GREEN: pgettext_lazy("colour", "Green"),
    Hue.TEAL: pgettext_lazy("colour", "Teal"),
    Hue.CYAN: pgettext_lazy("colour", "Cyan"),
    Hue.SKY: pgettext_lazy("colour", "Sky"),
    Hue.BLUE: pgettext_lazy("colour", "Blue"),
    Hue.PURPLE: pgettext_lazy("colour", "Purple"),
    Hue.PINK: pgettext_lazy("colour", "Pink"),
    Hue.ROSE: pgettext_lazy("colour", "Rose"),
    Hue.CORAL: pgettext_lazy("colour", "Coral"),
}


def palette() -> list[tuple[int, str]]:
    return [(hue.value, str(NAMES[hue])) for hue in Hue]
