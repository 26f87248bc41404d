"""The search: what is found, in which order, and page by page."""

import base64
import json
from datetime import UTC, datetime, timedelta
from itertools import product
from math import ceil

import pytest
from django.db import connection

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list
from boards.actions.ordering import TOP
from boards.errors import Invalid
from boards.models import Card
from boards.reader import Reader
from boards.reading import search
from boards.reading.search import count_few, cursor_after, search_cards
from boards.reading.search_filters import Filters
from boards.reading.search_parts import words_anywhere
from boards.reading.search_words import titled
from boards.tests.rows import rows_where
from conftest import web

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def add(olga, todo):
    def add(title: str, **fields: object) -> Card:
        return create_card(actor=web(olga), list_id=fields.pop("list_id", todo.pk), title=title, **fields)

    return add


@pytest.fixture
def found(olga):
    def found(query: str = "", user=olga, **filters: object) -> list[str]:
        return [card.title for card in search_cards(Reader(user), Filters(query, **filters), limit=50).cards]

    return found


# What is found


def test_every_word_must_occur_in_any_order(add, found):
    add("Paint the fence")
    add("Paint the door")
    assert found("fence paint") == ["Paint the fence"]
    assert found("paint window") == []


def test_title_and_description_are_searched_together(add, found):
    add("Order paint", description="For the **fence**, two buckets")
    assert found("paint fence") == ["Order paint"]
    assert found("buckets") == ["Order paint"]


def test_parts_of_words_are_found(add, found):
    add("Donaudampfschifffahrt")
    assert found("dampf") == ["Donaudampfschifffahrt"]


@pytest.mark.parametrize(
    "title, query",
    [
        ("Straße", "STRASSE"),
        ("STRASSE", "straße"),
        ("ＡＢＣ", "abc"),
        ("abc", "ＡＢＣ"),
        ("Iğdır", "iğdir"),
        ("e\u0301te\u0301", "été"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("会議の資料", "資料"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("Überfällig 😀", "😀"),
    ],
)
def test_words_are_found_in_any_case_and_language(add, found, title, query):
    card = add(title)
    assert found(query) == [card.title]


@pytest.mark.parametrize("query", ["100%", "a_b", "c:\\d", "it's", "50%;", "--"])
def test_punctuation_is_searched_literally(add, found, query):
    add(f"has {query} in it")
    add("has 100 aXb c:d its quoted 50")
    assert found(query) == [f"has {query} in it"]


@pytest.mark.parametrize(
    "query", ["fence, paint", "paint,fence", "Paint,", ", fence ,", "FENCE，paint", "fence、paint"]
)
def test_commas_part_words(add, found, query):
    add("Paint the fence")
    add("Plant trees")
    assert found(query) == ["Paint the fence"]


@pytest.mark.parametrize("query", ['"paint fence"', "“fence paint”", "«fence»", "„paint“"])
def test_quotation_marks_part_words(add, found, query):
    add("Paint the fence")
    add("Plant trees")
    assert found(query) == ["Paint the fence"]


@pytest.mark.parametrize("query", ["1,5", "1,5,", "１，５", ","])
def test_a_comma_in_a_number_or_alone_is_searched_literally(add, found, query):
    add("Buy 1,5 m")
    add("Buy 1 or 5")
    assert found(query) == ["Buy 1,5 m"]


def test_without_words_everything_is_found(add, found):
    add("One")
    assert found("") == found("  \n ") == ["One"]


def test_a_renamed_card_is_found_by_its_new_words_only(add, found, olga):
    card = add("Before")
    update_card(actor=web(olga), card_id=card.pk, title="After", description="rewritten")
    assert (found("before"), found("after rewritten")) == ([], ["After"])


def test_archived_cards_lists_and_boards_are_left_out(add, found, olga, board, todo, doing):
    archive_card(actor=web(olga), card_id=add("Archived itself").pk)
    add("In an archived list", list_id=doing.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    gone = create_board(actor=web(olga), title="Gone", template="kanban")
    create_card(actor=web(olga), board_id=gone.pk, title="On an archived board")
    archive_board(actor=web(olga), board_id=gone.pk)
    add("There")
    assert found("") == ["There"]


def test_strangers_find_nothing_with_any_filter(add, found, stan, board, todo):
    add("Secret plan")
    for filters in ({}, {"board_id": board.pk}, {"list_id": todo.pk}, {"board_id": board.pk, "list_id": todo.pk}):
        assert found("secret", user=stan, **filters) == []


def test_members_of_every_role_find_a_card_once(add, found, ed, vera):
    add("Plan")
    assert found("plan", user=ed) == found("plan", user=vera) == ["Plan"]


def test_board_and_list_narrow_the_search(add, found, olga, board, todo, doing):
    add("Here")
    add("There", list_id=doing.pk)
    other = create_board(actor=web(olga), title="Other", template="kanban")
    create_card(actor=web(olga), board_id=other.pk, title="Elsewhere")
    assert set(found(board_id=board.pk)) == {"Here", "There"}
    assert found(list_id=doing.pk) == ["There"]
    assert found(board_id=other.pk, list_id=doing.pk) == []


def test_done_narrows_the_search(add, found, olga):
    add("Open")
    complete_card(actor=web(olga), card_id=add("Done").pk)
    assert (found(done=False), found(done=True), found(done=None)) == (["Open"], ["Done"], ["Open", "Done"])


def test_due_dates_are_exclusive_and_leave_out_cards_without_one(add, found):
    add("At noon", due_at=NOON)
    add("Never")
    second = timedelta(seconds=1)
    assert found(due_before=NOON) == found(due_after=NOON) == []
    assert found(due_before=NOON + second) == found(due_after=NOON - second) == ["At noon"]


@pytest.mark.parametrize("query", ["#2", " #2\n", "＃２", "#02"])
def test_a_number_finds_the_cards_with_it_and_no_texts(add, found, olga, query):
    add("About #2")
    add("Second")
    other = create_board(actor=web(olga), title="Other", template="kanban")
    for title in ("Elsewhere", "Second elsewhere"):
        create_card(actor=web(olga), board_id=other.pk, title=title)
    assert set(found(query)) == {"Second", "Second elsewhere"}


@pytest.mark.parametrize("query", ["about #2", "2", "#2.", "#9999999999"])
def test_a_number_among_words_is_searched_literally(add, found, query):
    add("About #2. And #9999999999")
    add("Second")
    assert found(query) == ["About #2. And #9999999999"]


def test_assignees_and_labels_narrow_the_search(add, found, olga, ed, board):
    by_olga = web(olga)
    cards = {title: add(title) for title in ("Ed's", "Both's", "Nobody's")}
    for title, people in {"Ed's": [ed], "Both's": [olga, ed]}.items():
        for user in people:
            assign(actor=by_olga, card_id=cards[title].pk, user_id=user.pk)
    labels = [create_label(actor=by_olga, board_id=board.pk, name=name) for name in ("Bug", "Chore", "Unused")]
    for label in labels[:2]:
        add_label(actor=by_olga, card_id=cards["Both's"].pk, label_id=label.pk)
    assert found(assignee_ids=(ed.pk,)) == found(assignee_ids=(ed.pk, olga.pk)) == ["Both's", "Ed's"]
    assert found(assignee_ids=(olga.pk,)) == ["Both's"]
    assert found(label_ids=(labels[0].pk, labels[1].pk)) == ["Both's"]
    assert found(label_ids=(labels[2].pk,)) == found(assignee_ids=()) == []
    assert found(assignee_ids=(ed.pk,), label_ids=(labels[0].pk,)) == ["Both's"]


# In which order


def test_open_cards_come_first_then_by_due_date_then_newest(add, found, olga):
    for title, due in [("a", None), ("b", NOON), ("c", NOON - timedelta(days=1)), ("d", None), ("e", NOON)]:
        add(title, due_at=due)
    for title, due in [("f", NOON - timedelta(days=9)), ("g", None)]:
        complete_card(actor=web(olga), card_id=add(title, due_at=due).pk)
    assert found() == ["c", "e", "b", "d", "a", "f", "g"]


@pytest.fixture
def many(add, olga) -> list[str]:
    """Cards for every case of the order: open and done, with one date, another and none, some created at one time."""
    for number, (done, due) in enumerate(product((False, True), (NOON, NOON + timedelta(days=1), None))):
        for place in range(3):
            card = add(f"{number}.{place}", due_at=due)
            if done:
                complete_card(actor=web(olga), card_id=card.pk)
    Card.objects.filter(title__endswith=".1").update(created_at=NOON)
    Card.objects.filter(title__endswith=".2").update(created_at=NOON)
    return [card.title for card in search_cards(Reader(olga), Filters(), limit=50).cards]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 7, 17, 18, 19])
def test_pages_bring_every_card_once_and_in_order(many, olga, limit):
    seen, after = [], None
    for _page in range(ceil(18 / limit)):
        page = search_cards(Reader(olga), Filters(), limit=limit, after=after)
        seen += [card.title for card in page.cards]
        assert len(page.cards) == limit or not page.more
        after = cursor_after(Filters(), page.cards[-1])
    assert not page.more
    assert seen == many
    assert len(many) == 18


def test_a_page_can_begin_after_any_card(many, olga):
    cards = search_cards(Reader(olga), Filters(), limit=50).cards
    for place, card in enumerate(cards):
        rest = search_cards(Reader(olga), Filters(), limit=50, after=cursor_after(Filters(), card)).cards
        assert [one.title for one in rest] == many[place + 1 :]


def test_nothing_follows_a_page_whose_cards_are_deleted_meanwhile(many, olga, monkeypatch):
    monkeypatch.setattr(search, "cards_with_names", lambda ids: {})
    assert search_cards(Reader(olga), Filters(), limit=2) == ([], False)


def test_cards_added_between_two_pages_shift_nothing(many, olga, add):
    first = search_cards(Reader(olga), Filters(), limit=9).cards
    add("New and first", due_at=NOON - timedelta(days=30))
    rest = search_cards(Reader(olga), Filters(), limit=50, after=cursor_after(Filters(), first[-1])).cards
    assert [card.title for card in [*first, *rest]] == many


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_as_on_the_boards_bring_every_card_once_from_the_top(add, olga, todo, doing, limit):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    create_card(actor=web(olga), board_id=other.pk, title="g")
    for title, row in {"d": doing, "b": todo, "e": doing, "c": todo, "f": doing, "a": todo}.items():
        add(title, list_id=row.pk)
    move_card(actor=web(olga), card_id=Card.objects.get(title="a").pk, place=TOP)
    filters, seen, after, more = Filters(as_on_boards=True), [], None, True
    while more:
        page, more = search_cards(Reader(olga), filters, limit=limit, after=after)
        seen += [card.title for card in page]
        after = cursor_after(filters, page[-1])
    assert seen == list("abcdefg")


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("limit", [1, 2, 3, 9])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "straße plan",
            ["new PLAN STRASSE", "Plan der Straße", "done plan strasse", "text straße", "done text straße"],
        ),
        ("", ["text straße", "new PLAN STRASSE", "Plan der Straße", "done text straße", "done plan strasse"]),
    ],
)
def test_pages_by_relevance_bring_every_card_once_the_best_match_first(add, olga, query, expected, limit):
    for title in ("Plan der Straße", "done plan strasse", "done text straße", "new PLAN STRASSE", "text straße"):
        card = add(title, description="Plan" if "text" in title else "")
        if "done" in title:
            complete_card(actor=web(olga), card_id=card.pk)
    filters, seen, after, more = Filters(query, best_first=True), [], None, True
    while more:
        page, more = search_cards(Reader(olga), filters, limit=limit, after=after)
        seen += [card.title for card in page]
        after = cursor_after(filters, page[-1])
    assert seen == expected


# What is refused


def edited(cursor: str) -> str:
    place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    place[2] = "0001-01-01T00:00:00+23:59"
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


@pytest.mark.parametrize("cursor", ["", "x", "é", "{}", "W10", "bnVsbA", "A" * 5000, "=", "\0"])
def test_a_forged_cursor_is_refused_with_what_to_do(olga, cursor):
    with pytest.raises(Invalid, match="without cursor"):
        search_cards(Reader(olga), Filters(), limit=5, after=cursor)


def test_a_cursor_is_valid_only_for_its_filters_and_cannot_be_edited(add, olga):
    cursor = cursor_after(Filters("a"), add("a"))
    assert search_cards(Reader(olga), Filters("a"), limit=5, after=cursor).cards == []
    others = (Filters("b"), Filters("a", done=True), Filters("a", as_on_boards=True), Filters("a", label_ids=()))
    others += (Filters("a", best_first=True),)
    for filters, used in [*((one, cursor) for one in others), (Filters("a"), edited(cursor))]:
        with pytest.raises(Invalid, match="without cursor"):
            search_cards(Reader(olga), filters, limit=5, after=used)


@pytest.mark.parametrize("query", ["x" * 501, " ".join(str(number) for number in range(100, 121))])
def test_a_query_that_is_too_long_or_has_too_many_words_is_refused(olga, query):
    with pytest.raises(Invalid, match="at most"):
        search_cards(Reader(olga), Filters(query), limit=5)


def test_a_query_of_the_maximum_number_of_words_is_accepted(olga):
    search_cards(Reader(olga), Filters(" ".join(str(number) for number in range(100, 120))), limit=5)


# What it costs


def test_a_search_takes_two_statements_or_three_if_the_next_open_cards_are_not_enough(
    many, olga, django_assert_num_queries
):
    for limit, statements in ((1, 2), (50, 3)):
        with django_assert_num_queries(statements):
            search_cards(Reader(olga), Filters("0"), limit=limit)


def test_cards_of_others_are_not_among_the_next_open_ones(add, olga, stan, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(search, "NEAREST", 2)
    add("Zeppelin")
    add("Zeppelin")
    row = create_list(actor=web(stan), board_id=create_board(actor=web(stan), title="Own").pk, title="Own")
    for _card in range(3):
        create_card(actor=web(stan), list_id=row.pk, title="Zeppelin")
    with django_assert_num_queries(2):
        assert len(search_cards(Reader(olga), Filters("zeppelin"), limit=1).cards) == 1


def test_many_cards_of_an_archived_board_are_not_read_to_count_them(add, olga, board, monkeypatch):
    monkeypatch.setattr(search, "FARTHEST", 2)
    for _card in range(3):
        add("Zeppelin")
    archive_board(actor=web(olga), board_id=board.pk)
    assert count_few(Reader(olga), Filters("zeppelin", board_id=board.pk), most=9) is None


@pytest.mark.usefixtures("services")
def test_postgresql_uses_the_trigram_index(add):
    add("Zeppelin")
    words = Card.objects.filter(search_text__contains="zeppelin")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "card_by_trigrams" in words.explain()


@pytest.mark.usefixtures("services")
def test_postgresql_finds_titles_by_their_index(add):
    add("Zeppelin")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
    assert "card_by_title" in rows_where(Card, titled("zeppelin report")).explain()


@pytest.mark.usefixtures("services")
@pytest.mark.parametrize("query", ["会議", "pc 会議", "会議 tv", "ab 会議 cd"])
def test_postgresql_is_asked_for_words_of_signs_as_its_index_has_them_also_beside_short_latin_ones(olga, query):
    assert "REGEXP_REPLACE" in words_anywhere(Reader(olga), query).sql
