"""Boards, and all that is on them, look in the API as in an export: the same names, colors, dates and forms."""

import json
from datetime import date
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from apiv1.tests.calls import token_of
from boards.actions.boards.board import update_board
from boards.actions.cards.card import update_card
from boards.colours import Hue
from boards.tests.world import World
from conftest import web

pytestmark = pytest.mark.django_db(transaction=True)

ELSEWHERE = {  # what only the export has there: the API has calls of their own for these, or none
    "board": {"background", "lists", "labels", "members"},
    "list": {"cards"},
    "card": {"recurrenceAnchor", "comments", "checklists", "attachments"},
}


@pytest.fixture
def world(settings, olga: User, ed: User, vera: User, stan: User) -> World:
    settings.LIMITS = None
    return World(olga, ed, vera, stan)


def same(kind: str, exported: list[dict[str, Any]], shown: list[dict[str, Any]]) -> None:
    """Hold that the API shows the same things with the same values in every field that the export has."""
    assert exported, kind
    names = exported[0].keys() - ELSEWHERE.get(kind, set())
    assert [{name: one[name] for name in names} for one in shown] == [
        {name: one[name] for name in names} for one in exported
    ], kind


def test_what_both_have_is_the_same(world, olga):
    due_day = date(2030, 5, 1)
    text = "**Bold**\n\n- [ ] tomatoes"
    fields = {"due_day": due_day, "recurrence": "weekly", "cover_hue": Hue.TEAL, "description": text}
    update_card(actor=web(olga), card_id=world.card.pk, **fields)
    update_board(actor=web(olga), board_id=world.board.pk, hue=Hue.GREEN)
    client = Client(headers={"Authorization": f"Bearer {token_of(olga)}"})

    def get(path: str) -> dict[str, Any]:
        return json.loads(b"".join(client.get(f"/api/{path}")))

    exported = next(one for one in get("export")["boards"] if one["id"] == str(world.board.pk))
    shown = get(f"v1/boards/{world.board.pk}")["board"]
    same("board", [exported], [shown])
    same("member", exported["members"], shown["members"])
    same("label", exported["labels"], shown["labels"])
    same("list", [row for row in exported["lists"] if not row["archivedAt"]], shown["lists"])
    cards = [card for row in exported["lists"] for card in row["cards"]]
    for card in cards:
        same("card", [card], [get(f"v1/cards/{card['id']}")["card"]])
    full = next(card for card in cards if card["id"] == str(world.card.pk))
    card = get(f"v1/cards/{full['id']}")["card"]
    same("checklist", full["checklists"], card["checklists"])
    same("attachment", full["attachments"], card["attachments"])
    same("comment", full["comments"], get(f"v1/cards/{full['id']}/comments")["comments"])
