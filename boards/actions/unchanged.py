"""UNCHANGED stands for a text that a change leaves as it is, where None is refused."""

from enum import Enum
from typing import Final


class Unchanged(Enum):
    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED
