"""Labels of Trello's boards. Older exports have them on the cards alone, and some of those without ids."""

from boards.losses import Loss
from boards.outlines import LabelOutline
from importer.formats.hues import NEUTRAL
from importer.formats.labels import Labels
from importer.formats.things import Thing
from importer.formats.trello_colors import label_hue
from importer.report import Report


class BoardLabels:
    """Collects the labels that the board describes (`add`) and those that its cards describe (`note`).

    `complete` adds what cards alone have, once the whole file is known.
    """

    def __init__(self, report: Report) -> None:
        self._report, self._labels = report, Labels(report)
        self._keys: dict[str, str] = {}  # of labels, by their looks
        self._noted: dict[str, tuple[str, str, str]] = {}  # color, name and place by key

    def __contains__(self, key: str) -> bool:
        return key in self._labels

    def add(self, one: Thing) -> None:
        self._add(key_of(one), one.key("color"), one.line("name"), one.where)

    def note(self, card: Thing) -> None:
        """Note the labels of a card. What is wrong with them is counted where the card is translated."""
        for one in Thing(card.value, card.where, Report()).things("labels"):
            if key := key_of(one):
                self._noted.setdefault(key, (one.key("color"), one.key("name"), one.where))

    def complete(self) -> None:
        for key, (color, name, where) in self._noted.items():
            if key not in self and key not in self._keys:
                self._report.find("labels")
                self._add(key, color, name, where)
        self._noted.clear()

    def of_card(self, card: Thing) -> list[str]:
        """Return the keys of the card's labels, each once. Those that nothing describes are counted."""
        found = dict.fromkeys(self._keys.get(key, key) for key in map(key_of, filter(None, card.things("labels"))))
        for key in card.keys("idLabels"):
            if key in self:
                found[key] = None
            else:
                self._report.lose(Loss.UNKNOWN_REFERENCE, card.at("idLabels"))
        return list(found)

    def all(self) -> list[LabelOutline]:
        return self._labels.all()

    def _add(self, key: str, color: str, name: str, where: str) -> None:
        hue, is_exact = label_hue(color)
        if not is_exact:
            self._report.lose(Loss.COLOR_CHANGED, f"{where}.color")
        self._labels.add(key, name, hue or NEUTRAL, where)
        self._keys.setdefault(_look(color, name), key)


def key_of(one: Thing) -> str:
    """Return the id of a label, or its color and name if it has none; "" if this is not a label."""
    return one.key("id") or (_look(one.key("color"), one.key("name")) if one else "")


def _look(color: str, name: str) -> str:
    return f"{color}/{name[:200]}"
