"""The twelve colours of boards, labels and covers of cards, and their names."""

from collections import Counter
from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from boards.errors import Invalid


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

    @property
    def word(self) -> str:
        """Return the color as programs know it, such as "red"."""
        return self.name.lower()


NAMES = {
    Hue.RED: pgettext_lazy("color", "Red"),
    Hue.ORANGE: pgettext_lazy("color", "Orange"),
    Hue.YELLOW: pgettext_lazy("color", "Yellow"),
    Hue.GREEN: pgettext_lazy("color", "Green"),
    Hue.TEAL: pgettext_lazy("color", "Teal"),
    Hue.CYAN: pgettext_lazy("color", "Cyan"),
    Hue.SKY: pgettext_lazy("color", "Sky"),
    Hue.BLUE: pgettext_lazy("color", "Blue"),
    Hue.PURPLE: pgettext_lazy("color", "Purple"),
    Hue.PINK: pgettext_lazy("color", "Pink"),
    Hue.ROSE: pgettext_lazy("color", "Rose"),
    Hue.CORAL: pgettext_lazy("color", "Coral"),
}


# In which order new things get them, so that neighbours differ.
IN_TURN = (
    Hue.BLUE, Hue.GREEN, Hue.ORANGE, Hue.PINK, Hue.CYAN, Hue.RED, Hue.PURPLE, Hue.YELLOW, Hue.TEAL, Hue.CORAL, Hue.SKY, Hue.ROSE,
)  # fmt: skip


def valid_hue(value: int, field: str = "color") -> Hue:
    if value not in Hue.values:
        raise Invalid.of(field, _("%(field)s must be a number from 1 to 12."))
    return Hue(value)


def hue_called(word: object, field: str = "color") -> Hue:
    """Return the color of this word. Raises Invalid, which names the words that there are."""
    for hue in Hue:
        if hue.word == word:
            return hue
    words = ", ".join(hue.word for hue in Hue)
    raise Invalid.of(field, _("%(field)s must be one of %(allowed)s."), allowed=words)


def next_hue(used: Iterable[int]) -> Hue:
    """Return the color for the next label or board: the first of those that are used least."""
    counts = Counter(used)
    return min(IN_TURN, key=lambda hue: counts[hue])


def palette() -> list[tuple[int, str]]:
    return [(hue.value, str(NAMES[hue])) for hue in Hue]
