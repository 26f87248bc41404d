"""The names of the labels and of the assignees of cards, read by the statement that reads the cards."""

from typing import Any

from django.db.models import JSONField, OuterRef, Subquery
from django.db.models.functions import JSONArray

from boards.models import Assignment, Card, CardLabel
from boards.models.card import CardQuerySet
from core.people import display_name


class Gathered(Subquery):
    """The rows of a subquery, whose one column is called `named` and holds JSON, as one JSON array in their order."""

    output_field = JSONField()
    template = "(SELECT COALESCE(jsonb_agg(named), '[]') FROM (%(subquery)s) rows_of_one)"
    for_sqlite = "(SELECT json_group_array(json(named)) FROM (%(subquery)s) rows_of_one)"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template=self.for_sqlite, **extra)


LABELS = (
    CardLabel.objects.filter(card=OuterRef("pk"))
    .order_by("label__created_at", "label")
    .values(named=JSONArray("label__name"))
)
PEOPLE = (
    Assignment.objects.filter(card=OuterRef("pk")).order_by("pk").values(named=JSONArray("user__name", "user__email"))
)


def with_names(cards: CardQuerySet) -> CardQuerySet:
    """Add to each card what `label_names` and `assignee_names` read."""
    return cards.annotate(label_rows=Gathered(LABELS), assignee_rows=Gathered(PEOPLE))


def label_names(card: Card) -> list[str]:
    return [name for (name,) in card.label_rows]  # type: ignore[attr-defined]


def assignee_names(card: Card) -> list[str]:
    return [display_name(name, email) for name, email in card.assignee_rows]  # type: ignore[attr-defined]
