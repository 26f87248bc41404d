"""The table of the parts of a card is complete, and everything that needs it uses it."""

from django.apps import apps

from boards.models.base import BoardRow
from boards.models.card_parts import CARD_PARTS
from boards.reading import tiles
from exporter import streams

MODELS = {model for model in apps.get_models() if issubclass(model, BoardRow)}


def test_the_table_has_every_model_with_a_card_field():
    naming = {model for model in MODELS if any(field.name == "card" for field in model._meta.fields)}
    assert {part.model for part in CARD_PARTS} == naming


def test_a_part_that_refers_to_another_part_comes_after_it():
    seen = set()
    for part in CARD_PARTS:
        parents = {field.related_model for field in part.model._meta.fields if field.is_relation}
        assert not parents & ({other.model for other in CARD_PARTS} - seen - {part.model})
        seen.add(part.model)


def test_tiles_and_export_read_every_part():
    assert tiles.READ.keys() == {part.model for part in CARD_PARTS if part.on_tile}
    assert streams.OF_CARD.keys() == {part.model for part in CARD_PARTS}
