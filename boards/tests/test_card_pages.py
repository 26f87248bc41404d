"""Pages of cards hold while others insert, move, archive and make room between cards."""

import random
from datetime import UTC, datetime, timedelta
from itertools import islice
from uuid import UUID

import pytest
from django.db.models import F
from django.utils import timezone

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, move_list
from boards.actions.ordering import GAP, TOP, Place, renumber
from boards.dates import timestamp
from boards.models import Board, Card, List
from boards.models.renumbering import Renumbering
from boards.reader import Reader
from boards.reading.card_pages import ORDERS, read_page
from boards.reading.card_rows import whole_card
from boards.reading.cards import timestamp_in
from boards.reading.search_filters import Filters
from conftest import web

IN_ORDER = {
    "board": ("board_id", "list__position", "position"),
    "due": (F("due_at").asc(nulls_last=True), "pk"),
    "created": ("-created_at", "-pk"),
    "updated": ("-updated_at", "-pk"),
}


def fill(todo, doing, olga, number):
    """Add so many cards to two lists, half to each."""
    now = timezone.now()
    cards = (
        Card(
            board_id=todo.board_id,
            list=(todo, doing)[place % 2],
            number=place + 1,
            position=(place // 2 + 1) * GAP,
            title=f"Card {place}",
            created_by=olga,
            created_at=now,
            updated_at=now,
        )
        for place in range(number)
    )
    while some := [*islice(cards, 1000)]:  # PostgreSQL ends a transaction in which nothing happens for ten seconds
        Card.objects.bulk_create(some)
    Board.objects.filter(pk=todo.board_id).update(last_card_number=number)


def ids_of(cards):
    return [UUID(card.id) for card in cards]


def read_all(board, olga, order, limit, between):
    """Return the ids of all pages; `between` is called between two of them."""
    ids, after = [], None
    while True:
        page = read_page(Reader(olga), Filters(board_id=board.pk), ORDERS[order], limit, after)
        ids += ids_of(page.cards)
        if page.place is None:
            return ids
        after = page.place
        between()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("order", ORDERS)
def test_cards_are_met_once_while_others_work(board, todo, doing, olga, ed, order):
    meet_every_card(board, todo, doing, olga, ed, order, 2_000)


def test_twenty_thousand_cards_are_met_once_while_others_work(many_examples, board, todo, doing, olga, ed):
    meet_every_card(board, todo, doing, olga, ed, "board", 20_000)


def meet_every_card(board, todo, doing, olga, ed, order, number):
    """Read all cards in pages, between which Ed creates, moves and archives some."""
    fill(todo, doing, olga, number)
    Card.objects.filter(number__lte=number / 2).update(due_at=timezone.now())
    chance = random.Random(25)
    moved: set = set()
    versions = dict(Card.objects.values_list("pk", "version"))
    every = list(versions)

    def work():
        for _time in range(2):
            first, second, third = chance.sample(every, 3)
            row = chance.choice([todo, doing]).pk
            neighbor = Card.objects.get(pk=first)
            if neighbor.archived_at is None:
                place = Place(chance.choice(["before", "after"]), first)
                create_card(actor=web(ed), list_id=neighbor.list_id, title="New", place=place)
            if Card.objects.get(pk=second).archived_at is None:
                move_card(actor=web(ed), card_id=second, list_id=row, place=chance.choice([TOP, Place("bottom")]))
            archive_card(actor=web(ed), card_id=third)
            moved.update((second, third))
        if chance.random() < 0.2:
            renumber(Card.objects.filter(list=chance.choice([todo, doing])), Board.objects.get(pk=board.pk).version)
            renumber(List.objects.filter(board=board), Board.objects.get(pk=board.pk).version)

    expected = list(_in_order(board, order))
    met = read_all(board, olga, order, number // 50, work)
    stayed = [pk for pk in met if pk in versions and pk not in moved]
    assert stayed == [pk for pk in expected if pk not in moved]
    if order == "created":
        assert len(met) == len(set(met))
    now = dict(Card.objects.filter(pk__in=every).values_list("pk", "version"))
    assert all(now[pk] == versions[pk] for pk in every if pk not in moved)
    assert Renumbering.objects.exists()


def _in_order(board, order):
    return Card.objects.filter(board=board).order_by(*IN_ORDER[order]).values_list("pk", flat=True)


def test_a_page_goes_on_where_room_was_made_at_its_end(board, todo, doing, olga, ed):
    fill(todo, doing, olga, 12)
    page = read_page(Reader(olga), Filters(list_id=todo.pk), ORDERS["board"], 3, None)
    last = page.cards[-1]
    neighbors = list(Card.objects.filter(list=todo).values_list("pk", flat=True))
    for _time in range(70):  # a gap is used up after 32
        create_card(actor=web(ed), list_id=todo.pk, title="New", place=Place("after", last.id))
    move_card(actor=web(ed), card_id=last.id, list_id=doing.pk)
    assert Renumbering.objects.count() >= 2
    following = read_page(Reader(olga), Filters(list_id=todo.pk), ORDERS["board"], 200, page.place)
    assert ids_of(card for card in following.cards if card.title != "New") == neighbors[3:]


def test_a_moved_list_hides_no_other(board, todo, doing, olga, ed):
    fill(todo, doing, olga, 8)
    third = create_list(actor=web(ed), board_id=board.pk, title="Third")
    card = create_card(actor=web(ed), list_id=third.pk, title="In the third")
    page = read_page(Reader(olga), Filters(board_id=board.pk), ORDERS["board"], 5, None)
    move_list(actor=web(ed), list_id=todo.pk, place=Place("bottom"))
    following = read_page(Reader(olga), Filters(board_id=board.pk), ORDERS["board"], 50, page.place)
    assert card.pk in ids_of(following.cards)


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("limit", [1, 3, 7, 50])
def test_pages_of_any_length_show_every_card_once_in_order(board, todo, doing, olga, order, limit):
    fill(todo, doing, olga, 14)
    for number, card in enumerate(Card.objects.all()[:9]):
        day = timezone.now().date().replace(day=1 + number % 3)
        update_card(actor=web(olga), card_id=card.pk, due_day=day)
    assert read_all(board, olga, order, limit, lambda: None) == list(_in_order(board, order))


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("of", ["board", "list", "all", "both"])
@pytest.mark.parametrize("name", ["olga", "vera", "stan", "bounded", "elsewhere"])
def test_a_first_page_has_the_first_open_cards_that_the_reader_can_see(
    board, todo, doing, olga, vera, stan, order, of, name
):
    fill(todo, doing, olga, 12)
    cards = list(Card.objects.order_by("number"))
    for place, card in enumerate(cards[:5]):
        update_card(actor=web(olga), card_id=card.pk, due_at=timezone.now() + timedelta(days=5 - place))
    archive_card(actor=web(olga), card_id=cards[6].pk)
    gone = create_list(actor=web(olga), board_id=board.pk, title="Gone")
    create_card(actor=web(olga), list_id=gone.pk, title="Archived with its list")
    archive_list(actor=web(olga), list_id=gone.pk)
    attic = create_board(actor=web(olga), title="Attic", template="kanban")
    create_card(actor=web(olga), board_id=attic.pk, title="On an archived board")
    archive_board(actor=web(olga), board_id=attic.pk)
    readers = {
        "olga": Reader(olga),
        "vera": Reader(vera),
        "stan": Reader(stan),
        "bounded": Reader(olga, boards=frozenset({board.pk})),
        "elsewhere": Reader(olga, boards=frozenset({attic.pk})),
    }
    filters = {
        "board": Filters(board_id=board.pk),
        "list": Filters(list_id=todo.pk),
        "all": Filters(),
        "both": Filters(board_id=attic.pk, list_id=todo.pk),
    }[of]
    page = read_page(readers[name], filters, ORDERS[order], 4, None)
    cards = Card.objects.visible_to(readers[name]).open_on_their_boards().order_by(*IN_ORDER[order])
    if of == "all":
        cards = cards.of_open_boards()
    parents = {"board": filters.board_id, "list": filters.list_id}
    cards = cards.filter(**{name: pk for name, pk in parents.items() if pk})
    assert ids_of(page.cards) == [card.pk for card in cards[:4]]
    assert bool(page.cards) == (of != "both" and name in ("olga", "vera", "bounded"))


def test_times_in_JSON_become_the_same_timestamps(olga, todo):
    start = datetime(2026, 12, 1, 9, 0, 10, tzinfo=UTC)
    times = [start, start.replace(microsecond=500_000), start.replace(microsecond=1), datetime(999, 1, 1, tzinfo=UTC)]
    made = create_card(actor=web(olga), list_id=todo.pk, title="Four times")
    names = ("due_at", "created_at", "updated_at", "completed_at")
    Card.objects.filter(pk=made.pk).update(**dict(zip(names, times, strict=True)))
    card = whole_card(Reader(olga), made.pk)
    assert [timestamp_in(getattr(card, name)) for name in names] == [timestamp(time) for time in times]
