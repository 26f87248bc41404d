"""One form for one or many cards of a board: moving, finishing, archiving, labels, people, due dates."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, delete_card
from boards.actions.cards.labels import create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Board, Card, List
from conftest import web
from web.boards.cards import AT_MOST
from web.tests.browsing import SCRIPTED, browser, text_of


@pytest.fixture
def cards(todo, olga):
    return [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in "ABCDE"]


def send(user, board, cards, **form):
    return browser(user).post(f"/board/{board.pk}/cards", {"card": [card.pk for card in cards], **form}, **SCRIPTED)


def titles(row):
    return "".join(Card.objects.filter(list=row, archived_at=None).order_by("position").values_list("title", flat=True))


def test_cards_are_moved_in_the_order_in_which_the_form_names_them(ed, board, todo, doing, cards):
    a, _b, c, d, e = cards
    answer = send(ed, board, [d, a, c], list=doing.pk, where="top")
    assert answer.status_code == 200
    assert (titles(doing), titles(todo)) == ("DAC", "BE")
    assert text_of(answer).endswith("3 cards moved to Doing Undo")
    send(ed, board, [e, a], list=doing.pk, after=d.pk)
    assert titles(doing) == "DEAC"
    send(ed, board, [c, e], list=doing.pk, before=d.pk)
    assert titles(doing) == "CEDA"
    send(ed, board, [e], list=doing.pk, where="bottom")
    assert titles(doing) == "CDAE"


def test_one_card_is_told_with_its_place(ed, board, doing, cards):
    move_card(actor=web(ed), card_id=cards[0].pk, list_id=doing.pk)
    answer = send(ed, board, cards[1:2], list=doing.pk, where="bottom")
    assert text_of(answer).endswith("Moved to Doing, 2 of 2 Undo")
    assert answer.content.decode().count('<li class="card"') == 1


def test_a_neighbour_that_left_the_list_hands_over_to_the_other_one(ed, board, todo, doing, cards):
    _a, b, c, _d, e = cards
    move_card(actor=web(ed), card_id=b.pk, list_id=doing.pk)
    assert send(ed, board, [e], list=todo.pk, after=b.pk, before=c.pk).status_code == 200
    assert titles(todo) == "AECD"


def test_a_card_whose_two_neighbours_are_gone_is_moved_to_the_bottom(olga, board, todo, doing, cards):
    a, b, c, _d, _e = cards
    move_card(actor=web(olga), card_id=b.pk, list_id=doing.pk)
    archive_card(actor=web(olga), card_id=c.pk)
    delete_card(actor=web(olga), card_id=c.pk)
    answer = send(olga, board, [a], list=todo.pk, after=b.pk, before=c.pk)
    assert titles(todo) == "DEA"
    assert text_of(answer).endswith("Moved to To do, 3 of 3 Undo")
    send(olga, board, [a], list=todo.pk, before=b.pk, where="top")
    assert titles(todo) == "ADE"


def test_an_archived_neighbour_still_has_its_place(ed, board, todo, cards):
    archive_card(actor=web(ed), card_id=cards[1].pk)
    send(ed, board, [cards[4]], list=todo.pk, after=cards[1].pk)
    assert titles(todo) == "AECD"


def test_moving_cards_to_where_they_are_records_nothing_and_shows_them_there(ed, board, todo, cards):
    before = Activity.objects.count()
    answer = send(ed, board, cards[1:3], list=todo.pk, after=cards[0].pk)
    assert (answer.status_code, Activity.objects.count(), text_of(answer)) == (200, before, "B #2 C #3")


def test_each_card_is_a_change_of_its_own(ed, board, cards):
    before = Board.objects.get(pk=board.pk).version
    answer = send(ed, board, cards[:3], done="1")
    assert list(Activity.objects.filter(version__gt=before).values_list("verb", flat=True)) == ["card.completed"] * 3
    assert text_of(answer).endswith("3 cards marked as done. Undo")
    assert text_of(send(ed, board, cards[:1], done="0")).endswith("Reopened. Undo")


def test_archived_cards_leave_the_page_and_restored_ones_come_back(ed, board, todo, cards):
    answer = send(ed, board, cards[:2], archived="1").content.decode()
    assert all(f'<template data-removed="card-{card.pk}">' in answer for card in cards[:2])
    assert titles(todo) == "CDE"
    answer = send(ed, board, cards[:2], archived="0").content.decode()
    assert all(f'id="card-{card.pk}"' in answer for card in cards[:2])


def test_the_next_occurrence_of_an_archived_card_is_in_the_answer(ed, board, todo):
    weekly = create_card(actor=web(ed), list_id=todo.pk, title="Weekly", due_at=timezone.now(), recurrence="weekly")
    answer = send(ed, board, [weekly], archived="1")
    following = Card.objects.get(repeats=weekly)
    assert f'id="card-{following.pk}"' in answer.content.decode()
    assert "The next occurrence is on the board." in text_of(answer)


def test_labels_people_and_due_dates_are_set_and_taken_off(ed, vera, board, cards):
    label = create_label(actor=web(ed), board_id=board.pk, name="Bug")
    for form in ({"label": label.pk}, {"person": vera.pk}, {"person": "me"}):
        assert send(ed, board, cards[:2], **form, on="1").status_code == 200
    send(ed, board, cards[:2], due="2030-01-02T03:04")
    for card in cards[:2]:
        assert list(card.labels.all()) == [label]
        assert set(card.assignees.all()) == {vera, ed}
        card.refresh_from_db()
        assert card.due_at is not None
    for form in ({"label": label.pk}, {"person": vera.pk}, {"person": "me"}):
        send(ed, board, cards[:2], **form, on="0")
    send(ed, board, cards[:2], due="")
    cards[0].refresh_from_db()
    assert (cards[0].labels.count(), cards[0].assignees.count(), cards[0].due_at) == (0, 0, None)


def test_the_open_card_is_in_the_answer_if_it_is_one_of_them(ed, board, cards):
    address, form = f"/board/{board.pk}/cards", {"card": [card.pk for card in cards[:2]], "done": "1"}
    opened = {"HTTP_X_OPEN_CARD": f"{cards[1].pk} {cards[1].version}"}
    assert 'class="card-parts"' in browser(ed).post(address, form, **SCRIPTED, **opened).content.decode()
    opened = {"HTTP_X_OPEN_CARD": f"{cards[4].pk} {cards[4].version}"}
    assert 'class="card-parts"' not in browser(ed).post(address, form, **SCRIPTED, **opened).content.decode()


def test_without_scripts_the_board_is_shown_again(ed, board, cards):
    answer = browser(ed).post(f"/board/{board.pk}/cards", {"card": cards[0].pk, "done": "1"}, follow=True)
    assert answer.redirect_chain == [(board.get_absolute_url(), 302)]
    assert "Marked as done." in text_of(answer)


def test_if_one_card_is_refused_none_is_changed(ed, board, cards):
    archive_card(actor=web(ed), card_id=cards[2].pk)
    answer = send(ed, board, cards[:3], done="1")
    assert answer.status_code == 409
    assert "This card is archived." in text_of(answer)
    assert not Card.objects.filter(completed_at__isnull=False).exists()


def test_cards_are_not_moved_into_an_archived_list(ed, board, doing, cards):
    archive_list(actor=web(ed), list_id=doing.pk)
    assert send(ed, board, cards[:1], list=doing.pk, where="top").status_code == 409


@pytest.mark.parametrize(
    "form, words",
    [
        ({"done": "yes"}, "done must be 0 or 1."),
        ({}, "Name one thing to do with the cards: list, done, archived, label, person, due, cover."),
        ({"done": "1", "archived": "1"}, "Name one thing to do with the cards"),
    ],
)
def test_a_form_that_cannot_be_understood_says_what_to_write(ed, board, cards, form, words):
    answer = send(ed, board, cards[:1], **form)
    assert answer.status_code == 422
    assert words in text_of(answer)


def test_a_move_to_no_place_says_what_to_write(ed, board, todo, cards):
    answer = send(ed, board, cards[:1], list=todo.pk, where="middle")
    assert (answer.status_code, text_of(answer)) == (422, "where must be top or bottom.")


def test_a_form_names_one_to_a_hundred_cards(ed, board, cards):
    for number in (0, AT_MOST + 1):
        answer = browser(ed).post(
            f"/board/{board.pk}/cards", {"card": [f"{cards[0].pk}{n}" for n in range(number)], "done": "1"}, **SCRIPTED
        )
        assert (answer.status_code, text_of(answer)) == (422, "Choose between 1 and 100 cards.")


def test_a_card_named_twice_counts_once(ed, board, cards):
    assert "Marked as done." in text_of(send(ed, board, [cards[0], cards[0]], done="1"))


def test_cards_move_to_an_exact_place(ed, board, todo, doing, cards):
    a, b, c, _d, e = cards
    archive_card(actor=web(ed), card_id=e.pk)
    for position, expected in [("1", "ABCD"), ("2", "BACD"), ("4", "BCDA"), ("900", "BCDA")]:
        assert send(ed, board, [a], list=todo.pk, position=position).status_code == 200
        assert titles(todo) == expected
    send(ed, board, [a, b], list=todo.pk, position="2")
    assert titles(todo) == "CABD"
    send(ed, board, [c], list=doing.pk, position="1")
    assert titles(doing) == "C"
    for wrong in ("0", "-1", "1.5", "", "x", "²", "9" * 40):
        answer = send(ed, board, [a], list=todo.pk, position=wrong)
        assert (answer.status_code, text_of(answer)) == (422, "position must be a whole number, 1 or more.")


def test_cards_move_to_a_board_that_one_may_change(ed, board, todo, cards):
    other = create_board(actor=web(ed), title="Other")
    row = create_list(actor=web(ed), board_id=other.pk, title="List")
    create_card(actor=web(ed), list_id=row.pk, title="X")
    answer = send(ed, board, [cards[1], cards[0]], list=row.pk, position="1")
    assert text_of(answer).endswith("2 cards moved to List on Other Undo")
    assert (titles(row), titles(todo)) == ("BAX", "CDE")
    for card in cards[:2]:
        assert f'data-removed="card-{card.pk}"' in answer.content.decode()
    one = send(ed, board, cards[2:3], list=row.pk, where="bottom")
    assert text_of(one).endswith("Moved to List on Other Undo")


def test_cards_do_not_move_to_boards_of_others_nor_to_those_one_only_views(ed, vera, board, cards, todo):
    own = create_board(actor=web(vera), title="Vera's")
    row = create_list(actor=web(vera), board_id=own.pk, title="List")
    before = Activity.objects.count()
    assert send(ed, board, cards[:1], list=row.pk, position="1").status_code == 404
    mine = create_card(actor=web(vera), list_id=row.pk, title="Mine")
    assert send(vera, own, [mine], list=todo.pk, position="1").status_code == 403
    assert Activity.objects.count() == before + 1


def test_a_quiet_form_is_answered_without_a_message(ed, board, doing, cards):
    answer = send(ed, board, cards[:1], list=doing.pk, where="bottom", quiet="1")
    assert 'class="toast"' not in answer.content.decode()


def test_nothing_of_another_board_can_be_named(ed, board, cards):
    """Ed owns the other board as well, but one form changes the cards of one board."""
    other = create_board(actor=web(ed), title="Other")
    row = create_list(actor=web(ed), board_id=other.pk, title="List")
    card = create_card(actor=web(ed), list_id=row.pk, title="Card")
    label = create_label(actor=web(ed), board_id=other.pk, name="Label")
    before = Activity.objects.count()
    for form in ({"label": label.pk, "on": "1"}, {"person": board.pk, "on": "1"}, {"list": board.pk, "where": "top"}):
        assert send(ed, board, cards[:1], **form).status_code == 404
    assert send(ed, board, [cards[0], card], done="1").status_code == 404
    assert send(ed, other, cards[:1], done="1").status_code == 404
    assert browser(ed).post(f"/board/{board.pk}/cards", {"card": "x", "done": "1"}).status_code == 404
    assert Activity.objects.count() == before


def test_only_the_changes_themselves_take_more_statements_for_more_cards(ed, board, todo, cards):
    client = browser(ed)

    def statements(chosen, done):
        with CaptureQueriesContext(connection) as found:
            form = {"card": [card.pk for card in chosen], "done": done}
            assert client.post(f"/board/{board.pk}/cards", form, **SCRIPTED).status_code == 200
        return len(found)

    statements(cards[:1], "1")
    one, two = statements(cards[:1], "0"), statements(cards[:2], "1")
    statements(cards[:2], "0")
    one -= 1  # the title for the message
    assert statements(cards[:3], "1") - two == two - one <= 8


def test_a_list_is_moved_beside_another_one(ed, board, todo, doing, olga):
    done = create_list(actor=web(olga), board_id=board.pk, title="Done")

    def place(row, **form):
        assert browser(ed).post(f"/list/{row.pk}/place", form, **SCRIPTED).status_code == 200
        return list(List.objects.filter(board=board).order_by("position").values_list("title", flat=True))

    assert place(done, before=doing.pk) == ["To do", "Done", "Doing"]
    assert place(todo, after=doing.pk) == ["Done", "Doing", "To do"]
    assert place(todo, where="top") == ["To do", "Done", "Doing"]


def test_a_dragged_card_takes_a_known_number_of_statements(ed, board, todo, doing, cards):
    client = browser(ed)

    def statements(into, **place):
        with CaptureQueriesContext(connection) as found:
            form = {"card": cards[0].pk, "list": into.pk, "quiet": "1", **place}
            assert client.post(f"/board/{board.pk}/cards", form, **SCRIPTED).status_code == 200
        return len([query for query in found if "SAVEPOINT" not in query["sql"]])

    written = 4 if connection.vendor == "sqlite" else 1  # card, activity, the note for followers, board
    assert statements(todo, after=cards[1].pk, before=cards[2].pk) == 15 + written
    assert statements(doing, where="bottom") == 14 + written
