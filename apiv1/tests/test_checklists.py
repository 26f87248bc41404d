"""Checklists and their items over REST."""

import pytest

from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.models import Activity, Checklist, ChecklistItem
from conftest import web


@pytest.fixture
def path(card):
    return f"/api/v1/cards/{card.pk}/checklists"


@pytest.fixture
def steps(card, olga):
    return create_checklist(actor=web(olga), card_id=card.pk, title="Steps")


@pytest.fixture
def checks(card, olga, steps):
    return create_checklist(actor=web(olga), card_id=card.pk, title="Checks")


@pytest.fixture
def items(steps, olga):
    return {text: add_item(actor=web(olga), checklist_id=steps.pk, text=text) for text in "ABC"}


@pytest.fixture
def one(steps):
    return f"/api/v1/checklists/{steps.pk}"


@pytest.fixture
def item(items):
    return f"/api/v1/items/{items['B'].pk}"


def texts(client, checklist):
    found = client.get(f"/api/v1/checklists/{checklist.pk}").json()["checklist"]
    return "".join(item["text"] for item in found["items"])


def titles(client, path):
    return [checklist["title"] for checklist in client.get(path).json()["checklists"]]


def test_checklists_are_shown_in_order_with_their_items(as_vera, steps, items, checks, path, one):
    shown = {
        "id": str(steps.pk),
        "title": "Steps",
        "items": [{"id": str(item.pk), "text": text, "done": False} for text, item in items.items()],
    }
    assert as_vera.get(one).json() == {"checklist": shown}
    assert as_vera.get(path).json() == {"checklists": [shown, {"id": str(checks.pk), "title": "Checks", "items": []}]}


def test_a_card_shows_the_same_checklists(as_vera, card, items, checks, path):
    assert (
        as_vera.get(f"/api/v1/cards/{card.pk}").json()["card"]["checklists"] == as_vera.get(path).json()["checklists"]
    )


def test_an_editor_creates_a_checklist(as_ed, path, steps):
    made = as_ed.post(path, json={"title": " More "})
    assert made.status_code == 201
    shown = made.json()["checklist"]
    assert shown == {"id": str(Checklist.objects.get(title="More").pk), "title": "More", "items": []}
    assert as_ed.post(path, json={"title": "First", "place": {"before": str(steps.pk)}}).status_code == 201
    assert as_ed.post(path, json={"title": "Last", "place": None}).status_code == 201
    assert titles(as_ed, path) == ["First", "Steps", "More", "Last"]


def test_an_editor_adds_items(as_ed, one, steps, items):
    for text, place in (("X", "top"), ("Y", {"after": str(items["A"].pk)}), ("Z", None)):
        made = as_ed.post(f"{one}/items", json={"text": text, "place": place})
        assert made.status_code == 201
        found = ChecklistItem.objects.get(text=text)
        assert made.json() == {"item": {"id": str(found.pk), "text": text, "done": False}}
    assert texts(as_ed, steps) == "XAYBCZ"


@pytest.mark.parametrize("sent", [{}, {"title": " "}, {"title": "a\nb"}, {"title": "x" * 501}, {"title": 7}])
def test_a_checklist_needs_a_title_on_one_line(as_ed, path, sent):
    assert is_refused(as_ed.post(path, json=sent), 400, "title")
    assert not Checklist.objects.exists()


@pytest.mark.parametrize(
    "sent, word",
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": "x", "place": "here"}, "place"),
        ({"text": "x", "done": True}, "'done'"),
        ({"text": "x", "title": "y"}, "'title'"),
    ],
)
def test_a_wrong_item_is_refused(as_ed, one, sent, word):
    assert is_refused(as_ed.post(f"{one}/items", json=sent), 400, word)
    assert not ChecklistItem.objects.exists()


def test_a_neighbor_that_is_not_there_is_a_conflict(as_ed, path, one, item, items, checks):
    gone = {"before": str(checks.pk)}
    for answer in (
        as_ed.post(f"{one}/items", json={"text": "x", "place": gone}),
        as_ed.patch(item, json={"place": gone}),
        as_ed.patch(item, json={"checklistId": str(checks.pk), "place": {"after": str(items["A"].pk)}}),
        as_ed.post(path, json={"title": "x", "place": {"after": str(items["A"].pk)}}),
    ):
        assert is_refused(answer, 409, "neighbor")


def test_a_checklist_is_renamed_and_moved(as_ed, path, one, checks):
    changed = as_ed.patch(one, json={"title": "Stages", "place": {"after": str(checks.pk)}})
    assert (changed.status_code, changed.json()["checklist"]["title"]) == (200, "Stages")
    assert titles(as_ed, path) == ["Checks", "Stages"]
    as_ed.patch(one, json={"place": "top"})
    assert titles(as_ed, path) == ["Stages", "Checks"]


def test_an_item_is_reworded_ticked_and_moved(as_ed, item, items, steps):
    changed = as_ed.patch(item, json={"text": "Z", "done": True, "place": "top"})
    assert changed.json() == {"item": {"id": str(items["B"].pk), "text": "Z", "done": True}}
    assert texts(as_ed, steps) == "ZAC"
    assert as_ed.patch(item, json={"done": False}).json()["item"]["done"] is False


def test_an_item_moves_to_another_checklist_of_its_card(as_ed, item, items, steps, checks):
    assert as_ed.patch(item, json={"checklistId": str(checks.pk)}).status_code == 200
    assert (texts(as_ed, steps), texts(as_ed, checks)) == ("AC", "B")
    other = f"/api/v1/items/{items['A'].pk}"
    as_ed.patch(other, json={"checklistId": str(checks.pk), "place": {"before": str(items["B"].pk)}})
    assert (texts(as_ed, steps), texts(as_ed, checks)) == ("C", "AB")


def test_an_item_does_not_move_to_another_card(as_ed, ed, todo, item, steps):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Other")
    there = create_checklist(actor=web(ed), card_id=other.pk, title="There")
    assert is_refused(as_ed.patch(item, json={"text": "Z", "checklistId": str(there.pk)}), 404)
    assert texts(as_ed, steps) == "ABC"


@pytest.mark.parametrize("sent", [{}, {"text": "B"}, {"done": False}, {"place": None}])
def test_a_change_of_nothing_leaves_no_trace(as_ed, item, items, steps, sent):
    before = Activity.objects.count()
    sent = {"place": {"after": str(items["A"].pk)}, "checklistId": str(steps.pk)} if "place" in sent else sent
    assert as_ed.patch(item, json=sent).status_code == 200
    assert as_ed.patch(f"/api/v1/checklists/{steps.pk}", json={}).status_code == 200
    assert as_ed.patch(item, json={"checklistId": str(steps.pk)}).status_code == 200
    assert Activity.objects.count() == before


@pytest.mark.parametrize("name", ["text", "done", "place", "checklistId"])
def test_what_an_item_always_has_cannot_be_cleared(as_ed, item, name):
    assert is_refused(as_ed.patch(item, json={name: None}), 400, name, "null")


@pytest.mark.parametrize("name", ["title", "place"])
def test_what_a_checklist_always_has_cannot_be_cleared(as_ed, one, name):
    assert is_refused(as_ed.patch(one, json={name: None}), 400, name, "null")


def test_checklists_and_items_are_deleted(as_ed, path, one, item, items, steps):
    assert as_ed.delete(item).status_code == 204
    assert texts(as_ed, steps) == "AC"
    assert as_ed.delete(one).status_code == 204
    assert titles(as_ed, path) == []
    assert is_refused(as_ed.delete(one), 404)
    assert is_refused(as_ed.delete(f"/api/v1/items/{items['A'].pk}"), 404)


def test_viewers_read_and_do_not_write(as_vera, path, one, item):
    assert as_vera.get(path).status_code == as_vera.get(one).status_code == 200
    for answer in (
        as_vera.post(path, json={"title": "x"}),
        as_vera.patch(one, json={}),
        as_vera.delete(one),
        as_vera.post(f"{one}/items", json={"text": "x"}),
        as_vera.patch(item, json={}),
        as_vera.delete(item),
    ):
        assert is_refused(answer, 403)


def test_for_strangers_there_is_nothing(as_stan, path, one, item):
    for answer in (
        as_stan.get(path),
        as_stan.post(path, json={"title": "x"}),
        as_stan.get(one),
        as_stan.patch(one, json={"title": "x"}),
        as_stan.delete(one),
        as_stan.post(f"{one}/items", json={"text": "x"}),
        as_stan.patch(item, json={"text": "x"}),
        as_stan.delete(item),
    ):
        assert is_refused(answer, 404)


def test_items_are_read_with_their_checklist_only(as_vera, item, one):
    assert is_refused(as_vera.get(item), 405)
    assert is_refused(as_vera.get(f"{one}/items"), 405)
    assert is_refused(as_vera.get(f"{one}?limit=3"), 400, "limit")


def test_checklists_have_no_versions(as_ed, one, item):
    for answer in (
        as_ed.patch(one, json={"title": "x"}, headers={"If-Match": '"1"'}),
        as_ed.delete(item, headers={"If-Match": '"1"'}),
    ):
        assert is_refused(answer, 400, "If-Match")


def test_what_is_archived_is_read_and_not_written(as_olga, olga, board, card, path, one, item):
    for archive in (
        lambda: archive_card(actor=web(olga), card_id=card.pk),
        lambda: archive_board(actor=web(olga), board_id=board.pk),
    ):
        archive()
        assert as_olga.get(path).status_code == as_olga.get(one).status_code == 200
        for answer in (
            as_olga.post(path, json={"title": "x"}),
            as_olga.patch(one, json={"title": "x"}),
            as_olga.delete(one),
            as_olga.post(f"{one}/items", json={"text": "x"}),
            as_olga.patch(item, json={"done": True}),
            as_olga.delete(item),
        ):
            assert is_refused(answer, 409, "archived")


def test_a_repeated_call_creates_one_thing(as_ed, path, one):
    for address, body in ((path, {"title": "x"}), (f"{one}/items", {"text": "x"})):
        answers = [as_ed.post(address, json=body, headers={"Idempotency-Key": "one"}) for _time in range(2)]
        assert [answer.status_code for answer in answers] == [201, 201]
        assert answers[0].content == answers[1].content
    assert (Checklist.objects.count(), ChecklistItem.objects.count()) == (2, 1)


@pytest.mark.parametrize("number", [2, 200])
def test_reading_checklists_takes_four_statements(connect, vera, card, steps, path, one, statements, number):
    rows = [Checklist(board=card.board, card=card, title=str(count), position=-count) for count in range(1, number)]
    Checklist.objects.bulk_create(rows)
    ChecklistItem.objects.bulk_create(
        ChecklistItem(board=card.board, card=card, checklist=steps, text="x", position=count) for count in range(number)
    )
    client = connect(token_of(vera))
    statements.clear()
    assert len(client.get(path).json()["checklists"]) == number
    assert len(statements) == 4, statements
    statements.clear()
    assert len(client.get(one).json()["checklist"]["items"]) == number
    assert len(statements) == 2, statements
