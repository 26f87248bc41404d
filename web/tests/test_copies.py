"""Copies, sorting and archiving what is done: the forms of cards, lists and boards."""

from datetime import UTC, datetime

import pytest
import time_machine

from accounts.models import User
from boards.actions.boards.board import create_board, update_board
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.lists.list import archive_list, create_list, limit_list
from boards.actions.ordering import TOP
from boards.models import Board, Card, List
from conftest import web
from web.tests.browsing import SCRIPTED, browser, text_of


def titles(row) -> list[str]:
    return list(Card.objects.filter(list=row, archived_at=None).order_by("position").values_list("title", flat=True))


def undo(user, board, answer):
    return browser(user).post(f"/board/{board.pk}/undo", {"change": answer["X-Changes"]}, **SCRIPTED)


def test_a_card_is_duplicated_below_itself_and_that_can_be_undone(ed, board, todo, card):
    answer = browser(ed).post(f"/card/{card.pk}/copy", **SCRIPTED)
    copy = Card.objects.exclude(pk=card.pk).get()
    assert f'id="card-{copy.pk}"' in answer.content.decode()
    assert "Card copied. Undo" in text_of(answer)
    undo(ed, board, answer)
    assert titles(todo) == [card.title]


def test_a_card_is_copied_to_a_list_of_any_board_that_one_may_change(ed, olga, vera, board, todo, card):
    own = create_board(actor=web(ed), title="Own")
    row = create_list(actor=web(ed), board_id=own.pk, title="Here")
    page = text_of(browser(ed).get(f"/card/{card.pk}/copy"))
    assert "To do" in page
    assert "Here" in page
    assert "To do" not in text_of(browser(vera).get(f"/card/{card.pk}/copy"))
    answer = browser(ed).post(f"/card/{card.pk}/copy", {"title": "Again", "list": row.pk}, follow=True)
    assert "Card copied to “Here”. Undo" in text_of(answer)
    assert answer.redirect_chain == [(Card.objects.get(list=row).get_absolute_url(), 302)]
    assert titles(row) == ["Again"]
    refused = browser(ed).post(f"/card/{card.pk}/copy", {"title": " ", "list": row.pk})
    assert refused.status_code == 422


def test_a_list_is_copied_with_its_cards_and_one_undo_takes_all_back(ed, board, todo, card):
    create_card(actor=web(ed), list_id=todo.pk, title="Second")
    answer = browser(ed).post(f"/list/{todo.pk}/copy", **SCRIPTED)
    copy = List.objects.exclude(pk=todo.pk).get()
    assert f'id="list-{copy.pk}"' in answer.content.decode()
    assert answer.content.decode().count("<li class=") == 2
    undo(ed, board, answer)
    copy.refresh_from_db()
    assert copy.archived_at


def test_a_board_is_copied_and_opened(vera, board, card):
    assert "Copy of Launch" in browser(vera).get(f"/board/{board.pk}/copy").content.decode()
    form = {"title": "Mine", "cards": "1"}
    answer = browser(vera).post(f"/board/{board.pk}/copy", form, follow=True)
    assert "Board copied. Undo" in text_of(answer)
    assert card.title in text_of(answer)
    without = browser(vera).post(f"/board/{board.pk}/copy", {"title": "Empty"}, follow=True)
    assert card.title not in text_of(without)
    assert Board.objects.count() == 3


@pytest.fixture
def mixed(ed, todo):
    actor = web(ed)
    due = {"b": 3, "C": 1, "a": 2}
    for title, day in due.items():
        made = create_card(actor=actor, list_id=todo.pk, title=title)
        update_card(actor=actor, card_id=made.pk, due_at=datetime(2030, 1, day, tzinfo=UTC))
    create_card(actor=actor, list_id=todo.pk, title="none")
    return todo


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "by, expected",
    [("title", "a b C none"), ("due", "C a b none"), ("created", "none a C b"), ("assignee", "b C a none")],
)
def test_a_list_is_sorted_once(ed, board, mixed, by, expected):
    answer = browser(ed).post(f"/list/{mixed.pk}/order", {"by": by}, **SCRIPTED)
    assert titles(mixed) == expected.split()
    if by == "assignee":
        assert "is already in this order" in text_of(answer)
    else:
        undo(ed, board, answer)
        assert titles(mixed) == ["b", "C", "a", "none"]


def test_cards_without_a_date_stay_in_their_order_behind_those_with_one(ed, mixed):
    last = create_card(actor=web(ed), list_id=mixed.pk, title="newest", place=TOP)
    browser(ed).post(f"/list/{mixed.pk}/order", {"by": "due"}, **SCRIPTED)
    assert titles(mixed) == ["C", "a", "b", last.title, "none"]


def test_the_title_that_is_offered_for_a_copy_of_a_board_is_taken(olga, board):
    update_board(actor=web(olga), board_id=board.pk, title="x" * 200)
    offered = browser(olga).get(f"/board/{board.pk}/copy").context["form"]["title"].value()
    assert browser(olga).post(f"/board/{board.pk}/copy", {"title": offered}).status_code == 302


def test_an_unknown_order_is_refused(ed, todo):
    assert browser(ed).post(f"/list/{todo.pk}/order", {"by": "luck"}, **SCRIPTED).status_code == 422


def test_a_list_of_too_many_cards_is_not_sorted(ed, mixed, monkeypatch):
    monkeypatch.setattr("boards.actions.lists.sorting.CARDS_SORTED", 3)
    answer = browser(ed).post(f"/list/{mixed.pk}/order", {"by": "title"}, **SCRIPTED)
    assert (answer.status_code, titles(mixed)) == (403, ["b", "C", "a", "none"])


def test_done_cards_are_archived_together_and_come_back_together(ed, board, todo, card, monkeypatch):
    others = [create_card(actor=web(ed), list_id=todo.pk, title=title) for title in "ABC"]
    for one in others:
        complete_card(actor=web(ed), card_id=one.pk)
    answer = browser(ed).post(f"/list/{todo.pk}/done-archival", **SCRIPTED)
    assert "3 done cards archived. Undo" in text_of(answer)
    assert answer.content.decode().count("data-removed") == 3
    assert titles(todo) == [card.title]
    undo(ed, board, answer)
    assert titles(todo) == [card.title, "A", "B", "C"]
    monkeypatch.setattr("boards.actions.cards.archive.CARDS_AT_ONCE", 2)
    answer = browser(ed).post(f"/list/{todo.pk}/done-archival", **SCRIPTED)
    assert "2 done cards archived. There are more" in text_of(answer)
    browser(ed).post(f"/list/{todo.pk}/done-archival", **SCRIPTED)
    assert "“To do” has no done cards." in text_of(browser(ed).post(f"/list/{todo.pk}/done-archival", **SCRIPTED))


def test_all_cards_of_a_list_are_archived_together_and_come_back_together(ed, board, todo, doing, card, monkeypatch):
    for title in "ABC":
        create_card(actor=web(ed), list_id=todo.pk, title=title)
    elsewhere = create_card(actor=web(ed), list_id=doing.pk, title="Elsewhere")
    answer = browser(ed).post(f"/list/{todo.pk}/cards-archival", **SCRIPTED)
    assert "4 cards archived. Undo" in text_of(answer)
    assert (titles(todo), titles(doing)) == ([], [elsewhere.title])
    undo(ed, board, answer)
    assert titles(todo) == [card.title, "A", "B", "C"]
    monkeypatch.setattr("boards.actions.cards.archive.CARDS_AT_ONCE", 3)
    answer = browser(ed).post(f"/list/{todo.pk}/cards-archival", **SCRIPTED)
    assert "3 cards archived. There are more" in text_of(answer)
    browser(ed).post(f"/list/{todo.pk}/cards-archival", **SCRIPTED)
    assert "Nothing changed in “To do”." in text_of(browser(ed).post(f"/list/{todo.pk}/cards-archival", **SCRIPTED))


def test_repeating_cards_of_a_list_leave_their_next_ones_which_are_not_called_more(ed, todo, card):
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2030, 1, 4, 12, tzinfo=UTC), recurrence="weekly")
    answer = text_of(browser(ed).post(f"/list/{todo.pk}/cards-archival", **SCRIPTED))
    assert "Card archived. Undo" in answer
    assert titles(todo) == [card.title]


def test_all_cards_of_a_list_move_behind_those_of_another_in_their_order(ed, board, todo, doing, card, monkeypatch):
    for title in "ABC":
        create_card(actor=web(ed), list_id=todo.pk, title=title)
    create_card(actor=web(ed), list_id=doing.pk, title="First")
    limit_list(actor=web(ed), list_id=doing.pk, card_limit=4)
    address, into = f"/list/{todo.pk}/cards-place", {"list": doing.pk}
    answer = browser(ed).post(address, into, **SCRIPTED)
    assert "4 cards moved to Doing. · “Doing” is over its limit: 5 of 4. Undo" in text_of(answer)
    assert (titles(todo), titles(doing)) == ([], ["First", card.title, "A", "B", "C"])
    undo(ed, board, answer)
    assert (titles(todo), titles(doing)) == ([card.title, "A", "B", "C"], ["First"])
    monkeypatch.setattr("boards.actions.cards.archive.CARDS_AT_ONCE", 3)
    assert "3 cards moved to Doing. There are more" in text_of(browser(ed).post(address, into, **SCRIPTED))
    assert "Nothing changed in “To do”." in text_of(browser(ed).post(address, {"list": todo.pk}, **SCRIPTED))


def test_all_cards_of_a_list_stay_if_the_other_list_is_on_another_board_or_archived(olga, todo, doing, card):
    elsewhere = create_board(actor=web(olga), title="Elsewhere")
    foreign = create_list(actor=web(olga), board_id=elsewhere.pk, title="Foreign")
    address = f"/list/{todo.pk}/cards-place"
    assert browser(olga).post(address, {"list": foreign.pk}, **SCRIPTED).status_code == 404
    archive_list(actor=web(olga), list_id=doing.pk)
    assert browser(olga).post(address, {"list": doing.pk}, **SCRIPTED).status_code == 409
    assert titles(todo) == [card.title]


@pytest.mark.parametrize("by", ["its own form", "the form for many"])
def test_a_repeating_card_that_is_done_offers_its_next_one(ed, board, todo, card, by):
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2030, 1, 4, 12, tzinfo=UTC), recurrence="weekly")
    if by == "its own form":
        answer = browser(ed).post(f"/card/{card.pk}/completion", {"done": "1"}, **SCRIPTED)
    else:
        answer = browser(ed).post(f"/board/{board.pk}/cards", {"card": card.pk, "done": "1"}, **SCRIPTED)
    words = "Marked as done. Archive it to create the next one, due Fri, Jan 11, 2030. Archive Undo"
    assert words in text_of(answer)
    assert f'formaction="/card/{card.pk}/archival" name="archived" value="1"' in answer.content.decode()


def test_an_open_card_says_when_its_next_one_comes(ed, card):
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2030, 1, 4, 12, tzinfo=UTC), recurrence="weekly")
    page = text_of(browser(ed).get(card.get_absolute_url()))
    assert "When you archive this card, the next one is created, due Fri, Jan 11, 2030." in page


@time_machine.travel("2030-01-02T12:00:00Z", tick=False)
def test_what_says_when_the_next_one_comes_ends_with_one_full_stop_after_an_abbreviated_month(ed, card):
    User.objects.filter(pk=ed.pk).update(language="de")
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2030, 1, 4, 12, tzinfo=UTC), recurrence="weekly")
    page = text_of(browser(ed).get(card.get_absolute_url()))
    assert "fällig am Fr, 11. Jan." in page
    assert "11. Jan.." not in page
