"""The page of a board: its lists, quick add, and its fragments."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

import boards.reading.tiles
from accounts.models import User
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list, create_list, move_list
from boards.actions.ordering import TOP
from boards.models import Board, Card, List
from boards.reader import MEMBERS
from boards.reading.pending import with_shared
from boards.reading.tiles import tiles, tiles_of
from boards.statements import read_last_change, read_members
from boards.tests.filled_card import filled_card
from conftest import run_jobs, web
from core.limits.turns import Turns
from notifications.models import Unseen
from web.boards import large
from web.fragments import render_board_head, render_list, render_members, render_tile
from web.tests.browsing import SCRIPTED, browser, text_of


def tile(card):
    [found] = tiles(Card.objects.filter(pk=card.pk))
    return render_tile(found)


def classes_of_due(html):
    return re.search(r'class="fact due ?([a-z]*)"', html)[1]


def test_lists_and_cards_are_shown_in_their_order(olga, board, todo, doing, card):
    create_card(actor=web(olga), list_id=todo.pk, title="Second card")
    move_list(actor=web(olga), list_id=doing.pk, place=TOP)
    page = text_of(browser(olga).get(f"/board/{board.pk}"))
    places = [page.index(words) for words in ("Doing", "To do", "Write the announcement", "Second card")]
    assert places == sorted(places)


def test_archived_lists_and_cards_are_not_on_the_board(olga, board, todo, doing, card):
    create_card(actor=web(olga), list_id=doing.pk, title="Goes with its list")
    archive_card(actor=web(olga), card_id=card.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    page = browser(olga).get(f"/board/{board.pk}").content.decode()
    assert "Write the announcement" not in page
    assert "Goes with its list" not in page
    assert f"list-{doing.pk}" not in page


def test_a_tile_shows_what_is_set(olga, ed, board, todo):
    card = filled_card(olga, ed, todo, "All of it")
    html = tile(card)
    assert "Bug of All of it" in html
    assert f"#{card.number}" in html
    assert "1/4" in html
    assert "Weekly" in html
    assert 'aria-label="Olga"' in html
    assert re.search(r"Comments</span>2<", html)


def test_a_tile_shows_nothing_that_is_not_set(card):
    html = tile(card)
    for word in ("due", "label", "avatar", "Comments", "Checklists", "Done"):
        assert word not in html


def test_a_title_is_shown_as_text_whatever_it_contains(olga, todo):
    card = create_card(actor=web(olga), list_id=todo.pk, title='<img src=x onerror="alert(1)">')
    add_label(
        actor=web(olga), card_id=card.pk, label_id=create_label(actor=web(olga), board_id=card.board_id, name="<b>").pk
    )
    html = tile(card)
    assert "<img" not in html
    assert "<b>" not in html
    page = browser(olga).get(card.get_absolute_url()).content.decode()
    assert "<img" not in page


@pytest.mark.parametrize("hours, state", [(25, ""), (23, "soon"), (0.01, "soon"), (-0.01, "late"), (-1000, "late")])
def test_a_due_date_is_neutral_soon_or_overdue(olga, todo, hours, state):
    due = timezone.now() + timedelta(hours=hours)
    card = create_card(actor=web(olga), list_id=todo.pk, title="Card", due_at=due)
    assert classes_of_due(tile(card)) == state


def test_a_done_card_is_never_overdue(olga, todo):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Card", due_at=datetime(2020, 1, 1, tzinfo=UTC))
    complete_card(actor=web(olga), card_id=card.pk)
    assert classes_of_due(tile(card)) == "met"
    assert "card done" in tile(card)


def test_a_done_card_without_date_has_a_mark(olga, card):
    complete_card(actor=web(olga), card_id=card.pk)
    assert "Done" in tile(card)


@pytest.mark.parametrize("few, expected", [(10, 13), (1, 18)])
def test_the_board_takes_as_many_statements_for_two_cards_as_for_six(
    olga, ed, board, todo, doing, monkeypatch, few, expected
):
    monkeypatch.setattr(boards.reading.tiles, "FEW", few)
    client = browser(olga)

    def statements():
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert client.get(f"/board/{board.pk}").status_code == 200
        return len(found)

    def opened_twice():
        """The first time there is something new, which is forgotten."""
        run_jobs()
        return statements(), statements()

    for title in ("One", "Two"):
        filled_card(ed, olga, todo, title)
    before = opened_twice()
    for title in ("Three", "Four", "Five", "Six"):
        filled_card(ed, olga, doing, title)
    create_list(actor=web(olga), board_id=board.pk, title="Third list")
    assert before == (expected, 9)  # the lists are kept; what the reader keeps for themselves is not
    assert opened_twice() == (expected + 1, 9)  # one more: whether what was kept is of the same history


@pytest.mark.parametrize("headers", [{}, {"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}])
def test_only_who_opens_the_board_has_seen_what_is_new(ed, vera, board, headers):
    Unseen.objects.create(user=ed, board=board, count=3)
    ask = browser(ed).get if headers else browser(ed).head
    assert ask(f"/board/{board.pk}", headers=headers).status_code == 200
    assert browser(vera).get(f"/board/{board.pk}").status_code == 200
    assert Unseen.objects.get(user=ed).count == 3
    browser(ed).get(f"/board/{board.pk}")
    assert Unseen.objects.get(user=ed).count == 0


def test_tiles_of_few_cards_are_those_of_many(olga, ed, board, todo, doing, card):
    full, other, gone = (filled_card(olga, ed, row, title) for row, title in ((todo, "A"), (doing, "B"), (todo, "C")))
    archive_card(actor=web(olga), card_id=gone.pk)
    ids = [other.pk, gone.pk, card.pk, full.pk]
    few, many = tiles_of(ids), tiles(Card.objects.filter(pk__in=ids))
    assert [tile.pk for tile in few] == [card.pk, full.pk, other.pk]
    assert few == many
    assert [render_tile(tile) for tile in few] == [render_tile(tile) for tile in many]


def test_the_editor_has_a_button_for_pictures_not_for_pictures_of_people(ed, board):
    User.objects.filter(pk=ed.pk).update(language="ja")
    page = browser(ed).get(f"/board/{board.pk}").text
    assert re.search(r'data-do="image"\s+aria-label="画像"', page)


def test_fragments_hold_no_role_person_zone_or_token(olga, ed, vera, board, todo):
    """All readers get the same fragments, so each reader's page contains exactly these."""
    filled_card(olga, ed, todo, "Card")
    with translation.override("en"):
        rows = tiles(Card.objects.filter(board=board))
        parts = [
            render_board_head(with_shared(board.pk), MEMBERS),
            render_members(read_members(board.pk)),
            render_list(List.objects.get(pk=todo.pk), [render_tile(row) for row in rows], view=MEMBERS),
        ]
    vera.time_zone = "Asia/Tokyo"
    vera.save()
    for reader in (olga, vera):
        page = browser(reader).get(f"/board/{board.pk}").content.decode()
        for part in parts:
            assert part in page
    assert "csrf" not in "".join(parts)


def test_a_page_names_its_reader_and_its_version(vera, board):
    page = browser(vera).get(f"/board/{board.pk}").content.decode()
    for part in (
        f'data-board="{board.pk}"',
        f'data-version="{board.version}"',
        f'data-change="{read_last_change(board)}"',
        'data-role="viewer"',
        f'data-user="{vera.pk}"',
        'data-zone="UTC"',
    ):
        assert part in page


def test_quick_add_by_form_redirects_to_the_new_card(ed, board, todo):
    answer = browser(ed).post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": "Fresh", "new-other": "Not this"})
    card = Card.objects.get()
    assert (card.title, card.list_id, card.created_by) == ("Fresh", todo.pk, ed)
    assert answer.url == f"/board/{board.pk}#card-{card.pk}"


def test_quick_add_by_script_returns_the_tile(ed, todo):
    answer = browser(ed).post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": "Fresh"}, **SCRIPTED)
    assert answer.content.decode() == tile(Card.objects.get())
    assert answer.headers["X-Answer"] == "fragments"


def test_caches_keep_fragments_apart_from_the_page_at_the_same_address(ed, board, todo, card):
    client = browser(ed)
    answers = [
        client.get(f"/card/{card.pk}", **SCRIPTED),
        client.get(f"/board/{board.pk}/lists", **SCRIPTED),
        client.post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": ""}, **SCRIPTED),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 422]
    for answer in answers:
        assert answer.headers["Cache-Control"] == "no-store"
        assert "HX-Request" in answer.headers["Vary"]


def test_a_refused_quick_add_keeps_the_text(ed, todo):
    long = "x" * 501
    by_script = browser(ed).post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": long}, **SCRIPTED)
    assert by_script.status_code == 422
    assert text_of(by_script) == "Title must have at most 500 characters; this one has 501."
    by_form = browser(ed).post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": long, "title-other": "Another list"})
    assert by_form.status_code == 422
    assert f'name="new-{todo.pk}" rows="8">{long}</textarea>' in by_form.content.decode()
    assert f'action="/list/{todo.pk}/cards"' in by_form.content.decode()
    assert not Card.objects.exists()


def test_a_list_is_added_at_the_end(ed, board, todo):
    assert browser(ed).post(f"/board/{board.pk}/lists", {"title": "Later"}).url == f"/board/{board.pk}"
    assert [row.title for row in board.lists.all()] == ["To do", "Later"]


def test_adding_a_list_returns_a_fragment(ed, board):
    answer = browser(ed).post(f"/board/{board.pk}/lists", {"title": "Later"}, **SCRIPTED)
    assert answer.content.decode() == render_list(List.objects.get(), [], view=MEMBERS)


def test_either_all_of_several_lists_are_added_or_none(ed, board):
    client = browser(ed)
    assert client.post(f"/board/{board.pk}/lists", {"title": ["One", "Two", " "]}).status_code == 422
    assert not board.lists.exists()
    client.post(f"/board/{board.pk}/lists", {"title": ["One", "Two", "Three"]})
    assert [row.title for row in board.lists.all()] == ["One", "Two", "Three"]


def test_a_list_is_renamed(ed, todo, doing):
    browser(ed).post(f"/list/{todo.pk}/title", {"title": "Next"})
    assert [row.title for row in List.objects.all()] == ["Next", "Doing"]


def test_lists_move_left_and_right_and_stay_at_the_ends(ed, board, todo, doing):
    def order(direction, row):
        assert browser(ed).post(f"/list/{row.pk}/place", {"direction": direction}).status_code == 302
        return [row.title for row in board.lists.all()]

    create_list(actor=web(ed), board_id=board.pk, title="Third")
    assert order("left", doing) == ["Doing", "To do", "Third"]
    assert order("left", doing) == ["Doing", "To do", "Third"]
    assert order("right", doing) == ["To do", "Doing", "Third"]
    assert order("right", doing) == ["To do", "Third", "Doing"]
    assert order("right", doing) == ["To do", "Third", "Doing"]


def test_a_list_steps_over_archived_ones(ed, board, todo, doing):
    third = create_list(actor=web(ed), board_id=board.pk, title="Third")
    archive_list(actor=web(ed), list_id=doing.pk)
    browser(ed).post(f"/list/{third.pk}/place", {"direction": "left"})
    assert [row.title for row in board.lists.open()] == ["Third", "To do"]


def test_a_list_moves_left_or_right_and_nowhere_else(ed, todo):
    assert browser(ed).post(f"/list/{todo.pk}/place", {"direction": "up"}).status_code == 422


def test_a_move_of_a_list_is_told_where_the_page_asks_for_it_and_something_changed(ed, todo, doing):
    def answer(**form: str) -> str:
        return browser(ed).post(f"/list/{doing.pk}/place", form, **SCRIPTED).content.decode()

    assert 'name="change"' in answer(where="top", told="1")
    assert 'class="toast"' not in answer(where="top", told="1")
    assert 'class="toast"' not in answer(where="bottom")


def test_archiving_a_list_offers_to_undo_it(ed, board, todo, card):
    answer = browser(ed).post(f"/list/{todo.pk}/archival", {"archived": "1"}, follow=True)
    assert "“To do” and its cards were archived. Undo" in text_of(answer)
    assert f'formaction="/board/{board.pk}/undo" name="change"' in answer.content.decode()
    by_script = browser(ed).post(f"/list/{todo.pk}/archival", {"archived": "0"}, **SCRIPTED).content.decode()
    assert f'id="card-{card.pk}"' in by_script
    assert not List.objects.get().archived_at


def test_an_archived_list_is_taken_off_the_page(ed, todo):
    answer = browser(ed).post(f"/list/{todo.pk}/archival", {"archived": "1"}, **SCRIPTED).content.decode()
    assert f'<template data-removed="list-{todo.pk}"></template>' in answer


def test_the_board_is_renamed_in_place(ed, board):
    answer = browser(ed).post(f"/board/{board.pk}/title", {"board-title": "Landing"}, **SCRIPTED)
    board.refresh_from_db()
    assert answer.content.decode() == render_board_head(with_shared(board.pk), MEMBERS)
    assert board.title == "Landing"


def test_an_empty_board_offers_lists_to_users_who_may_add_them(olga, vera, board):
    assert "Add all three" in text_of(browser(olga).get(f"/board/{board.pk}"))
    assert "This board has no lists yet" in text_of(browser(vera).get(f"/board/{board.pk}"))


def test_a_page_that_missed_too_much_can_read_everything_again(vera, board, todo, card):
    answer = browser(vera).get(f"/board/{board.pk}/lists", **SCRIPTED).content.decode()
    board.refresh_from_db()
    now = f'data-version="{board.version}" data-change="{read_last_change(board)}"'
    assert answer.startswith(f"<template data-everything {now}></template>")
    for part in ("board-head", "members", f"list-{todo.pk}", f"card-{card.pk}"):
        assert f'id="{part}"' in answer


def test_a_browser_that_opens_the_fragments_is_redirected_to_the_board(vera, board):
    assert browser(vera).get(f"/board/{board.pk}/lists").url == f"/board/{board.pk}"


def test_an_archived_board_can_be_read_but_not_changed(olga, ed, board, todo, card):
    archive_board(actor=web(olga), board_id=board.pk)
    answer = browser(olga).get(f"/board/{board.pk}")
    assert "This board is archived" in text_of(answer)
    assert "Restore board" in text_of(answer)
    [main] = re.findall(r"<main\s[^>]*>", answer.content.decode())
    assert 'data-role="viewer"' in main, "which hides what only editors may do"
    assert "live-board" not in answer.content.decode()
    assert "Restore board" not in text_of(browser(ed).get(f"/board/{board.pk}"))


def test_a_board_is_shown_in_the_language_of_its_reader(olga, vera):
    vera.language = "ja"
    vera.save()
    board = create_board(actor=web(vera), title="Board")
    page = browser(vera).get(f"/board/{board.pk}")
    assert 'lang="ja"' in page.content.decode()
    assert page.headers["Content-Language"] == "ja"


@pytest.mark.parametrize("path, headers", [("", {}), ("/lists", SCRIPTED)])
def test_pages_of_large_boards_are_made_in_turn_and_others_at_once(olga, ed, board, monkeypatch, path, headers):
    monkeypatch.setattr(large, "MAKING", Turns(at_once=1, waiting=0, patience=0))
    Board.objects.filter(pk=board.pk).update(last_card_number=large.LARGE + 1)
    small = create_board(actor=web(olga), title="Small")
    with large.MAKING.take(ed.pk):
        answer = browser(olga).get(f"/board/{board.pk}{path}", **headers)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert browser(olga).get(f"/board/{small.pk}{path}", **headers).status_code == 200
    assert browser(olga).get(f"/board/{board.pk}{path}", **headers).status_code == 200


def test_a_script_reads_in_words_that_many_pages_of_large_boards_are_being_made(olga, ed, board, monkeypatch):
    monkeypatch.setattr(large, "MAKING", Turns(at_once=1, waiting=0, patience=0))
    Board.objects.filter(pk=board.pk).update(last_card_number=large.LARGE + 1)
    with large.MAKING.take(ed.pk):
        answer = browser(olga).get(f"/board/{board.pk}/lists", **SCRIPTED)
    assert (answer.status_code, answer["X-Answer"]) == (503, "fragments")
    assert text_of(answer) == "The service is busy right now. Wait a few seconds, then try again."


@pytest.mark.parametrize("cards, status", [(20_000, 200), (20_001, 503)])
def test_a_board_is_large_with_more_than_20000_cards(olga, ed, board, monkeypatch, cards, status):
    monkeypatch.setattr(large, "MAKING", Turns(at_once=1, waiting=0, patience=0))
    Board.objects.filter(pk=board.pk).update(last_card_number=cards)
    with large.MAKING.take(ed.pk):
        assert browser(olga).get(f"/board/{board.pk}").status_code == status


def test_the_page_of_a_list_has_what_its_menu_has(ed, board, todo):
    page = browser(ed).get(f"/list/{todo.pk}").content.decode()
    for form in ("title", "place", "archival"):
        assert f'formaction="/list/{todo.pk}/{form}"' in page


def test_a_viewer_finds_no_forms_on_the_page_of_a_list(vera, todo):
    page = browser(vera).get(f"/list/{todo.pk}").content.decode()
    assert todo.title in page
    assert "formaction" not in page


def test_the_menu_of_lists_is_on_the_page_of_a_board_once(ed, board, todo, doing):
    page = browser(ed).get(board.get_absolute_url()).content.decode()
    assert page.count("Archive list") == page.count('formaction="/list/ID/archival"') == 1
