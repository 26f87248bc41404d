"""Undo on the pages: the changes that an answer names, the button of its message, and the form behind it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from boards.actions import undo as undoing
from boards.actions.boards.board import create_board
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, delete_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.lists.list import create_list
from boards.models import Activity, Board, Card, CardLabel, Comment, Label
from conftest import join, web
from web.http.made import AT_MOST
from web.tests.browsing import SCRIPTED, browser, text_of


def version(board) -> int:
    return Board.objects.get(pk=board.pk).version


def undo(user, board, *changes, **headers):
    return browser(user).post(f"/board/{board.pk}/undo", {"change": list(changes)}, **(headers or SCRIPTED))


def test_an_answer_to_a_script_names_the_changes_that_were_made(ed, board, card):
    answer = browser(ed).post(f"/card/{card.pk}/title", {"title": "Better"}, **SCRIPTED)
    assert answer["X-Changes"] == f"{board.pk}:{version(board)}"
    again = browser(ed).post(f"/card/{card.pk}/title", {"title": "Better"}, **SCRIPTED)
    assert not again.has_header("X-Changes")


def test_several_changes_in_a_row_are_named_by_the_first_and_the_last(ed, board, todo, card):
    cards = [card, *(create_card(actor=web(ed), list_id=todo.pk, title=str(number)) for number in range(3))]
    form = {"card": [one.pk for one in cards], "done": "1"}
    answer = browser(ed).post(f"/board/{board.pk}/cards", form, **SCRIPTED)
    last = version(board)
    assert answer["X-Changes"] == f"{board.pk}:{last - 3}-{last}"
    undone = undo(ed, board, answer["X-Changes"])
    assert "Undone: 4 changes." in text_of(undone)
    assert not Card.objects.exclude(completed_at=None).exists()
    redone = undo(ed, board, undone["X-Changes"])
    assert redone.status_code == 200
    assert not Card.objects.filter(completed_at=None).exists()


def test_an_item_that_cannot_come_back_leaves_its_card_and_the_page_says_why(ed, board, card):
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    item = add_item(actor=web(ed), checklist_id=steps.pk, text="Ask")
    made = browser(ed).post(f"/item/{item.pk}/card", **SCRIPTED)
    delete_checklist(actor=web(ed), checklist_id=steps.pk)
    before = version(board)
    answer = undo(ed, board, made["X-Changes"])
    assert (answer.status_code, version(board)) == (409, before)
    assert text_of(answer) == "The checklist of “Ask” no longer exists."


def test_changes_that_cannot_be_undone_are_not_named(board, olga, vera):
    address = f"/board/{board.pk}/members/{vera.pk}/role"
    assert not browser(olga).post(address, {"role": "editor"}, **SCRIPTED).has_header("X-Changes")
    assert Activity.objects.latest("version").verb == "member.changed"


def test_a_refused_answer_names_no_changes(ed, board, card):
    answer = browser(ed).post(f"/card/{card.pk}/labels", {"name": "", "color": "3"}, **SCRIPTED)
    assert answer.status_code == 422
    assert not answer.has_header("X-Changes")


def test_a_message_offers_to_undo_what_was_done_and_then_to_redo_it(ed, board, card):
    done = browser(ed).post(f"/card/{card.pk}/completion", {"done": "1"}, **SCRIPTED).content.decode()
    change = f"{board.pk}:{version(board)}"
    assert f'formaction="/board/{board.pk}/undo" name="change" value="{change}">Undo<' in done
    undone = undo(ed, board, change)
    assert "Undone: Card done, “Write the announcement”" in text_of(undone)
    assert f'value="{board.pk}:{version(board)}">Redo<' in undone.content.decode()
    assert f'id="card-{card.pk}"' in undone.content.decode()


def test_without_scripts_the_page_shows_the_message_with_its_button_and_returns_to_itself(ed, board, card):
    client = browser(ed)
    page = client.post(f"/card/{card.pk}/completion", {"done": "1"}, follow=True).content.decode()
    assert re.search(r'<form id="board-form" method="post" hidden>\s*<input type="hidden" name="csrf', page)
    assert 'name="change"' in page
    here = f"/board/{board.pk}?card={card.pk}"
    answer = client.post(
        f"/board/{board.pk}/undo", {"change": version(board)}, headers={"referer": f"http://testserver{here}"}
    )
    assert (answer.status_code, answer.url) == (302, here)


def test_a_message_on_another_page_than_the_boards_has_its_form(olga, board):
    client = browser(olga)
    page = client.post(f"/board/{board.pk}/archival", {"archived": "1"}, follow=True)
    assert (page.resolver_match.view_name, page.content.decode().count('id="board-form"')) == ("home", 1)
    assert f'formaction="/board/{board.pk}/undo"' in page.content.decode()
    assert 'id="board-form"' not in client.get("/settings/profile").content.decode()
    undo(olga, board, version(board))
    assert Board.objects.get(pk=board.pk).archived_at is None


def test_the_settings_page_has_the_form_once(ed, board):
    page = browser(ed).post(f"/board/{board.pk}/settings", {"title": "Landing", "color": "3"}, follow=True)
    assert page.content.decode().count('id="board-form"') == 1
    assert "Saved. Undo" in text_of(page)


def test_a_deleted_comment_comes_back(ed, card, board):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="Look")
    deleted = browser(ed).post(f"/comment/{comment.pk}/deletion", **SCRIPTED)
    assert "Comment deleted. Undo" in text_of(deleted)
    opened = {**SCRIPTED, "HTTP_X_OPEN_CARD": f"{card.pk} {version(board)}"}
    answer = undo(ed, board, deleted["X-Changes"], **opened)
    assert f'data-part="comment-{comment.pk}"' in answer.content.decode()
    assert f'data-gone="comment-{comment.pk}"' not in answer.content.decode()
    assert Comment.objects.filter(pk=comment.pk).exists()


def test_a_page_that_missed_the_deletion_and_the_return_keeps_the_comment(ed, card, board):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="Look")
    seen = version(board)
    deleted = browser(ed).post(f"/comment/{comment.pk}/deletion", **SCRIPTED)
    undo(ed, board, deleted["X-Changes"])
    answer = browser(ed).get(f"/card/{card.pk}?since={seen}", **SCRIPTED).content.decode()
    assert f'data-part="comment-{comment.pk}"' in answer
    assert "data-gone" not in answer


def test_a_label_that_was_created_with_a_card_is_taken_back_from_both(ed, board, card):
    made = browser(ed).post(f"/card/{card.pk}/labels", {"name": "Bug", "color": "3"}, **SCRIPTED)
    assert undo(ed, board, made["X-Changes"]).status_code == 200
    assert not Label.objects.exists()
    assert not CardLabel.objects.exists()


def test_a_second_undo_says_that_it_has_been_undone_already(ed, board, card):
    complete_card(actor=web(ed), card_id=card.pk)
    change = version(board)
    undo(ed, board, change)
    before = version(board)
    assert "This has already been undone." in text_of(undo(ed, board, change))
    assert version(board) == before


def test_what_can_be_is_undone_and_the_rest_is_named(ed, olga, board, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    form = {"card": [card.pk, other.pk], "done": "1"}
    made = browser(ed).post(f"/board/{board.pk}/cards", form, **SCRIPTED)["X-Changes"]
    browser(olga).post(f"/card/{other.pk}/completion", {"done": "0"})
    words = text_of(undo(ed, board, made))
    assert "Undone: 1 change. 1 could not be undone: Olga has changed “Other” since then." in words
    assert not Card.objects.exclude(completed_at=None).exists()


def test_what_cannot_be_undone_at_all_is_refused_with_the_reason(ed, olga, board, card):
    update_card(actor=web(ed), card_id=card.pk, title="By Ed")
    change = version(board)
    update_card(actor=web(olga), card_id=card.pk, title="By Olga")
    answer = undo(ed, board, change)
    assert answer.status_code == 409
    assert "Olga has changed “By Ed” since then." in text_of(answer)
    assert not answer.has_header("X-Changes")


@pytest.mark.parametrize(
    "sent",
    ["", "x", "0", "-1", "5-", "1:2", "9" * 19, "1-999999999999999999", "x:1", "²", "1,2", "1\x002"],
)
def test_what_names_no_change_is_refused(ed, board, sent):
    assert undo(ed, board, sent).status_code in (404, 422)


def test_no_more_changes_than_the_cap_are_undone_at_once(ed, board):
    numbers = " ".join(str(number) for number in range(1, AT_MOST + 2))
    answer = undo(ed, board, numbers)
    assert answer.status_code == 422
    assert escape(f"At most {AT_MOST} changes") in answer.content.decode()


def test_a_change_of_a_foreign_board_is_not_found(ed, stan, board):
    foreign = create_board(actor=web(stan), title="Stan's")
    assert undo(ed, board, f"{foreign.pk}:1").status_code == 404
    assert undo(ed, foreign, 1).status_code == 404


def test_a_change_of_another_own_board_can_be_named(ed, olga, board, card):
    """A card that was moved to another board and back leaves changes of both boards on one page."""
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    row = create_list(actor=web(olga), board_id=other.pk, title="There")
    moved = browser(ed).post(f"/card/{card.pk}/place", {"list": row.pk, "where": "top"}, **SCRIPTED)
    assert moved["X-Changes"] == f"{board.pk}:{version(board)}"
    back = undo(ed, board, moved["X-Changes"])
    assert f'id="card-{card.pk}"' in back.content.decode()
    assert back["X-Changes"] == f"{other.pk}:{version(other)}"
    again = undo(ed, board, back["X-Changes"])
    assert f'data-removed="card-{card.pk}"' in again.content.decode()


def test_the_history_tells_what_was_undone(ed, board, card):
    complete_card(actor=web(ed), card_id=card.pk)
    undo(ed, board, version(board))
    assert "Ed reopened Write the announcement #1 Undid an earlier change" in text_of(
        browser(ed).get(f"/board/{board.pk}/activity")
    )


def test_statements_do_not_grow_with_the_history(ed, board, card):
    def statements():
        complete_card(actor=web(ed), card_id=card.pk)
        change = version(board)
        with CaptureQueriesContext(connection) as captured:
            undo(ed, board, change)
        return len(captured)

    first = statements()
    for number in range(5):
        update_card(actor=web(ed), card_id=card.pk, title=str(number))
    assert statements() <= first + 1
    assert Activity.objects.filter(undoes__isnull=False).count() == 2


@pytest.fixture
def cards(ed, todo) -> list[Card]:
    return [create_card(actor=web(ed), list_id=todo.pk, title=title) for title in "ABCD"]


def changed(user, board, cards, **form) -> str:
    """Change the cards by one form, and return the names of the changes."""
    form = {"card": [card.pk for card in cards], **(form or {"archived": "1"})}
    return browser(user).post(f"/board/{board.pk}/cards", form, **SCRIPTED)["X-Changes"]


@pytest.mark.django_db(transaction=True)
def test_what_one_form_changed_is_taken_back_and_made_again_by_one_commit_each(ed, board, cards):
    changes, client = changed(ed, board, cards), browser(ed)
    for is_archived in (False, True):
        with CaptureQueriesContext(connection) as found:
            answer = client.post(f"/board/{board.pk}/undo", {"change": changes}, **SCRIPTED)
        assert [query["sql"] for query in found].count("COMMIT") == 1
        assert Card.objects.exclude(archived_at=None).count() == (4 if is_archived else 0)
        changes = answer["X-Changes"]


@pytest.mark.parametrize("form", [{"archived": "1"}, {"done": "1"}, {"due": "2030-01-02", "time": ""}])
def test_only_the_changes_themselves_take_more_statements_for_more_of_them(ed, board, cards, form):
    client = browser(ed)

    def statements(chosen):
        changes = changed(ed, board, chosen, **form)
        with CaptureQueriesContext(connection) as found:
            client.post(f"/board/{board.pk}/undo", {"change": changes}, **SCRIPTED)
        return len(found)

    two, three, four = (statements(cards[:number]) for number in (2, 3, 4))
    assert four - three == three - two <= 17


def test_all_boards_of_the_changes_are_locked_before_the_first_is_taken_back(ed, olga, board, cards, monkeypatch):
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    row = create_list(actor=web(olga), board_id=other.pk, title="There")
    complete_card(actor=web(ed), card_id=create_card(actor=web(ed), list_id=row.pk, title="E").pk)
    changes = [changed(ed, board, cards), f"{other.pk}:{version(other)}"]
    locked: list[set] = []
    lock = undoing.lock_boards
    monkeypatch.setattr(undoing, "lock_boards", lambda ids: locked.append({*ids}) or lock(ids))
    assert "Undone: 5 changes." in text_of(undo(ed, board, *changes))
    assert locked[0] == {board.pk, other.pk}


def test_a_comment_that_is_undone_is_named_without_the_ids_of_its_mentions(ed, vera, board, card):
    browser(ed).post(f"/card/{card.pk}/comments", {"text": f"[@Vera](mention:{vera.pk}), look"}, **SCRIPTED)
    undone = undo(ed, board, f"{board.pk}:{version(board)}")
    assert "Undone: Comment added, “@Vera, look”" in text_of(undone)
