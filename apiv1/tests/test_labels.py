"""Labels over REST."""

import pytest

from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board
from boards.actions.cards.labels import add_label, create_label
from boards.models import Activity, Label
from conftest import web


@pytest.fixture
def path(board):
    return f"/api/v1/boards/{board.pk}/labels"


@pytest.fixture
def bug(board, olga):
    return create_label(actor=web(olga), board_id=board.pk, name="Bug", hue=1)


@pytest.fixture
def one(bug):
    return f"/api/v1/labels/{bug.pk}"


def test_labels_are_shown_with_their_color_as_a_word(as_vera, board, olga, bug, path, one):
    chore = create_label(actor=web(olga), board_id=board.pk, name="Chore")
    shown = {"id": str(bug.pk), "name": "Bug", "color": "red"}
    assert as_vera.get(one).json() == {"label": shown}
    assert as_vera.get(path).json() == {"labels": [shown, {"id": str(chore.pk), "name": "Chore", "color": "blue"}]}


@pytest.mark.parametrize("sent, color", [({"color": "teal"}, "teal"), ({}, "blue"), ({"color": None}, "blue")])
def test_an_editor_creates_a_label(as_ed, path, sent, color):
    made = as_ed.post(path, json={"name": " Idea ", **sent})
    assert made.status_code == 201
    assert made.json() == {"label": {"id": str(Label.objects.get().pk), "name": "Idea", "color": color}}


@pytest.mark.parametrize(
    "sent, word",
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 51}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x", "color": "mauve"}, "color"),
        ({"name": "x", "color": 3}, "color"),
        ({"name": "x", "hue": 3}, "hue"),
    ],
)
def test_a_wrong_label_is_refused(as_ed, path, sent, word):
    assert is_refused(as_ed.post(path, json=sent), 400, word)
    assert not Label.objects.exists()


def test_two_labels_of_a_board_have_different_names(as_ed, path, board, olga, one):
    create_label(actor=web(olga), board_id=board.pk, name="Chore")
    assert is_refused(as_ed.post(path, json={"name": "Bug"}), 409, "already")
    assert is_refused(as_ed.patch(one, json={"name": "Chore"}), 409, "already")


def test_a_label_is_renamed_and_recolored(as_ed, one, bug):
    changed = as_ed.patch(one, json={"name": "Fault"})
    assert (changed.status_code, changed.json()["label"]["color"]) == (200, "red")
    changed = as_ed.patch(one, json={"color": "green"})
    assert changed.json() == {"label": {"id": str(bug.pk), "name": "Fault", "color": "green"}}
    assert as_ed.get(one).json() == changed.json()


@pytest.mark.parametrize("sent", [{}, {"name": "Bug"}, {"color": "red", "name": "Bug"}])
def test_a_change_of_nothing_leaves_no_trace(as_ed, one, sent):
    before = Activity.objects.count()
    assert as_ed.patch(one, json=sent).status_code == 200
    assert Activity.objects.count() == before


@pytest.mark.parametrize("name", ["name", "color"])
def test_name_and_color_cannot_be_cleared(as_ed, one, name):
    assert is_refused(as_ed.patch(one, json={name: None}), 400, name, "null")


def test_a_deleted_label_is_taken_from_its_cards(as_ed, olga, card, bug, one):
    add_label(actor=web(olga), card_id=card.pk, label_id=bug.pk)
    assert as_ed.delete(one).status_code == 204
    assert as_ed.get(f"/api/v1/cards/{card.pk}").json()["card"]["labelIds"] == []
    assert is_refused(as_ed.delete(one), 404)


def test_viewers_read_and_do_not_write(as_vera, path, one):
    assert as_vera.get(path).status_code == 200
    assert is_refused(as_vera.post(path, json={"name": "x"}), 403)
    assert is_refused(as_vera.patch(one, json={}), 403)
    assert is_refused(as_vera.delete(one), 403)


def test_for_strangers_there_is_nothing(as_stan, path, one):
    for answer in (as_stan.get(path), as_stan.post(path, json={"name": "x"}), as_stan.get(one)):
        assert is_refused(answer, 404)
    for answer in (as_stan.patch(one, json={"name": "x"}), as_stan.delete(one)):
        assert is_refused(answer, 404)


def test_labels_have_no_pages_and_no_versions(as_ed, path, one):
    assert is_refused(as_ed.get(f"{path}?limit=5"), 400, "limit")
    assert is_refused(as_ed.patch(one, json={"name": "x"}, headers={"If-Match": '"1"'}), 400, "If-Match")


def test_on_an_archived_board_labels_are_read_and_not_written(as_olga, olga, board, path, one):
    archive_board(actor=web(olga), board_id=board.pk)
    assert as_olga.get(path).status_code == as_olga.get(one).status_code == 200
    assert is_refused(as_olga.post(path, json={"name": "x"}), 409, "archived")
    assert is_refused(as_olga.patch(one, json={"name": "x"}), 409, "archived")
    assert is_refused(as_olga.delete(one), 409, "archived")


def test_a_repeated_label_is_created_once(as_ed, path):
    answers = [as_ed.post(path, json={"name": "x"}, headers={"Idempotency-Key": "one"}) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert Label.objects.count() == 1


@pytest.mark.parametrize("number", [2, 200])
def test_reading_labels_takes_four_statements(connect, vera, board, path, statements, number):
    Label.objects.bulk_create(Label(board=board, name=str(count), hue=1) for count in range(number))
    client = connect(token_of(vera))
    statements.clear()
    assert len(client.get(path).json()["labels"]) == number
    assert len(statements) == 4, statements
