"""Single cards: read, changed, and what is done with them."""

import pytest

from apiv1.cards import views
from apiv1.tests.calls import at_once, is_refused, token_of
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.files.attachments import attach_file
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Assignment, Board, Card, CardLabel
from boards.tests.world import a_picture, last
from conftest import web

ARCHIVED_BOARD = "This board is archived. Restore it first."


def path(card, act=""):
    return f"/api/v1/cards/{card.pk}{act and '/'}{act}"


@pytest.fixture
def label(board, olga):
    return create_label(actor=web(olga), board_id=board.pk, name="Urgent", hue=1)


@pytest.fixture
def full(board, todo, label, olga, ed):
    """A card with everything that a card can have."""
    card = create_card(
        actor=web(ed),
        list_id=todo.pk,
        title="Order seeds",
        description="Ask **Ed** first\n\n- [ ] beans",
        label_ids=[label.pk],
        assignee_ids=[ed.pk, olga.pk],
        cover_hue=5,
    )
    checklist = create_checklist(actor=web(ed), card_id=card.pk, title="Kinds")
    item = add_item(actor=web(ed), checklist_id=checklist.pk, text="Tomatoes")
    add_item(actor=web(ed), checklist_id=checklist.pk, text="Beans")
    update_item(actor=web(ed), item_id=item.pk, done=True)
    create_checklist(actor=web(ed), card_id=card.pk, title="Empty")
    add_comment(actor=web(olga), card_id=card.pk, text="Soon, please")
    attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Bed.png")
    return Card.objects.get(pk=card.pk)


def test_a_card_is_read_with_everything_on_it(as_vera, full, label, olga, ed):
    got = as_vera.get(path(full))
    card = got.json()["card"]
    assert card["title"] == "Order seeds"
    assert card["description"] == "Ask **Ed** first\n\n- [ ] beans"
    assert card["number"] == full.number
    assert card["coverColor"] == "teal"
    assert card["labelIds"] == [str(label.pk)]
    assert card["assigneeIds"] == [str(ed.pk), str(olga.pk)]
    kinds, empty = card["checklists"]
    assert [(item["text"], item["done"]) for item in kinds["items"]] == [("Tomatoes", True), ("Beans", False)]
    assert (empty["title"], empty["items"]) == ("Empty", [])
    assert card["commentCount"] == 1
    [file] = card["attachments"]
    assert (file["fileName"], file["uploadedBy"]) == ("Bed.png", {"id": str(ed.pk), "name": "Ed"})
    assert card["createdBy"] == {"id": str(ed.pk), "name": "Ed"}
    assert got.headers["ETag"] == f'"{full.version}"'
    assert "@" not in got.text


def test_a_card_is_found_by_its_number(as_vera, full):
    by_number = as_vera.get(f"/api/v1/boards/{full.board_id}/cards/{full.number}")
    assert by_number.json() == as_vera.get(path(full)).json()
    for number in (full.number + 1, 2**63, 10**30):
        assert is_refused(as_vera.get(f"/api/v1/boards/{full.board_id}/cards/{number}"), 404)


def test_a_row_counts_what_a_card_lists(as_vera, full):
    [row] = as_vera.get(f"/api/v1/lists/{full.list_id}/cards").json()["cards"]
    whole = as_vera.get(path(full)).json()["card"]
    counted = {"checklistItems": {"done": 1, "all": 2}, "attachmentCount": 1, "excerpt": "Ask Ed first"}
    assert row == {name: whole[name] for name in whole.keys() & row.keys()} | counted
    assert whole.keys() - row.keys() == {"description", "checklists", "attachments"}


@pytest.mark.parametrize("hide", ["card", "list", "board"])
def test_an_archived_card_can_be_read(as_vera, olga, card, hide):
    archive = {
        "card": lambda: archive_card(actor=web(olga), card_id=card.pk),
        "list": lambda: archive_list(actor=web(olga), list_id=card.list_id),
        "board": lambda: archive_board(actor=web(olga), board_id=card.board_id),
    }
    archive[hide]()
    assert as_vera.get(path(card)).json()["card"]["title"] == card.title


def test_a_stranger_learns_of_no_card(as_stan, card):
    unknown = as_stan.get(f"/api/v1/cards/{card.list_id}")
    for answer in (
        as_stan.get(path(card)),
        as_stan.patch(path(card), json={"title": "x"}),
        as_stan.get("/api/v1/cards/1"),
    ):
        assert is_refused(answer, 404)
        assert answer.content == unknown.content


# PATCH


def test_a_patch_changes_what_it_names_and_leaves_the_rest(as_ed, full, label, olga):
    sent = {"title": "Order bulbs", "dueDate": "2026-12-01", "startDate": "2026-11-30", "recurrence": "weekly"}
    before = as_ed.get(path(full)).json()["card"]
    card = as_ed.patch(path(full), json=sent).json()["card"]
    changed = {name for name in card if card[name] != before[name]}
    assert changed == {"title", "dueDate", "dueDay", "startDate", "recurrence", "version", "updatedAt"}
    assert (card["dueDay"], card["startDate"], card["recurrence"]) == ("2026-12-01", "2026-11-30", "weekly")


def test_null_clears_a_field(as_ed, full):
    cleared = {"description": None, "coverColor": None, "dueDate": None, "startDate": None, "recurrence": None}
    as_ed.patch(path(full), json={"dueDate": "2026-12-01T09:00Z", "startDate": "2026-11-30", "recurrence": "daily"})
    card = as_ed.patch(path(full), json=cleared).json()["card"]
    assert {name: card[name] for name in cleared} == cleared | {"description": ""}


def test_labels_and_people_are_replaced_as_sets(as_ed, full, board, olga, vera):
    other = create_label(actor=web(olga), board_id=board.pk, name="Later")
    card = as_ed.patch(path(full), json={"labelIds": [str(other.pk)], "assigneeIds": [str(vera.pk)]}).json()["card"]
    assert (card["labelIds"], card["assigneeIds"]) == ([str(other.pk)], [str(vera.pk)])
    card = as_ed.patch(path(full), json={"labelIds": [], "assigneeIds": []}).json()["card"]
    assert (card["labelIds"], card["assigneeIds"]) == ([], [])


def test_labels_are_replaced_with_those_that_came_while_the_call_waited(as_olga, ed, card, label, monkeypatch):
    waiting = [create_label(actor=web(ed), board_id=card.board_id, name="Later").pk]

    def after_ed(action):
        def act(**arguments):
            while waiting:  # the first action waits for Ed, who has locked the board
                add_label(actor=web(ed), card_id=card.pk, label_id=waiting.pop())
            return action(**arguments)

        return act

    for name in ("update_card", "add_label"):
        monkeypatch.setattr(views, name, after_ed(getattr(views, name)))
    answer = as_olga.patch(path(card), json={"labelIds": [str(label.pk)]})
    assert answer.json()["card"]["labelIds"] == [str(label.pk)]


@pytest.mark.parametrize("name", ["labelIds", "assigneeIds"])
def test_an_id_of_another_board_is_not_found_and_nothing_changes(as_ed, full, ed, stan, name):
    elsewhere = create_board(actor=web(stan), title="Elsewhere")
    ids = {
        "labelIds": create_label(actor=web(stan), board_id=elsewhere.pk, name="Theirs").pk,
        "assigneeIds": stan.pk,
    }
    before = Board.objects.get(pk=full.board_id).version
    sent = {"title": "Changed", name: [str(ids[name])]}
    assert is_refused(as_ed.patch(path(full), json=sent), 404, "not of this board", str(ids[name]))
    assert Board.objects.get(pk=full.board_id).version == before
    assert not Card.objects.filter(title="Changed").exists()


def test_a_picture_of_the_card_becomes_its_cover(as_ed, full):
    picture = as_ed.get(path(full)).json()["card"]["attachments"][0]["id"]
    assert as_ed.patch(path(full), json={"coverAttachmentId": picture}).json()["card"]["coverAttachmentId"] == picture
    assert as_ed.patch(path(full), json={"coverAttachmentId": None}).json()["card"]["coverAttachmentId"] is None
    assert is_refused(as_ed.patch(path(full), json={"coverAttachmentId": str(full.pk)}), 404)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": "Write the announcement"},
        {"description": None},
        {"description": ""},
        {"dueDate": None},
        {"labelIds": []},
        {"assigneeIds": []},
    ],
)
def test_a_patch_that_changes_nothing_is_no_change(as_ed, card, body):
    answer = as_ed.patch(path(card), json=body)
    assert answer.status_code == 200
    assert answer.headers["ETag"] == f'"{card.version}"'
    assert last(card.board).version == card.version


@pytest.mark.parametrize("color", [None, "teal"])
def test_a_card_with_a_cover_picture_that_is_sent_back_as_it_was_read_does_not_change(as_ed, full, color):
    picture = as_ed.get(path(full)).json()["card"]["attachments"][0]["id"]
    as_ed.patch(path(full), json={"coverColor": color})
    read = as_ed.patch(path(full), json={"coverAttachmentId": picture})
    sent = {name: value for name, value in read.json()["card"].items() if name in ACCEPTED}
    answer = as_ed.patch(path(full), json=sent)
    assert (answer.headers["ETag"], answer.json()) == (read.headers["ETag"], read.json())


def test_another_color_comes_with_the_picture_that_is_sent_beside_it(as_ed, full):
    picture = as_ed.get(path(full)).json()["card"]["attachments"][0]["id"]
    sent = {"coverColor": "coral", "coverAttachmentId": picture}
    for _time in range(2):
        card = as_ed.patch(path(full), json=sent).json()["card"]
        assert {name: card[name] for name in sent} == sent


VALUES = [None, 0, 1.5, True, "", "x", "2026-12-01", [], ["x"], [None], {}, {"a": 1}]
ACCEPTED = {  # of VALUES, by their place
    "title": {5, 6},
    "description": {0, 4, 5, 6},
    "dueDate": {0, 6},
    "startDate": {0, 6},
    "recurrence": {0},
    "coverColor": {0},
    "coverAttachmentId": {0},
    "labelIds": {7},
    "assigneeIds": {7},
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_patch_with_a_wrong_value_is_refused_and_names_the_field(as_ed, card, name):
    for place, value in enumerate(VALUES):
        answer = as_ed.patch(path(card), json={name: value})
        if place in ACCEPTED[name]:
            assert answer.status_code == 200, (value, answer.text)
        elif answer.status_code == 404:  # text or a list of texts where ids are expected
            assert name in ("coverAttachmentId", "labelIds", "assigneeIds"), value
        else:
            assert is_refused(answer, 400, name), value


def test_a_patch_may_be_a_merge_patch(as_ed, card):
    patch = {"Content-Type": "application/merge-patch+json"}
    assert as_ed.patch(path(card), content=b'{"title": "Print"}', headers=patch).json()["card"]["title"] == "Print"
    assert is_refused(as_ed.patch(path(card), content=b"{}", headers={"Content-Type": "text/plain"}), 415)
    assert is_refused(as_ed.post(path(card, "move"), content=b"{}", headers=patch), 415)


def test_an_unknown_field_is_refused_with_the_nearest_known_one(as_ed, card):
    assert is_refused(as_ed.patch(path(card), json={"due": "2026-12-01"}), 400, "due", "dueDate")


def test_a_repeating_card_needs_a_date(as_ed, card):
    assert is_refused(as_ed.patch(path(card), json={"recurrence": "daily"}), 400, "dueDate")
    assert not Card.objects.exclude(recurrence="").exists()


def test_a_viewer_may_not_change_a_card(as_vera, card):
    assert is_refused(as_vera.patch(path(card), json={"title": "Mine"}), 403, "view")
    for act in ("complete", "reopen", "archive", "restore", "move"):
        assert is_refused(as_vera.post(path(card, act), json={}), 403)
    assert is_refused(as_vera.delete(path(card)), 403)


# Versions


def test_a_card_that_the_caller_has_is_not_sent_again(as_vera, card):
    tag = as_vera.get(path(card)).headers["ETag"]
    for sent in (tag, f"W/{tag}", f'"0", {tag}', "*"):
        answer = as_vera.get(path(card), headers={"If-None-Match": sent})
        assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", tag)
    assert as_vera.get(path(card), headers={"If-None-Match": '"0"'}).status_code == 200


@pytest.mark.parametrize("sent", ['"{}"', 'W/"{}"', '"0", "{}"', "*"])
def test_a_change_of_the_version_that_is_named_is_made(as_ed, card, sent):
    headers = {"If-Match": sent.format(card.version)}
    assert as_ed.patch(path(card), json={"title": "New"}, headers=headers).json()["card"]["title"] == "New"


@pytest.mark.parametrize("sent", ['"{}"', '"0"', '"x"', "", '"99999999999999999999"'])
def test_a_change_of_another_version_is_refused_and_changes_nothing(as_ed, olga, card, sent):
    update_card(actor=web(olga), card_id=card.pk, title="Hers")
    headers = {"If-Match": sent.format(card.version)}
    for body in ({"title": "His"}, {}, {"labelIds": []}, {"title": "Hers"}):
        assert is_refused(as_ed.patch(path(card), json=body, headers=headers), 412, "changed")
    for act in ("complete", "reopen", "archive", "restore", "move"):
        assert is_refused(as_ed.post(path(card, act), json={}, headers=headers), 412)
    assert last(card.board).verb == "card.changed"
    assert last(card.board).user == olga


def test_deleting_another_version_is_refused(as_olga, olga, card):
    archive_card(actor=web(olga), card_id=card.pk)
    assert is_refused(as_olga.delete(path(card), headers={"If-Match": f'"{card.version}"'}), 412)
    now = Card.objects.get().version
    assert as_olga.delete(path(card), headers={"If-Match": f'"{now}"'}).status_code == 204


def test_several_changes_of_one_patch_count_as_one_for_its_version(as_ed, card, label, ed):
    sent = {"title": "New", "labelIds": [str(label.pk)], "assigneeIds": [str(ed.pk)], "coverColor": "red"}
    got = as_ed.patch(path(card), json=sent, headers={"If-Match": f'"{card.version}"'})
    assert got.json()["card"]["labelIds"] == [str(label.pk)]


def test_of_twenty_changes_of_one_version_one_is_made(connect, unlimited, ed, card):
    client = connect(token_of(ed))
    tag = {"If-Match": f'"{card.version}"'}
    answers = at_once(20, lambda number: client.patch(path(card), json={"title": f"No. {number}"}, headers=tag))
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * 19]
    assert Activity.objects.filter(board=card.board, verb="card.changed").count() == 1


def test_if_match_is_refused_where_nothing_has_a_version(as_ed, card):
    tag = {"If-Match": '"1"'}
    assert is_refused(as_ed.post(path(card, "copy"), json={}, headers=tag), 400, "If-Match")
    assert is_refused(as_ed.post("/api/v1/cards/batch", json={}, headers=tag), 400, "If-Match")
    assert as_ed.post("/api/v1/cards", json={"listId": str(card.list_id), "title": "x"}, headers=tag).status_code == 201


# Acts


def test_a_card_is_completed_and_reopened(as_ed, card):
    done = as_ed.post(path(card, "complete")).json()["card"]
    assert done["completed"] is True
    assert done["completedAt"]
    again = as_ed.post(path(card, "complete"), json={})
    assert (again.status_code, again.json()["card"]) == (200, done)
    assert as_ed.post(path(card, "reopen")).json()["card"]["completedAt"] is None


def test_archiving_a_recurring_card_answers_its_next_occurrence(as_ed, card):
    as_ed.patch(path(card), json={"dueDate": "2026-12-01", "recurrence": "weekly"})
    answer = as_ed.post(path(card, "archive")).json()
    assert answer["card"]["archivedAt"]
    assert answer["card"]["recurrence"] is None
    assert (answer["next"]["recurrence"], answer["next"]["title"]) == ("weekly", card.title)
    assert "next" not in as_ed.post(path(card, "archive")).json()
    assert as_ed.post(path(card, "restore")).json()["card"]["recurrence"] == "weekly"
    assert is_refused(as_ed.get(f"/api/v1/cards/{answer['next']['id']}"), 404)


def test_an_archived_card_is_restored_before_it_is_changed(as_ed, card):
    as_ed.post(path(card, "archive"))
    assert is_refused(as_ed.patch(path(card), json={"title": "x"}), 409, "Restore")
    for act in ("complete", "reopen", "move"):
        assert is_refused(as_ed.post(path(card, act), json={}), 409, "Restore")
    assert as_ed.post(path(card, "restore")).status_code == 200


def test_on_an_archived_board_nothing_is_written(as_olga, as_vera, olga, card):
    archive_board(actor=web(olga), board_id=card.board_id)
    for answer in (as_olga.patch(path(card), json={"title": "x"}), as_olga.post(path(card, "complete"))):
        assert is_refused(answer, 409, ARCHIVED_BOARD)
    assert is_refused(as_vera.patch(path(card), json={"title": "x"}), 403)


def test_a_card_moves_to_a_place(as_ed, olga, card, todo, doing):
    first, second = (create_card(actor=web(olga), list_id=doing.pk, title=title) for title in ("One", "Two"))
    moved = as_ed.post(path(card, "move"), json={"listId": str(doing.pk), "place": {"before": str(second.pk)}})
    assert moved.json()["card"]["listId"] == str(doing.pk)
    assert [row.title for row in Card.objects.filter(list=doing)] == ["One", card.title, "Two"]
    as_ed.post(path(card, "move"), json={"place": "top"})
    as_ed.post(path(first, "move"), json={"place": {"after": str(second.pk)}})
    assert [row.title for row in Card.objects.filter(list=doing)] == [card.title, "Two", "One"]


@pytest.mark.parametrize("neighbor", ["elsewhere", "gone", "no id"])
def test_a_neighbor_that_is_not_there_is_a_conflict(as_ed, olga, card, doing, neighbor):
    other = create_card(actor=web(olga), list_id=doing.pk, title="Other")
    named = {"elsewhere": str(other.pk), "gone": str(doing.pk), "no id": "x"}[neighbor]
    for where in ("before", "after"):
        assert is_refused(as_ed.post(path(card, "move"), json={"place": {where: named}}), 409, "neighbor")
        body = {"listId": str(card.list_id), "title": "New", "place": {where: named}}
        assert is_refused(as_ed.post("/api/v1/cards", json=body), 409, "neighbor")
    assert Card.objects.count() == 2


@pytest.mark.parametrize("place", ["left", 1, {}, {"before": None}, {"before": "x", "after": "y"}, {"beside": "x"}, []])
def test_a_place_that_cannot_be_is_refused(as_ed, card, place):
    assert is_refused(as_ed.post(path(card, "move"), json={"place": place}), 400, "place")


def test_a_card_moves_to_another_board_and_gets_a_number_there(as_olga, olga, card):
    there = create_board(actor=web(olga), title="There", template="kanban")
    moved = as_olga.post(path(card, "move"), json={"listId": str(there.lists.first().pk)}).json()["card"]
    assert (moved["boardId"], moved["number"]) == (str(there.pk), 1)


def test_a_card_does_not_move_where_its_mover_is_no_editor(as_ed, vera, stan, card):
    theirs = create_board(actor=web(stan), title="Theirs", template="kanban")
    assert is_refused(as_ed.post(path(card, "move"), json={"listId": str(theirs.lists.first().pk)}), 404)


def test_a_card_without_its_due_date_does_not_repeat(as_ed, card):
    as_ed.patch(path(card), json={"dueDate": "2026-12-01", "recurrence": "weekly"})
    assert as_ed.patch(path(card), json={"dueDate": None}).json()["card"]["recurrence"] is None


def test_a_copy_comes_right_below_the_card(as_ed, olga, full):
    create_card(actor=web(olga), list_id=full.list_id, title="Behind")
    made = as_ed.post(path(full, "copy"), json={})
    copy = made.json()["card"]
    assert made.status_code == 201
    assert [row.title for row in Card.objects.filter(list=full.list)] == [full.title, full.title, "Behind"]
    assert (copy["commentCount"], len(copy["attachments"]), len(copy["checklists"])) == (0, 1, 2)


def test_a_copy_gets_the_title_list_and_place_that_are_sent(as_ed, olga, card, doing):
    create_card(actor=web(olga), list_id=doing.pk, title="Other")
    body = {"title": "Twin", "listId": str(doing.pk), "place": "top"}
    as_ed.post(path(card, "copy"), json=body)
    assert [row.title for row in Card.objects.filter(list=doing)] == ["Twin", "Other"]


def test_no_copy_is_made_in_an_archived_list_named_or_not(as_ed, olga, card, doing):
    archive_list(actor=web(olga), list_id=card.list_id)
    archive_list(actor=web(olga), list_id=doing.pk)
    for body in ({}, {"listId": str(doing.pk)}):
        assert is_refused(as_ed.post(path(card, "copy"), json=body), 409, "This list is archived. Restore it first.")


def test_no_copy_is_made_of_a_card_on_an_archived_board(as_olga, as_stan, olga, card):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    archive_board(actor=web(olga), board_id=card.board_id)
    for body in ({}, {"listId": str(other.lists.first().pk)}):
        assert is_refused(as_olga.post(path(card, "copy"), json=body), 409, ARCHIVED_BOARD)
        assert is_refused(as_stan.post(path(card, "copy"), json=body), 404)


def test_a_copy_comes_with_its_etag_kept_or_not(as_ed, card):
    once = {"Idempotency-Key": "once"}
    first, again = (as_ed.post(path(card, "copy"), json={}, headers=once) for _time in range(2))
    copy = Card.objects.exclude(pk=card.pk).get()
    assert first.headers["ETag"] == again.headers["ETag"] == as_ed.get(path(copy)).headers["ETag"]


def test_a_copy_is_made_once_for_a_key(as_ed, card):
    headers = {"Idempotency-Key": "once"}
    first, second = (as_ed.post(path(card, "copy"), json={}, headers=headers) for _time in range(2))
    assert (first.content, second.headers["Idempotency-Replayed"]) == (second.content, "true")
    assert Card.objects.count() == 2


def test_only_an_archived_card_is_deleted_and_only_by_the_owner(as_olga, as_ed, card):
    assert is_refused(as_olga.delete(path(card)), 409, "Archive")
    as_olga.post(path(card, "archive"))
    assert is_refused(as_ed.delete(path(card)), 403)
    assert as_olga.delete(path(card)).status_code == 204
    assert is_refused(as_olga.get(path(card)), 404)


# POST, beyond the fields of the first version


def test_a_card_is_created_with_labels_people_cover_and_place(as_ed, card, label, ed):
    body = {
        "listId": str(card.list_id),
        "title": "First",
        "labelIds": [str(label.pk)],
        "assigneeIds": [str(ed.pk)],
        "coverColor": "pink",
        "dueDate": "2026-12-01",
        "recurrence": "monthly",
        "place": {"before": str(card.pk)},
    }
    made = as_ed.post("/api/v1/cards", json=body)
    assert list(made.json()["card"]) == ["id", "title", "listId", "boardId", "dueDate", "url"]
    shown = as_ed.get(f"/api/v1/cards/{made.json()['card']['id']}").json()["card"]
    assert {name: shown[name] for name in ("labelIds", "assigneeIds", "coverColor", "recurrence")} == {
        name: body[name] for name in ("labelIds", "assigneeIds", "coverColor", "recurrence")
    }
    assert [row.title for row in Card.objects.filter(list=card.list)] == ["First", card.title]


def test_a_new_card_with_a_foreign_label_is_refused(as_ed, card, stan):
    elsewhere = create_board(actor=web(stan), title="Elsewhere", template="kanban")
    theirs = elsewhere.lists.first().pk
    body = {"listId": str(card.list_id), "title": "x"}
    assert is_refused(as_ed.post("/api/v1/cards", json=body | {"labelIds": [str(theirs)]}), 404, "not of this board")
    assert is_refused(
        as_ed.post("/api/v1/cards", json=body | {"assigneeIds": [str(stan.pk)]}), 404, "not of this board"
    )
    assert Card.objects.get() == card


@pytest.mark.parametrize("number", [1, 30])
def test_reading_a_card_takes_the_same_statements_however_much_is_on_it(connect, statements, olga, board, card, number):
    checklist = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    for count in range(number):
        label = create_label(actor=web(olga), board_id=board.pk, name=f"Label {count}")
        CardLabel.objects.create(board=board, card=card, label=label)
        add_item(actor=web(olga), checklist_id=checklist.pk, text="Item")
        add_comment(actor=web(olga), card_id=card.pk, text="Words")
    Assignment.objects.create(board=board, card=card, user=olga)
    client = connect(token_of(olga))
    client.get("/api/v1/me")
    statements.clear()
    assert client.get(path(card)).status_code == 200
    assert len(statements) == 2, statements


def test_a_list_of_another_board_may_hold_the_same_number(as_olga, olga, card):
    there = create_board(actor=web(olga), title="There")
    row = create_list(actor=web(olga), board_id=there.pk, title="Row")
    twin = create_card(actor=web(olga), list_id=row.pk, title="Twin")
    assert twin.number == card.number
    for one in (card, twin):
        found = as_olga.get(f"/api/v1/boards/{one.board_id}/cards/{one.number}").json()["card"]
        assert found["id"] == str(one.pk)
