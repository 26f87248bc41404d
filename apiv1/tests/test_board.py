"""Single boards and their lists."""

import pytest

from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board, create_board, update_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import archive_list, create_list, rename_list
from boards.actions.people.members import change_role
from boards.models import Board, List
from boards.tests.world import last
from conftest import person, web


def path(board, part=""):
    return f"/api/v1/boards/{board.pk}{part and '/'}{part}"


def list_path(row, act=""):
    return f"/api/v1/lists/{row.pk}{act and '/'}{act}"


def test_a_board_is_read_with_lists_labels_and_members(as_vera, board, todo, doing, card, olga):
    create_label(actor=web(olga), board_id=board.pk, name="Urgent", hue=1)
    archive_list(actor=web(olga), list_id=doing.pk)
    got = as_vera.get(path(board))
    found = got.json()["board"]
    assert (found["title"], found["color"], found["role"], found["archivedAt"]) == ("Launch", "blue", "viewer", None)
    assert [(row["title"], row["cardCount"], row["boardId"]) for row in found["lists"]] == [("To do", 1, str(board.pk))]
    assert [(label["name"], label["color"]) for label in found["labels"]] == [("Urgent", "red")]
    assert [(one["name"], one["role"]) for one in found["members"]] == [
        ("Olga", "owner"),
        ("Ed", "editor"),
        ("Vera", "viewer"),
    ]
    assert got.headers["ETag"] == f'"{found["version"]}"'
    assert "@" not in got.text


def test_the_version_of_a_board_is_that_of_its_own_fields(as_vera, board, todo, card, olga, ed, vera):
    def version():
        return int(as_vera.get(path(board)).headers["ETag"].strip('"'))

    known = version()
    update_card(actor=web(ed), card_id=card.pk, title="Other")
    assert version() == known
    for change in (
        lambda: update_board(actor=web(ed), board_id=board.pk, title="Liftoff"),
        lambda: rename_list(actor=web(ed), list_id=todo.pk, title="Next"),
        lambda: create_label(actor=web(ed), board_id=board.pk, name="Late"),
        lambda: change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer"),
    ):
        change()
        known, before = version(), known
        assert known == last(board).version > before


def test_a_board_that_the_caller_has_is_not_sent_again(as_vera, board):
    tag = as_vera.get(path(board)).headers["ETag"]
    assert as_vera.get(path(board), headers={"If-None-Match": tag}).status_code == 304


def test_a_board_is_renamed_and_recolored(as_ed, board):
    changed = as_ed.patch(path(board), json={"title": "Liftoff", "color": "rose"}).json()["board"]
    assert (changed["title"], changed["color"]) == ("Liftoff", "rose")
    version = Board.objects.get(pk=board.pk).version
    assert as_ed.patch(path(board), json={"title": "Liftoff"}).json()["board"] == changed
    assert Board.objects.get(pk=board.pk).version == version


@pytest.mark.parametrize(
    "body", [{"title": None}, {"title": ""}, {"title": 1}, {"color": None}, {"color": 8}, {"hue": 1}]
)
def test_a_wrong_change_of_a_board_is_refused(as_ed, board, body):
    assert is_refused(as_ed.patch(path(board), json=body), 400, *body)


def test_a_board_of_another_version_is_not_changed(as_ed, board):
    assert is_refused(as_ed.patch(path(board), json={"title": "x"}, headers={"If-Match": '"1"'}), 412)
    tag = as_ed.get(path(board)).headers["ETag"]
    assert as_ed.patch(path(board), json={"title": "x"}, headers={"If-Match": tag}).status_code == 200


def test_a_viewer_changes_no_board_and_a_stranger_sees_none(as_vera, as_stan, board):
    assert is_refused(as_vera.patch(path(board), json={"title": "Mine"}), 403)
    for answer in (
        as_stan.get(path(board)),
        as_stan.patch(path(board), json={"title": "x"}),
        as_stan.delete(path(board)),
    ):
        assert is_refused(answer, 404)


def test_only_the_owner_archives_restores_and_deletes(as_olga, as_ed, board):
    for act in ("archive", "restore"):
        assert is_refused(as_ed.post(path(board, act)), 403)
    assert is_refused(as_olga.delete(path(board)), 409, "Archive")
    assert as_olga.post(path(board, "archive")).json()["board"]["archivedAt"]
    assert is_refused(as_ed.delete(path(board)), 403)
    assert as_olga.post(path(board, "restore")).json()["board"]["archivedAt"] is None
    as_olga.post(path(board, "archive"))
    assert as_olga.delete(path(board)).status_code == 204
    assert is_refused(as_olga.get(path(board)), 404)


def test_archived_boards_are_listed_when_they_are_asked_for(as_olga, olga, board, todo):
    assert as_olga.get("/api/v1/boards?archived=true").json() == {"boards": []}
    archive_board(actor=web(olga), board_id=board.pk)
    [found] = as_olga.get("/api/v1/boards?archived=true").json()["boards"]
    assert found == {"id": str(board.pk), "title": "Launch", "lists": [{"id": str(todo.pk), "title": "To do"}]}
    assert as_olga.get("/api/v1/boards").json() == {"boards": []}
    assert is_refused(as_olga.get("/api/v1/boards?archived=yes"), 400, "archived")


def test_restoring_at_the_cap_of_boards_is_refused(as_olga, olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    for number in range(10):
        create_board(actor=web(olga), title=f"Board {number}")
    assert is_refused(as_olga.post(path(board, "restore")), 403, "limit")


def test_a_board_is_copied_with_or_without_its_cards(as_vera, board, todo, card, vera):
    for cards, expected in ((False, 0), (True, 1)):
        made = as_vera.post(path(board, "copy"), json={"title": "Copy", "cards": cards})
        copy = made.json()["board"]
        assert (made.status_code, copy["role"]) == (201, "owner")
        assert [(row["title"], row["cardCount"]) for row in copy["lists"]] == [("To do", expected)]
    assert is_refused(as_vera.post(path(board, "copy"), json={}), 400, "title")
    assert is_refused(as_vera.post(path(board, "copy"), json={"title": "x", "cards": 1}), 400, "cards")


def test_a_copy_of_a_board_comes_with_its_etag_kept_or_not(as_ed, board):
    once = {"Idempotency-Key": "once"}
    first, again = (as_ed.post(path(board, "copy"), json={"title": "Copy"}, headers=once) for _time in range(2))
    version = first.json()["board"]["version"]
    assert first.headers["ETag"] == again.headers["ETag"] == f'"{version}"'
    assert as_ed.get(path(Board.objects.get(title="Copy"))).headers["ETag"] == first.headers["ETag"]


def test_an_archived_board_is_restored_before_it_is_copied(as_olga, as_stan, olga, board):
    archive_board(actor=web(olga), board_id=board.pk)
    sent = {"title": "Copy"}
    assert is_refused(as_olga.post(path(board, "copy"), json=sent), 409, "This board is archived. Restore it first.")
    assert is_refused(as_stan.post(path(board, "copy"), json=sent), 404)
    as_olga.patch("/api/v1/tokens/current", json={"access": "read"})
    assert is_refused(as_olga.post(path(board, "copy"), json=sent), 403, "may only read")


@pytest.mark.parametrize("number", [2, 40])
def test_reading_a_board_takes_the_same_statements_however_much_is_on_it(connect, statements, olga, board, number):
    for count in range(number):
        row = create_list(actor=web(olga), board_id=board.pk, title=f"List {count}")
        create_card(actor=web(olga), list_id=row.pk, title="Card")
        create_label(actor=web(olga), board_id=board.pk, name=f"Label {count}")
        if count < 10:
            person(f"p{count}")
    client = connect(token_of(olga))
    client.get("/api/v1/me")
    statements.clear()
    assert len(client.get(path(board)).json()["board"]["lists"]) == number
    assert len(statements) == 5, statements


# Lists


def test_lists_are_listed_in_display_order_open_or_archived(as_vera, olga, board, todo, doing, card):
    archive_card(actor=web(olga), card_id=card.pk)
    shown = as_vera.get(path(board, "lists")).json()["lists"]
    assert [(row["title"], row["cardCount"]) for row in shown] == [("To do", 0), ("Doing", 0)]
    archive_list(actor=web(olga), list_id=doing.pk)
    [archived] = as_vera.get(path(board, "lists?archived=true")).json()["lists"]
    assert archived["title"] == "Doing"
    assert archived["archivedAt"]
    assert is_refused(as_vera.get(path(board, "lists?limit=5")), 400, "limit")


def test_a_list_is_created_at_a_place_with_a_limit(as_ed, board, todo, doing):
    made = as_ed.post(path(board, "lists"), json={"title": "Between", "place": {"after": str(todo.pk)}, "cardLimit": 5})
    row = made.json()["list"]
    assert made.status_code == 201
    assert (row["title"], row["cardLimit"], row["cardCount"]) == ("Between", 5, 0)
    assert [one.title for one in List.objects.filter(board=board)] == ["To do", "Between", "Doing"]
    as_ed.post(path(board, "lists"), json={"title": "First", "place": "top"})
    as_ed.post(path(board, "lists"), json={"title": "Last"})
    assert [one.title for one in List.objects.filter(board=board)] == ["First", "To do", "Between", "Doing", "Last"]


def test_a_list_is_created_once_for_a_key(as_ed, board):
    headers = {"Idempotency-Key": "once"}
    first, second = (as_ed.post(path(board, "lists"), json={"title": "One"}, headers=headers) for _time in range(2))
    assert (first.content, second.headers["Idempotency-Replayed"]) == (second.content, "true")
    assert List.objects.count() == 1


def test_a_new_list_comes_with_its_etag_kept_or_not(as_ed, board):
    once = {"Idempotency-Key": "once"}
    first, again = (as_ed.post(path(board, "lists"), json={"title": "One"}, headers=once) for _time in range(2))
    assert first.headers["ETag"] == again.headers["ETag"] == as_ed.get(list_path(List.objects.get())).headers["ETag"]


def test_a_list_is_renamed_limited_and_moved(as_ed, board, todo, doing):
    changed = as_ed.patch(list_path(todo), json={"title": "Next", "cardLimit": 3, "place": "bottom"}).json()["list"]
    assert (changed["title"], changed["cardLimit"]) == ("Next", 3)
    assert [one.title for one in List.objects.filter(board=board)] == ["Doing", "Next"]
    assert as_ed.patch(list_path(todo), json={"cardLimit": None}).json()["list"]["cardLimit"] is None
    assert as_ed.get(list_path(todo)).json()["list"] == as_ed.patch(list_path(todo), json={}).json()["list"]


@pytest.mark.parametrize(
    "body",
    [{"title": None}, {"title": ""}, {"cardLimit": 0}, {"cardLimit": 1000}, {"cardLimit": True}, {"place": None}],
)
def test_a_wrong_change_of_a_list_is_refused(as_ed, todo, body):
    assert is_refused(as_ed.patch(list_path(todo), json=body), 400, *body)


def test_a_list_of_another_version_is_not_changed(as_ed, olga, todo):
    rename_list(actor=web(olga), list_id=todo.pk, title="Hers")
    headers = {"If-Match": f'"{todo.version}"'}
    for answer in (
        as_ed.patch(list_path(todo), json={"title": "His"}, headers=headers),
        as_ed.patch(list_path(todo), json={}, headers=headers),
        as_ed.post(list_path(todo, "archive"), headers=headers),
    ):
        assert is_refused(answer, 412)
    assert List.objects.get().title == "Hers"


def test_a_list_stays_on_its_board(as_ed, board, todo, card):
    assert as_ed.patch(list_path(todo), json={"boardId": str(board.pk)}).status_code == 200
    assert is_refused(as_ed.patch(list_path(todo), json={"boardId": str(card.pk)}), 409, "Move its cards")


def test_the_board_of_a_list_alone_is_checked_as_other_changes_are(as_ed, as_vera, board, todo):
    for sent in ({"boardId": str(board.pk)}, {"boardId": str(todo.pk)}):
        assert is_refused(as_vera.patch(list_path(todo), json=sent), 403)
        assert is_refused(as_ed.patch(list_path(todo), json=sent, headers={"If-Match": '"0"'}), 412)


def test_a_neighbor_of_a_list_that_is_not_there_is_a_conflict(as_ed, todo, card):
    assert is_refused(as_ed.patch(list_path(todo), json={"place": {"after": str(card.pk)}}), 409, "neighbor")


def test_an_archived_list_is_restored_before_it_is_changed(as_ed, todo, card):
    assert as_ed.post(list_path(todo, "archive")).json()["list"]["archivedAt"]
    assert is_refused(as_ed.patch(list_path(todo), json={"title": "x"}), 409, "Restore")
    assert is_refused(as_ed.post("/api/v1/cards", json={"listId": str(todo.pk), "title": "x"}), 404)
    assert as_ed.post(list_path(todo, "restore")).json()["list"]["cardCount"] == 1


def test_only_an_archived_list_is_deleted_and_only_by_the_owner(as_olga, as_ed, todo):
    assert is_refused(as_olga.delete(list_path(todo)), 409, "Archive")
    as_olga.post(list_path(todo, "archive"))
    assert is_refused(as_ed.delete(list_path(todo)), 403)
    assert as_olga.delete(list_path(todo)).status_code == 204
    assert not List.objects.exists()


def test_a_viewer_changes_no_list_and_a_stranger_sees_none(as_vera, as_stan, board, todo):
    assert is_refused(as_vera.post(path(board, "lists"), json={"title": "Mine"}), 403)
    assert is_refused(as_vera.patch(list_path(todo), json={"title": "Mine"}), 403)
    for answer in (
        as_stan.get(list_path(todo)),
        as_stan.get(path(board, "lists")),
        as_stan.post(list_path(todo, "archive")),
    ):
        assert is_refused(answer, 404)


def test_a_list_moved_by_making_room_keeps_its_version(as_ed, olga, board, todo, doing):
    third = create_list(actor=web(olga), board_id=board.pk, title="Third")
    for place, row in enumerate((todo, doing, third), 7):
        List.objects.filter(pk=row.pk).update(position=place)
    tag = as_ed.get(list_path(todo)).headers["ETag"]
    as_ed.patch(list_path(third), json={"place": {"after": str(todo.pk)}})
    assert [row.title for row in List.objects.filter(board=board)] == ["To do", "Third", "Doing"]
    assert as_ed.get(list_path(todo)).headers["ETag"] == tag
