"""The first line of a description, which tiles show without reading descriptions."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from boards.actions.boards.copies import copy_card
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.models import Card
from boards.reading.tiles import tiles
from boards.recurrence import Recurrence
from conftest import web

TEXTS = {
    "One line.\n\nAnother.": "One line.",
    "# A **bold** heading\n\nText": "A bold heading",
    "```\n\nfirst line\n```": "first line",
    "- [ ] a box\n- [x] another": "a box",
    "": "",
    "x" * 81: "x" * 79 + "…",
    "x" * 80: "x" * 80,
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_tile_has_the_first_line_of_the_description(todo, ed, text):
    card = create_card(actor=web(ed), list_id=todo.pk, title="A card", description=text)
    [tile] = tiles(Card.objects.filter(pk=card.pk))
    assert tile.excerpt == TEXTS[text]


def test_the_excerpt_follows_the_description(card, ed):
    for text, excerpt in (("New words", "New words"), ("", "")):
        update_card(actor=web(ed), card_id=card.pk, description=text)
        assert Card.objects.get(pk=card.pk).excerpt == excerpt


def test_the_next_occurrence_has_the_excerpt_too(todo, ed):
    due_date = timezone.now() + timedelta(days=1)
    card = create_card(actor=web(ed), list_id=todo.pk, title="A card", description="Words", due_at=due_date)
    update_card(actor=web(ed), card_id=card.pk, recurrence=Recurrence.WEEKLY)
    _archived, following = archive_card(actor=web(ed), card_id=card.pk)
    assert Card.objects.get(pk=following.pk).excerpt == "Words"


@pytest.mark.parametrize("text", TEXTS)
def test_the_migration_gives_old_cards_the_same_excerpt(todo, ed, text):
    card = create_card(actor=web(ed), list_id=todo.pk, title="A card", description=text)
    Card.objects.update(excerpt="")
    import_module("boards.migrations.0014_excerpts").fill(apps, None)
    assert Card.objects.get(pk=card.pk).excerpt == TEXTS[text]


def test_a_copy_of_a_card_has_the_excerpt_too(card, ed):
    update_card(actor=web(ed), card_id=card.pk, description="Words")
    copied = copy_card(actor=web(ed), card_id=card.pk)
    assert Card.objects.get(pk=copied.pk).excerpt == "Words"
