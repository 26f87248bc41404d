"""What hangs on a card is told in one table, and everything that must know it reads that table."""

from django.apps import apps

from boards.models.base import BoardRow
from boards.models.card_parts import CARD_PARTS
from boards.reading import tiles
from exporter import streams

MODELS = {model for model in apps.get_models() if issubclass(model, BoardRow)}


def test_the_table_has_every_kind_of_row_that_names_a_card():
    naming = {model for model in MODELS if any(field.name == "card" for field in model._meta.fields)}
    assert {part.model for part in CARD_PARTS} == naming


def test_a_kind_that_hangs_on_another_one_comes_after_it():
    seen = set()
    for part in CARD_PARTS:
        parents = {field.related_model for field in part.model._meta.fields if field.is_relation}
        assert not parents & ({other.model for other in CARD_PARTS} - seen - {part.model})
        seen.add(part.model)


def test_tiles_and_export_read_every_kind():
    assert tiles.READ.keys() == {part.model for part in CARD_PARTS if part.on_tile}
    assert streams.OF_CARD.keys() == {part.model for part in CARD_PARTS}
