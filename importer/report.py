"""What an import will make, and what it cannot take: counted by kind, with the first places of each. Nothing is silent."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from boards.outlines import Loss

__all__ = ["Loss", "Report"]

PLACES = 20  # kept of each kind; all are counted


@dataclass
class Report:
    """Filled by whoever reads the source, then kept as JSON."""

    counts: Counter[Loss] = field(default_factory=Counter)
    places: dict[Loss, list[str]] = field(default_factory=dict)

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
