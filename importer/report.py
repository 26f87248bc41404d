"""The report of an import: what it will make and what it cannot take, counted by kind, with the first places of each.

`things` counts the things that stand in the source, and `taken` those that are made of them, so that each loss shows.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from boards.losses import Loss
from boards.outlines import CardOutline

PLACES = 20  # kept of each kind; all are counted
KINDS = ("boards", "lists", "cards", "labels", "checklists", "items", "comments", "files")


@dataclass
class Report:
    """Filled by the format that reads the source, then kept as JSON."""

    counts: Counter[Loss] = field(default_factory=Counter)
    places: dict[Loss, list[str]] = field(default_factory=dict)
    things: Counter[str] = field(default_factory=Counter)  # of the source, by kind
    kept: Counter[str] = field(default_factory=Counter)  # of those, what comes in another form: a link as text

    def find(self, kind: str, number: int = 1) -> None:
        """Count things that the source has, of one of KINDS."""
        self.things[kind] += number

    def find_card(self, card: CardOutline) -> None:
        """Count a card with its parts. For sources that have no rows of their own for them."""
        self.find("cards")
        self.find("checklists", len(card.checklists))
        self.find("items", sum(len(checklist.items) for checklist in card.checklists))
        self.find("comments", len(card.comments))
        self.find("files", len(card.files))

    def keep(self, kind: str) -> None:
        """Count a thing that is taken, but in another form."""
        self.kept[kind] += 1

    def taken(self, made: Mapping[str, int]) -> dict[str, int]:
        """Return how many things there are in the file, and how many of them are taken, by how many of each kind are made."""
        kept = self.kept + Counter(files=self.counts[Loss.FILE_LINKED])
        taken = sum(min(number, made.get(kind, 0) + kept[kind]) for kind, number in self.things.items())
        return {"all": self.things.total() + self.counts[Loss.UNKNOWN_ROWS], "taken": taken}

    def lose(self, loss: Loss, where: str, number: int = 1) -> None:
        """Count a loss. `where` says where the source has it, for people: "line 12", "cards[3].due"."""
        self.counts[loss] += number
        places = self.places.setdefault(loss, [])
        if len(places) < PLACES:
            places.append(where[:200])

    def add(self, other: "Report") -> None:
        """Count what another one has counted."""
        self.counts.update(other.counts)
        for loss, places in other.places.items():
            self.places[loss] = [*self.places.get(loss, []), *places][:PLACES]

    def as_json(self) -> list[dict[str, Any]]:
        return [{"loss": str(loss), "count": self.counts[loss], "places": self.places[loss]} for loss in self.counts]
