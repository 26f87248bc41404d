from uuid_utils.compat import uuid7

from boards.actions.boards.board import archive_board, create_board
from boards.actions.lists.list import archive_list, create_list, move_list
from boards.actions.ordering import TOP
from boards.actions.people.members import remove_member
from boards.actions.sharing.invitations import accept_invitation, invite_member
from conftest import web

BOARDS = "/api/v1/boards"


def titles(answer):
    return [board["title"] for board in answer.json()["boards"]]


def test_a_board_has_id_title_and_lists(as_olga, board, todo, doing):
    answer = as_olga.get(BOARDS)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    lists = [{"id": str(todo.pk), "title": "To do"}, {"id": str(doing.pk), "title": "Doing"}]
    assert answer.json() == {"boards": [{"id": str(board.pk), "title": "Launch", "lists": lists}]}


def test_boards_of_every_role_are_listed(as_olga, as_ed, as_vera, board):
    assert titles(as_olga.get(BOARDS)) == titles(as_ed.get(BOARDS)) == titles(as_vera.get(BOARDS)) == ["Launch"]


def test_strangers_do_not_see_the_board(as_stan, board):
    assert as_stan.get(BOARDS).json() == {"boards": []}


def test_an_invited_person_does_not_see_the_board_before_they_accept(as_stan, board, todo, olga, stan):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    assert as_stan.get(BOARDS).json() == {"boards": []}
    unknown = as_stan.post("/api/v1/cards", json={"listId": str(uuid7()), "title": "Sneaked in"})
    assert unknown.status_code == 404
    assert as_stan.post("/api/v1/cards", json={"listId": str(todo.pk), "title": "Sneaked in"}).status_code == 403
    accept_invitation(actor=web(stan), invitation_id=invitation.pk)
    assert titles(as_stan.get(BOARDS)) == ["Launch"]


def test_a_removed_member_no_longer_sees_the_board(as_ed, board, olga, ed):
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert titles(as_ed.get(BOARDS)) == []


def test_the_oldest_board_comes_first_whoever_owns_it(as_ed, board, ed):
    create_board(actor=web(ed), title="A later one")
    create_board(actor=web(ed), title="The last")
    assert titles(as_ed.get(BOARDS)) == ["Launch", "A later one", "The last"]


def test_archived_boards_are_left_out(as_olga, board, olga):
    create_board(actor=web(olga), title="Still open")
    archive_board(actor=web(olga), board_id=board.pk)
    assert titles(as_olga.get(BOARDS)) == ["Still open"]


def test_lists_are_in_display_order(as_olga, board, todo, doing, olga):
    move_list(actor=web(olga), list_id=doing.pk, place=TOP)
    create_list(actor=web(olga), board_id=board.pk, title="Done")
    [found] = as_olga.get(BOARDS).json()["boards"]
    assert [row["title"] for row in found["lists"]] == ["Doing", "To do", "Done"]


def test_archived_lists_are_left_out(as_olga, todo, doing, olga):
    archive_list(actor=web(olga), list_id=todo.pk)
    [found] = as_olga.get(BOARDS).json()["boards"]
    assert [row["title"] for row in found["lists"]] == ["Doing"]


def test_lists_are_shown_under_their_own_board(as_olga, board, todo, olga):
    other = create_board(actor=web(olga), title="Other")
    create_list(actor=web(olga), board_id=other.pk, title="Over there")
    launch, found = as_olga.get(BOARDS).json()["boards"]
    assert [row["title"] for row in launch["lists"]] == ["To do"]
    assert [row["title"] for row in found["lists"]] == ["Over there"]


def test_text_comes_back_as_it_was_written(as_olga, olga):
    create_board(actor=web(olga), title='Grüße \\ "日本" 🎉 </script>')
    assert titles(as_olga.get(BOARDS)) == ['Grüße \\ "日本" 🎉 </script>']


def test_head_answers_as_get_without_a_body(as_olga, board):
    get, head = as_olga.get(BOARDS), as_olga.head(BOARDS)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == get.headers["Content-Length"]
