"""Labels of a board, each with a name of its own, as boards want it."""

from collections.abc import Iterator

from boards.colours import NAMES, Hue
from boards.losses import Loss
from boards.outlines import LabelOutline
from boards.text import LABEL
from importer.report import Report


class Labels:
    """Collects the labels of one board. `add` gives a nameless label the name of its color, and the second of a name a number."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._labels: dict[str, LabelOutline] = {}
        self._names: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last one that was tried, by wanted name

    def __contains__(self, key: str) -> bool:
        return key in self._labels

    def add(self, key: str, name: str, hue: Hue, where: str) -> None:
        wanted = name or str(NAMES[hue])
        free = self._free(wanted)
        if free != name:
            self._report.lose(Loss.LABEL_RENAMED, where)
        self._names.add(free)
        self._labels[key] = LabelOutline(key=key, name=free, hue=hue)

    def named(self, name: str, hue: Hue, where: str) -> str:
        """Return the key of the label with this name, which is made where it is the first. For sources that know names alone."""
        key = f"name:{name}"
        if key not in self:
            self.add(key, name, hue, where)
        return key

    def all(self) -> list[LabelOutline]:
        return list(self._labels.values())

    def __iter__(self) -> Iterator[LabelOutline]:
        return iter(self.all())

    def _free(self, wanted: str) -> str:
        first = name = wanted[:LABEL].strip()
        while name in self._names:
            number = self._numbers[first] = self._numbers.get(first, 1) + 1
            ending = f" {number}"
            name = wanted[: LABEL - len(ending)].strip() + ending
        return name
