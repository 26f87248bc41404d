"""Every call takes as many SQL statements on a board with two more of each thing as on one with two hundred."""

from dataclasses import replace

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from uuid_utils.compat import uuid7

from accounts.models import User
from apiv1.tests.every_call import CALLS
from apiv1.tests.test_every_call import client_of, send, world
from boards.models import Assignment, Board, Card, CardLabel, Checklist, ChecklistItem, Comment, Label, List, Membership
from boards.tests.world import World, taken_back

__all__ = ["world"]

# A card whose labels and people are replaced has a change for each that differs
SAME = [
    replace(call, body=lambda w: {"title": "New"}) if call.name == "PATCH /api/v1/cards/{card_id}" else call
    for call in CALLS
]
NUMBERED = 100  # and more: positions and numbers that no row of the world has


def fill(world: World, number: int) -> None:
    """Add so many of each thing to the board and the card that calls are about: 90 checklists at most, as a card can have 100."""
    board, card = {"board": world.board}, {"board": world.board, "card": world.card}
    places = range(NUMBERED, NUMBERED + number)
    people = User.objects.bulk_create(User(email=f"{uuid7()}@example.com", plan=world.olga.plan) for _place in places)
    labels = Label.objects.bulk_create(Label(**board, name=str(uuid7()), hue=1) for _place in places)
    Membership.objects.bulk_create(Membership(**board, user=one, role="viewer") for one in people)
    Assignment.objects.bulk_create(Assignment(**card, user=one) for one in people)
    CardLabel.objects.bulk_create(CardLabel(**card, label=label) for label in labels)
    List.objects.bulk_create(List(**board, title="List", position=place) for place in places)
    cards = Card.objects.bulk_create(
        Card(**board, list=world.todo, number=place, position=place, title="Card", created_by=world.olga)
        for place in places
    )
    CardLabel.objects.bulk_create(CardLabel(**board, card=one, label=world.bug) for one in cards)
    Comment.objects.bulk_create(Comment(**card, author=one, body="Words") for one in people)
    Checklist.objects.bulk_create(Checklist(**card, title="List", position=place) for place in places[:90])
    ChecklistItem.objects.bulk_create(
        ChecklistItem(**card, checklist=world.steps, text="Item", position=place) for place in places
    )
    Board.objects.filter(pk=world.board.pk).update(last_card_number=NUMBERED + number)


def statements_of_calls(world: World, client: Client) -> dict[str, int]:
    found = {}
    for call in SAME:
        with taken_back(), CaptureQueriesContext(connection) as queries:
            answer = send(call, world, client)
            if answer.streaming:
                list(answer.streaming_content)
            assert answer.status_code < 300, call.name
        found[call.name] = len([query for query in queries if "SAVEPOINT" not in query["sql"]])
    return found


def test_each_call_takes_as_many_statements_however_much_is_there(world):
    client = client_of("owner", world)
    with taken_back():
        fill(world, 2)
        few = statements_of_calls(world, client)
    fill(world, 200)
    assert statements_of_calls(world, client) == few
