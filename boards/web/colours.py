"""The names of the twelve colours, and how people pick one."""

from django.utils.translation import pgettext_lazy

from boards.models.base import Hue

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
