"""The indexes of words find what reading every text finds, and SQLite's is kept and made anew."""

from collections.abc import Iterable
from random import Random
from uuid import UUID

import pytest
from django.db import connection

from accounts.models import User
from boards import word_index
from boards.actions.boards.board import create_board, delete_board
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.models import Card
from boards.reader import Reader
from boards.reading import search, search_index
from boards.reading.search import cursor_after, search_cards
from boards.reading.search_filters import Filters
from boards.reading.search_parts import words_nearby
from boards.reading.search_words import indexed_text, matching_text, titled, words_in
from boards.tests.rows import rows_where
from boards.word_index import TEXTS, has_word_index, keep_word_index
from conftest import web

LETTERS = "abABéÉßİıσςΣ会議資の한😀ｱＡ%_\\\"' \n"


@pytest.fixture
def add(olga, todo):
    return lambda title, **fields: create_card(actor=web(olga), list_id=todo.pk, title=title, **fields)


@pytest.fixture
def found(olga):
    def found(query: str, *, everywhere: bool = True) -> list[str]:
        cards = search_cards(Reader(olga), Filters(query, everywhere=everywhere), limit=50).cards
        return [card.title for card in cards]

    return found


@pytest.fixture
def indexed(db):
    """Skip where the database keeps no index of words by triggers."""
    if not has_word_index():
        pytest.skip("SQLite alone has it")


def a_text(randomly: Random, longest: int) -> str:
    return "".join(randomly.choices(LETTERS, k=randomly.randint(1, longest))).strip() or "x"


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("near, few", [(2, 2), (2, 2000), (300, 2000)])
def test_the_indexes_find_what_reading_every_text_finds(add, olga, ed, monkeypatch, near, few):
    monkeypatch.setattr(search, "NEAREST", near)
    monkeypatch.setattr(search_index, "FEW", few)
    randomly = Random(near)
    for _card in range(30):
        card = add(a_text(randomly, 30).replace("\n", " "))
        add_comment(actor=web(ed), card_id=card.pk, text=a_text(randomly, 30))
        checklist = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
        add_item(actor=web(olga), checklist_id=checklist.pk, text=a_text(randomly, 9).replace("\n", " "))
        if randomly.random() < 0.3:
            complete_card(actor=web(olga), card_id=card.pk)
    hits = 0
    for _query in range(20):
        query = " ".join(a_text(randomly, 4) for _word in range(randomly.randint(1, 2)))
        anywhere, in_text = rows_where(Card, words_nearby(query)), Card.objects.filter(matching_text(query))
        for everywhere, read in ((True, anywhere), (False, in_text)):
            filters = Filters(query, everywhere=everywhere)
            expected = [card.pk for card in newest_first(read)]
            for limit in (1, 50):
                page = search_cards(Reader(olga), filters, limit=limit)
                assert (query, [card.pk for card in page.cards]) == (query, expected[:limit])
                assert page.more == (len(expected) > limit)
            best = Filters(query, everywhere=everywhere, best_first=True)
            assert (query, all_pages(olga, best)) == (query, best_of(read, query))
        hits += len(expected)
    assert hits > 10


def all_pages(user: User, filters: Filters) -> list[UUID]:
    """Return the ids of all cards that a search finds, read in pages of seven."""
    page = search_cards(Reader(user), filters, limit=7)
    ids = [card.pk for card in page.cards]
    while page.more:
        page = search_cards(Reader(user), filters, limit=7, after=cursor_after(filters, page.cards[-1]))
        ids += [card.pk for card in page.cards]
    return ids


def newest_first(cards: Iterable[Card]) -> list[Card]:
    """Return cards without due dates in the order of a search: those that are not done first, then the newest."""
    newest = sorted(cards, key=lambda card: (card.created_at, card.pk), reverse=True)
    return sorted(newest, key=lambda card: card.completed_at is not None)


def best_of(cards: Iterable[Card], query: str) -> list[UUID]:
    """Return their ids: those with all words in the title first, then those that are not done, then the last changed."""

    def place(card: Card) -> tuple[bool, bool]:
        title = card.search_text.partition("\n")[0]
        return (not all(word in title for word in words_in(query)), card.completed_at is not None)

    newest = sorted(cards, key=lambda card: (card.updated_at, card.pk), reverse=True)
    return [card.pk for card in sorted(newest, key=place)]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("query", ["a" * 500, "議" * 300, '"' * 20, "NOT OR AND", "a* b^ {c}:", "議 料"])
def test_every_query_can_be_asked_for(add, found, query):
    add(query)
    assert found(query) == found(query, everywhere=False) == [query]


@pytest.mark.parametrize("query", ["会議 資料", "資料 会議", "会議 資料 ka"])
def test_several_short_words_are_found_wherever_each_of_them_is(add, found, olga, monkeypatch, query):
    monkeypatch.setattr(search, "NEAREST", 1)  # so that the sets of all cards are asked
    both = ["会議の資料 ka", "会議 ka", "資料 ka", "Both"]
    comments = {
        "会議 ka": "資料です",
        "資料 ka": "会議です",
        "Both": "資料と会議 ka",
        "会議 ka, alone": "予定です",
        "料資 議会 ka": "-",
    }
    for title in (*both[:1], *comments):
        card = add(title)
        if title in comments:
            add_comment(actor=web(olga), card_id=card.pk, text=comments[title])
    assert sorted(found(query)) == sorted(both)


def test_what_is_written_is_found_by_the_index_and_what_is_deleted_leaves_it(indexed, add, found, olga, ed):
    card = add("Zeppelin")
    comment = add_comment(actor=web(ed), card_id=card.pk, text="lighthouse")
    assert rows() == 2
    update_card(actor=web(olga), card_id=card.pk, title="Balloon")
    assert titles() == ["balloon\n"]
    assert (in_titles("zep"), in_titles("bal")) == (0, 1)
    edit_comment(actor=web(ed), comment_id=comment.pk, text="harbour")
    assert (in_index("zep"), in_index("lig"), in_index("bal"), in_index("har")) == (0, 0, 1, 1)
    assert found("balloon harbour") == ["Balloon"]
    delete_comment(actor=web(ed), comment_id=comment.pk)
    assert (rows(), in_index("har")) == (1, 0)


def test_a_deleted_board_leaves_nothing_in_the_index(indexed, olga):
    board = create_board(actor=web(olga), title="Garden", template="kanban")
    card = create_card(actor=web(olga), board_id=board.pk, title="Dig")
    add_comment(actor=web(olga), card_id=card.pk, text="deep")
    delete_board(actor=web(olga), board_id=board.pk)
    assert rows() == in_index("dig") == in_titles("dig") == in_index("dee") == 0
    assert titles() == []


def test_without_fts5_cards_are_written_and_found_and_the_index_comes_back(indexed, add, found, olga, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(word_index, "can_keep_words", lambda: False)
        keep_word_index()
        assert not has_word_index()
        card = add("Zeppelin")
        add_comment(actor=web(olga), card_id=card.pk, text="lighthouse 会議")
        assert found("zeppelin lighthouse") == found("議") == ["Zeppelin"]
        assert in_index("zep") == 0
    keep_word_index()
    assert has_word_index()
    assert (rows(), in_index("zep"), found("zeppelin lighthouse")) == (2, 1, ["Zeppelin"])


def test_an_index_whose_table_was_made_anew_is_made_anew_too(indexed, add, found):
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER boards_card_words_put")
    add("Zeppelin")
    assert found("zeppelin") == ["Zeppelin"]
    keep_word_index()
    assert (in_index("zep"), in_titles("zep"), found("zeppelin")) == (1, 1, ["Zeppelin"])


def test_an_index_of_an_older_version_is_made_anew(indexed, add):
    add("Zeppelin")
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER boards_card_words_put")
        cursor.execute("CREATE TRIGGER boards_card_words_put AFTER INSERT ON boards_card BEGIN SELECT 1; END")
        cursor.execute("DELETE FROM boards_wordsource")
    assert not has_word_index()
    keep_word_index()
    assert (has_word_index(), rows()) == (True, 1)


def test_titles_that_are_missing_are_read_without_the_other_texts(indexed, add):
    add("Zeppelin")
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER boards_card_title_put")
        cursor.execute("DROP TABLE boards_wordtitle")
        cursor.execute("DELETE FROM boards_wordsource")
    keep_word_index()
    assert (titles(), rows()) == (["zeppelin\n"], 0)


def test_an_index_that_is_whole_is_left_alone(indexed, add):
    add("Zeppelin")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM boards_wordsource")
    keep_word_index()
    assert rows() == 0


def test_tables_of_an_older_version_have_no_index(indexed, monkeypatch):
    monkeypatch.setattr(word_index, "TEXTS", TEXTS | {"boards_later": ("card_id", "text")})
    keep_word_index()
    assert not has_word_index()


def test_words_of_titles_are_not_looked_for_in_texts(indexed, add):
    add("Zeppelin", description="Lighthouse")
    add("Lighthouse", description="Zeppelin")
    assert [card.title for card in rows_where(Card, titled("zeppelin"))] == ["Zeppelin"]


def test_sqlite_searches_by_the_index(indexed):
    assert "VIRTUAL TABLE" in rows_where(Card, indexed_text("zeppelin")).explain()


def titles() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT title FROM boards_wordtitle")
        return [title for (title,) in cursor.fetchall()]


def rows() -> int:
    return one("SELECT count(*) FROM boards_wordsource")


def in_index(trigram: str) -> int:
    return one("SELECT count(*) FROM boards_words WHERE boards_words MATCH %s AND rowid > 0", f'"{trigram}"')


def in_titles(trigram: str) -> int:
    return one("SELECT count(*) FROM boards_words WHERE boards_words MATCH %s AND rowid < 0", f'"{trigram}"')


def one(sql: str, *params: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchone()[0]
