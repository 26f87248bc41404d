"""Comments over REST."""

import pytest

from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.comments import add_comment, delete_comment
from boards.models import Activity, Comment
from conftest import web


@pytest.fixture
def path(card):
    return f"/api/v1/cards/{card.pk}/comments"


@pytest.fixture
def comment(card, ed):
    return add_comment(actor=web(ed), card_id=card.pk, text="Is this *ready*?")


@pytest.fixture
def one(comment):
    return f"/api/v1/comments/{comment.pk}"


def bodies(answer):
    assert answer.status_code == 200, answer.text
    return [comment["body"] for comment in answer.json()["comments"]]


def test_a_comment_is_shown_with_its_author_and_without_an_address(as_vera, card, ed, comment, path, one):
    shown = as_vera.get(one).json()["comment"]
    assert {**shown, "createdAt": ""} == {
        "id": str(comment.pk),
        "cardId": str(card.pk),
        "author": {"id": str(ed.pk), "name": "Ed"},
        "body": "Is this *ready*?",
        "createdAt": "",
        "editedAt": None,
    }
    assert as_vera.get(path).json() == {"comments": [shown], "nextCursor": None}
    assert ed.email not in as_vera.get(path).text


def test_an_editor_comments(as_ed, card, ed, path):
    made = as_ed.post(path, json={"body": "\n\nYes.\r\nSoon. "})
    assert made.status_code == 201
    shown = made.json()["comment"]
    assert (shown["body"], shown["author"]["name"]) == ("Yes.\nSoon. ", "Ed")
    kept = Comment.objects.get()
    assert (str(kept.pk), kept.door, kept.token_name) == (shown["id"], "api", "Script")
    assert as_ed.get(f"/api/v1/comments/{shown['id']}").json()["comment"] == shown


def test_an_archived_card_takes_comments_too(as_ed, ed, card, path):
    archive_card(actor=web(ed), card_id=card.pk)
    assert as_ed.post(path, json={"body": "Later"}).status_code == 201
    assert bodies(as_ed.get(path)) == ["Later"]


@pytest.mark.parametrize(
    "sent", [{}, {"body": None}, {"body": ""}, {"body": " \n"}, {"body": 7}, {"body": "x" * 20_001}]
)
def test_a_comment_needs_a_text(as_ed, path, sent):
    assert is_refused(as_ed.post(path, json=sent), 400, "body")
    assert not Comment.objects.exists()


def test_unknown_fields_and_parameters_are_refused(as_ed, path, one):
    assert is_refused(as_ed.post(path, json={"body": "x", "text": "y"}), 400, "'text'")
    assert is_refused(as_ed.patch(one, json={"bdy": "y"}), 400, "body")
    assert is_refused(as_ed.get(f"{path}?sort=new"), 400, "'sort'")
    assert is_refused(as_ed.get(f"{one}?limit=1"), 400, "'limit'")


def test_viewers_read_and_do_not_write(as_vera, path, one):
    assert as_vera.get(one).status_code == 200
    assert is_refused(as_vera.post(path, json={"body": "x"}), 403)
    assert is_refused(as_vera.patch(one, json={"body": "x"}), 403)
    assert is_refused(as_vera.delete(one), 403)


def test_for_strangers_there_is_nothing(as_stan, path, one):
    for answer in (as_stan.get(path), as_stan.post(path, json={"body": "x"}), as_stan.get(one)):
        assert is_refused(answer, 404)
    for answer in (as_stan.patch(one, json={"body": "x"}), as_stan.delete(one)):
        assert is_refused(answer, 404)


@pytest.mark.parametrize("wrong", ["x", "1", "00000000-0000-7000-8000-000000000000"])
def test_ids_of_nothing_are_not_found(as_ed, wrong):
    assert is_refused(as_ed.get(f"/api/v1/cards/{wrong}/comments"), 404)
    assert is_refused(as_ed.patch(f"/api/v1/comments/{wrong}", json={"body": "x"}), 404)


def test_authors_edit_their_comments(as_ed, as_vera, comment, one):
    edited = as_ed.patch(one, json={"body": "**Ready**"})
    assert edited.status_code == 200
    assert edited.json()["comment"]["body"] == "**Ready**"
    assert edited.json()["comment"]["editedAt"].endswith("Z")
    assert as_vera.get(one).json() == edited.json()


def test_the_owner_deletes_a_comment_of_others_and_does_not_edit_it(as_olga, one):
    assert is_refused(as_olga.patch(one, json={"body": "Mine"}), 403, "author")
    assert as_olga.delete(one).status_code == 204
    assert is_refused(as_olga.get(one), 404)


def test_an_editor_does_not_delete_a_comment_of_the_owner(as_ed, olga, card):
    theirs = add_comment(actor=web(olga), card_id=card.pk, text="Mine")
    assert is_refused(as_ed.delete(f"/api/v1/comments/{theirs.pk}"), 403)


@pytest.mark.parametrize("sent", [{}, {"body": "Is this *ready*?"}])
def test_an_edit_that_changes_nothing_leaves_no_trace(as_ed, one, comment, sent):
    before = Activity.objects.count()
    assert as_ed.patch(one, json=sent).json()["comment"]["editedAt"] is None
    assert Activity.objects.count() == before


def test_the_text_cannot_be_cleared(as_ed, one):
    assert is_refused(as_ed.patch(one, json={"body": None}), 400, "body", "null")


def test_a_comment_has_no_version(as_ed, path, one):
    assert "ETag" not in as_ed.get(one).headers
    for answer in (
        as_ed.patch(one, json={"body": "x"}, headers={"If-Match": '"1"'}),
        as_ed.delete(one, headers={"If-Match": '"1"'}),
        as_ed.post(path, json={"body": "x"}, headers={"If-Match": '"1"'}),
    ):
        assert is_refused(answer, 400, "If-Match")


def test_on_an_archived_board_comments_are_read_and_not_written(as_olga, olga, board, path, one):
    archive_board(actor=web(olga), board_id=board.pk)
    assert bodies(as_olga.get(path)) == ["Is this *ready*?"]
    assert as_olga.get(one).status_code == 200
    assert is_refused(as_olga.post(path, json={"body": "x"}), 409, "archived")
    assert is_refused(as_olga.delete(one), 409, "archived")


def test_a_repeated_comment_is_written_once(as_ed, path):
    answers = [as_ed.post(path, json={"body": "x"}, headers={"Idempotency-Key": "one"}) for _time in range(2)]
    assert answers[0].content == answers[1].content
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert Comment.objects.count() == 1
    assert is_refused(as_ed.post(path, json={"body": "y"}, headers={"Idempotency-Key": "one"}), 422)


# Pages


@pytest.fixture
def seven(card, ed):
    return [add_comment(actor=web(ed), card_id=card.pk, text=str(number)) for number in range(7)]


def test_comments_come_oldest_first_in_pages(as_vera, path, seven):
    first = as_vera.get(f"{path}?limit=3")
    assert bodies(first) == ["0", "1", "2"]
    cursor = first.json()["nextCursor"]
    assert first.headers["Link"] == f'<{path}?limit=3&cursor={cursor}>; rel="next"'
    second = as_vera.get(f"{path}?limit=3&cursor={cursor}")
    assert bodies(second) == ["3", "4", "5"]
    third = as_vera.get(f"{path}?cursor={second.json()['nextCursor']}")
    assert (bodies(third), third.json()["nextCursor"], "Link" in third.headers) == (["6"], None, False)


def test_pages_go_on_where_they_were_though_comments_are_written_and_deleted(as_vera, ed, card, path, seven):
    first = as_vera.get(f"{path}?limit=3").json()
    delete_comment(actor=web(ed), comment_id=seven[2].pk)  # where the page ended
    delete_comment(actor=web(ed), comment_id=seven[4].pk)
    add_comment(actor=web(ed), card_id=card.pk, text="new")
    assert bodies(as_vera.get(f"{path}?cursor={first['nextCursor']}")) == ["3", "5", "6", "new"]


def test_comments_of_one_moment_are_neither_doubled_nor_hidden(as_vera, path, seven):
    Comment.objects.update(created_at=seven[0].created_at)
    found, cursor = [], ""
    while cursor is not None:
        page = as_vera.get(f"{path}?limit=2{cursor and f'&cursor={cursor}'}")
        found, cursor = found + bodies(page), page.json()["nextCursor"]
    assert found == [str(number) for number in range(7)]


def test_a_cursor_is_of_one_card_alone(as_vera, path, one, seven, todo, ed):
    cursor = as_vera.get(f"{path}?limit=3").json()["nextCursor"]
    other = f"/api/v1/cards/{todo.pk}/comments"
    assert is_refused(as_vera.get(f"{other}?cursor={cursor}"), 400, "cursor")
    assert is_refused(as_vera.get(f"{path}?cursor={cursor[:-2]}"), 400, "cursor")
    assert is_refused(as_vera.get(f"{path}?limit=201"), 400, "limit")


@pytest.mark.parametrize("number", [2, 200])
def test_reading_comments_takes_four_statements(connect, vera, ed, card, path, statements, number):
    made = add_comment(actor=web(ed), card_id=card.pk, text="x")
    rows = [Comment(board_id=made.board_id, card=card, author=ed, body="y") for _count in range(number - 1)]
    Comment.objects.bulk_create(rows)
    client = connect(token_of(vera))
    statements.clear()
    assert len(bodies(client.get(f"{path}?limit=200"))) == number
    assert len(statements) == 4, statements
