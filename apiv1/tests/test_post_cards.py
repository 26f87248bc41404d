import pytest

from accounts.models import ApiToken
from apiv1.tests.calls import is_refused
from boards.actions.boards.board import archive_board, create_board, delete_board
from boards.actions.cards.card import create_card
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Card
from boards.models.verbs import Door, Verb
from boards.richtext import from_markdown
from conftest import web

pytestmark = pytest.mark.usefixtures("base_url")
CARDS = "/api/v1/cards"
NOBODYS = "01938f5e-7b1a-7c3d-8e4f-0123456789ab"  # a well-formed id that no row has


@pytest.fixture
def hints(monkeypatch):
    sent = []
    monkeypatch.setattr("boards.actions.change.hint", lambda board_id, version: sent.append((board_id, version)))
    return sent


def nothing_changed(board):
    version = board.version
    board.refresh_from_db()
    return board.version == version and not Card.objects.exists()


def test_a_card_is_created_and_returned(as_olga, board, todo):
    body = {"listId": str(todo.pk), "title": "Call the printer", "dueDate": "2026-12-01T09:00:00Z"}
    answer = as_olga.post(CARDS, json=body)
    assert answer.status_code == 201
    assert answer.headers["Content-Type"] == "application/json"
    made = Card.objects.get()
    assert answer.json() == {
        "card": {
            "id": str(made.pk),
            "title": "Call the printer",
            "listId": str(todo.pk),
            "boardId": str(board.pk),
            "dueDate": "2026-12-01T09:00:00Z",
            "url": f"/board/{board.pk}?card={made.pk}",
        }
    }
    assert (made.title, made.list, made.board) == ("Call the printer", todo, board)


def test_a_new_card_goes_to_the_end_of_the_list(as_olga, todo, card):
    as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Second"})
    as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Third"})
    assert [card.title for card in todo.cards.all()] == ["Write the announcement", "Second", "Third"]


def test_editors_may_create_cards(as_ed, todo):
    assert as_ed.post(CARDS, json={"listId": str(todo.pk), "title": "Mine too"}).status_code == 201


def test_a_card_without_a_list_goes_to_the_first_list_of_the_board(as_olga, board, todo, doing):
    made = as_olga.post(CARDS, json={"boardId": str(board.pk), "title": "Somewhere"}).json()["card"]
    assert (made["listId"], made["boardId"]) == (str(todo.pk), str(board.pk))


def test_archived_lists_do_not_count_as_the_first_list(as_olga, board, todo, doing, olga):
    archive_list(actor=web(olga), list_id=todo.pk)
    made = as_olga.post(CARDS, json={"boardId": str(board.pk), "title": "Somewhere"}).json()["card"]
    assert made["listId"] == str(doing.pk)


@pytest.mark.parametrize("board_id", [NOBODYS, "nonsense", "", 7, ["a"], None])
def test_the_list_wins_and_the_board_is_ignored(as_olga, todo, board_id):
    answer = as_olga.post(CARDS, json={"listId": str(todo.pk), "boardId": board_id, "title": "There"})
    assert answer.status_code == 201
    assert answer.json()["card"]["listId"] == str(todo.pk)


def test_the_list_wins_over_another_board_of_mine(as_olga, board, todo, olga):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    made = as_olga.post(CARDS, json={"listId": str(todo.pk), "boardId": str(other.pk), "title": "There"}).json()["card"]
    assert (made["listId"], made["boardId"]) == (str(todo.pk), str(board.pk))


def test_null_means_absent(as_olga, board, todo):
    body = {"listId": None, "boardId": str(board.pk), "title": "Bare", "description": None, "dueDate": None}
    answer = as_olga.post(CARDS, json=body)
    assert answer.status_code == 201
    assert answer.json()["card"]["dueDate"] is None
    made = Card.objects.get()
    assert (made.due_at, made.description, made.list) == (None, None, todo)


def test_unknown_fields_are_ignored(as_olga, todo):
    body = {"listId": str(todo.pk), "title": "Plain", "completed": True, "number": 99}
    assert as_olga.post(CARDS, json=body).status_code == 201
    made = Card.objects.get()
    assert (made.completed_at, made.number) == (None, 1)


def test_the_description_is_read_as_markdown(as_olga, todo):
    markdown = "# Plan\n\n- [ ] **call** the printer\n- [x] ask [Ed](https://example.com)\n\n```\nmake\n```"
    answer = as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Print", "description": markdown})
    assert answer.status_code == 201
    document = Card.objects.get().description
    assert document == from_markdown(markdown)
    assert [node["type"] for node in document["content"]] == ["heading", "taskList", "codeBlock"]


def test_the_activity_says_what_was_created_by_whom_with_which_token(as_ed, todo, ed, board):
    as_ed.post(CARDS, json={"listId": str(todo.pk), "title": "Print"})
    token, made = ApiToken.objects.get(), Card.objects.get()
    activity = Activity.objects.filter(board=board).first()
    assert (activity.verb, activity.card_id) == (Verb.CARD_CREATED, made.pk)
    assert (activity.user_id, activity.door) == (ed.pk, Door.API)
    assert (activity.token_id, activity.token_name) == (token.pk, token.name)


def test_open_pages_of_the_board_get_a_hint(as_olga, board, todo, hints):
    as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Print"})
    board.refresh_from_db()
    assert hints == [(board.pk, board.version)]


def test_a_refused_card_sends_no_hint(as_vera, todo, hints):
    as_vera.post(CARDS, json={"listId": str(todo.pk), "title": "Print"})
    assert hints == []


@pytest.mark.parametrize(
    "body, words",
    [
        ({}, "title is missing"),
        ({"title": None}, "title is missing"),
        ({"title": ""}, "title must not be empty"),
        ({"title": "x" * 501}, "title must have at most 500"),
        ({"title": 7}, "title"),
        ({"description": 7}, "description"),
        ({"description": ["a"]}, "description"),
        ({"description": "x" * 20_001}, "description must have at most 20000"),
        ({"dueDate": 7}, "dueDate"),
        ({"dueDate": ""}, "dueDate"),
        ({"dueDate": "tomorrow"}, "dueDate"),
        ({"listId": 7}, "listId must be a string"),
        ({"listId": {}}, "listId must be a string"),
    ],
)
def test_an_invalid_body_is_refused_and_the_field_is_named(as_olga, board, todo, body, words):
    fine = {"listId": str(todo.pk), "title": "Print"}
    sent = {**fine, **body} if body else {"listId": str(todo.pk)}
    board.refresh_from_db()
    assert is_refused(as_olga.post(CARDS, json=sent), 400, words)
    assert nothing_changed(board)


@pytest.mark.parametrize("body", [{}, {"listId": None}, {"listId": None, "boardId": None}])
def test_a_card_without_list_and_board_is_refused(as_olga, body):
    assert is_refused(as_olga.post(CARDS, json={"title": "Nowhere", **body}), 400, "listId or boardId")


def test_a_board_id_that_is_no_string_is_refused(as_olga):
    assert is_refused(as_olga.post(CARDS, json={"title": "Nowhere", "boardId": 7}), 400, "boardId must be a string")


def written_otherwise(pk):
    """Return the same id in other formats than ours, and what other clients may take for an id."""
    text = str(pk)
    return [text.upper(), f"{{{text}}}", f"urn:uuid:{text}", text.replace("-", ""), f" {text}", f"{text}\n", f"{text}x"]


OTHER_IDS = [NOBODYS, "2c1d6f6e-3f0a-4f1e-9d3b-0b8a1c2d3e4f", "", "0", "1", "null", "../me", "' OR 1=1 --", "é" * 300]


@pytest.mark.parametrize("field", ["listId", "boardId"])
def test_an_id_in_any_other_format_is_not_found(as_olga, board, todo, field, unlimited):
    own = todo if field == "listId" else board
    board.refresh_from_db()
    for wrong in [*OTHER_IDS, *written_otherwise(own.pk), "\ud800"]:
        content = f'{{"title": "Print", "{field}": {ascii_json(wrong)}}}'
        answer = as_olga.post(CARDS, content=content, headers={"Content-Type": "application/json"})
        assert is_refused(answer, 404, field), wrong
    assert nothing_changed(board)


def ascii_json(text):
    return '"' + "".join(f"\\u{ord(sign):04x}" for sign in text) + '"'


def test_a_list_id_is_not_taken_for_a_board_id_or_the_reverse(as_olga, board, todo):
    assert is_refused(as_olga.post(CARDS, json={"title": "Print", "listId": str(board.pk)}), 404)
    assert is_refused(as_olga.post(CARDS, json={"title": "Print", "boardId": str(todo.pk)}), 404)


@pytest.fixture
def targets(board, todo):
    board.refresh_from_db()
    return [{"listId": str(todo.pk)}, {"boardId": str(board.pk)}]


@pytest.mark.parametrize("reader", ["as_vera", "as_stan"])
def test_viewers_and_strangers_are_refused(request, reader, board, targets):
    client = request.getfixturevalue(reader)
    for target in targets:
        assert is_refused(client.post(CARDS, json={"title": "Print", **target}), 403, "editor", "owner")
    assert nothing_changed(board)


EVERYBODY = ["as_olga", "as_ed", "as_vera", "as_stan"]


@pytest.mark.parametrize("who", EVERYBODY)
def test_nobody_finds_an_archived_board(request, who, board, todo, targets, olga):
    client = request.getfixturevalue(who)
    archive_board(actor=web(olga), board_id=board.pk)
    board.refresh_from_db()
    for target in targets:
        assert is_refused(client.post(CARDS, json={"title": "Print", **target}), 404, "archived")
    assert nothing_changed(board)


@pytest.mark.parametrize("who", EVERYBODY)
def test_nobody_finds_an_archived_list(request, who, board, todo, doing, olga):
    client = request.getfixturevalue(who)
    archive_list(actor=web(olga), list_id=todo.pk)
    board.refresh_from_db()
    assert is_refused(client.post(CARDS, json={"title": "Print", "listId": str(todo.pk)}), 404)
    assert nothing_changed(board)


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_board_without_lists_is_not_found_and_says_so(request, who, board):
    client = request.getfixturevalue(who)
    assert is_refused(
        client.post(CARDS, json={"title": "Print", "boardId": str(board.pk)}), 404, "no list", "template such as kanban"
    )


def test_a_board_whose_lists_are_all_archived_counts_as_one_without_lists(as_olga, board, todo, olga):
    archive_list(actor=web(olga), list_id=todo.pk)
    assert is_refused(as_olga.post(CARDS, json={"title": "Print", "boardId": str(board.pk)}), 404, "no list")


def test_a_deleted_board_is_not_found(as_olga, board, targets, olga):
    delete_board(actor=web(olga), board_id=board.pk)
    for target in targets:
        assert is_refused(as_olga.post(CARDS, json={"title": "Print", **target}), 404)


def test_a_board_of_my_own_gives_no_access_to_a_list_of_another(as_stan, todo, stan):
    mine = create_board(actor=web(stan), title="Mine", template="kanban")
    body = {"title": "Print", "listId": str(todo.pk), "boardId": str(mine.pk)}
    assert is_refused(as_stan.post(CARDS, json=body), 403)
    assert not Card.objects.exists()


def test_cards_are_numbered_on_their_board(as_olga, board, todo, doing, olga):
    create_card(actor=web(olga), list_id=todo.pk, title="One")
    as_olga.post(CARDS, json={"listId": str(doing.pk), "title": "Two"})
    create_list(actor=web(olga), board_id=board.pk, title="Done")
    as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Three"})
    assert sorted(Card.objects.values_list("number", "title")) == [(1, "One"), (2, "Two"), (3, "Three")]
