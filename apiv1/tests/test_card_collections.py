"""Collections of cards: filters, orders, cursors and batches."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.models import Activity, Card
from boards.tests.world import history
from conftest import web

CARDS, BATCH = "/api/v1/cards", "/api/v1/cards/batch"


def of_board(board, query=""):
    return f"/api/v1/boards/{board.pk}/cards?{query}"


def titles(answer):
    assert answer.status_code == 200, answer.text
    return [card["title"] for card in answer.json()["cards"]]


@pytest.fixture
def label(board, olga):
    return create_label(actor=web(olga), board_id=board.pk, name="Urgent", hue=1)


@pytest.fixture
def cards(board, todo, doing, label, olga, ed):
    """Four cards: with a label, with Ed, done, archived."""
    made = {
        "Label": create_card(actor=web(olga), list_id=todo.pk, title="Label", label_ids=[label.pk], due_day=day(1)),
        "Ed": create_card(actor=web(olga), list_id=todo.pk, title="Ed", assignee_ids=[ed.pk], due_day=day(3)),
        "Done": create_card(actor=web(olga), list_id=doing.pk, title="Done"),
        "Gone": create_card(actor=web(olga), list_id=doing.pk, title="Gone", description="and buried"),
    }
    complete_card(actor=web(olga), card_id=made["Done"].pk)
    archive_card(actor=web(olga), card_id=made["Gone"].pk)
    return made


def day(number):
    return timezone.now().date().replace(year=2030, month=5, day=number)


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "query, expected",
    [
        ("", "Label Ed Done"),
        ("status=open", "Label Ed"),
        ("status=done", "Done"),
        ("status=archived", "Gone"),
        ("status=open&status=archived", "Label Ed Gone"),
        ("status=open&status=done&status=archived", "Label Ed Done Gone"),
        ("label={label}", "Label"),
        ("label={board}", ""),
        ("label=x", ""),
        ("assignee={ed}", "Ed"),
        ("assignee=none", "Label Done"),
        ("assignee={ed}&assignee=none", "Label Ed Done"),
        ("assignee=me", ""),
        ("assignee={board}", ""),
        ("label={label}&assignee=none", "Label"),
        ("dueBefore=2030-05-03", "Label"),
        ("dueBefore=2030-05-04", "Label Ed"),
        ("dueAfter=2030-05-03", "Ed"),
        ("dueAfter=2030-05-01T23:59:59Z", "Label Ed"),
        ("dueAfter=2030-05-02&dueBefore=2030-05-03", ""),
        ("updatedSince=2000-01-01", "Label Ed Done"),
        ("updatedSince=2100-01-01", ""),
        ("sort=created", "Done Ed Label"),
        ("sort=due", "Label Ed Done"),
        ("sort=updated", "Done Ed Label"),
    ],
)
def test_filters_and_orders_of_the_cards_of_a_board(as_olga, board, cards, label, ed, query, expected):
    sent = query.format(label=label.pk, ed=ed.pk, board=board.pk)
    assert titles(as_olga.get(of_board(board, sent))) == expected.split()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "query, expected",
    [
        ("dueBefore=2030-05-03", []),
        ("dueBefore=2030-05-04", ["Early"]),
        ("dueAfter=2030-05-03", ["Early"]),
        ("dueAfter=2030-05-04", []),
        ("dueBefore=2030-05-02T15:00:00Z", []),
        ("dueAfter=2030-05-02T15:00:00Z", ["Early"]),
        ("dueBefore=2030-05-03T00:00:01", ["Early"]),
    ],
)
def test_a_day_begins_in_the_owners_zone_before_is_exclusive_and_after_inclusive(
    as_olga, olga, board, todo, query, expected
):
    User.objects.filter(pk=olga.pk).update(time_zone="Asia/Tokyo")
    midnight_in_tokyo = datetime(2030, 5, 2, 15, tzinfo=UTC)
    create_card(actor=web(olga), list_id=todo.pk, title="Early", due_at=midnight_in_tokyo)
    assert titles(as_olga.get(of_board(board, query))) == expected


def test_what_was_changed_at_that_moment_was_changed_since(as_olga, board, card):
    changed = as_olga.get(of_board(board)).json()["cards"][0]["updatedAt"]
    assert titles(as_olga.get(of_board(board, f"updatedSince={changed}"))) == [card.title]


def test_any_of_several_labels_and_oneself_are_found(as_ed, ed, board, cards, label, olga):
    other = create_label(actor=web(olga), board_id=board.pk, name="Later", hue=2)
    add_label(actor=web(olga), card_id=cards["Done"].pk, label_id=other.pk)
    assert titles(as_ed.get(of_board(board, f"label={label.pk}&label={other.pk}"))) == ["Label", "Done"]
    assert titles(as_ed.get(of_board(board, "assignee=me"))) == ["Ed"]


@pytest.mark.parametrize(
    "query, word",
    [
        ("status=closed", "status"),
        ("sort=title", "sort"),
        ("dueBefore=tomorrow", "dueBefore"),
        ("dueBefore=2030-05-03T09:00:00+01:00", "%2B"),
        ("dueAfter=", "dueAfter"),
        ("updatedSince=2030-13-01", "updatedSince"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=0000000019999999", "limit"),
        ("limit=ten", "limit"),
        ("cursor=x", "cursor"),
        ("q=Label", "q"),
        ("labels=x", "label"),
        ("&".join(["label=x"] * 51), "label"),
    ],
)
def test_a_wrong_query_is_refused(as_olga, board, cards, query, word):
    assert is_refused(as_olga.get(of_board(board, query)), 400, word)


@pytest.mark.parametrize(
    "words, sentence",
    [
        ("x" * 501, "q must have at most 500 characters; this one has 501."),
        (" ".join(f"w{number}" for number in range(21)), "q must have at most 20 words."),
        ("a\0b", "q contains a character that cannot be stored (U+0000). Remove it."),
    ],
)
def test_a_refused_search_names_its_parameter(as_olga, words, sentence):
    assert as_olga.get(CARDS, params={"q": words}).json() == {"error": sentence}


def test_all_boards_are_searched_by_words_and_by_number_those_due_first(as_olga, as_stan, olga, cards, board):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    create_card(actor=web(olga), board_id=other.pk, title="Label the jars")
    assert titles(as_olga.get(f"{CARDS}?q=label")) == ["Label", "Label the jars"]
    assert titles(as_olga.get(f"{CARDS}?q=%232")) == ["Ed"]
    assert titles(as_olga.get(f"{CARDS}?q=buried&status=archived")) == ["Gone"]
    archive_board(actor=web(olga), board_id=other.pk)
    assert titles(as_olga.get(f"{CARDS}?q=label")) == ["Label"]
    assert titles(as_stan.get(CARDS)) == []


def test_cards_of_an_archived_list_count_as_archived(as_olga, olga, cards, doing):
    archive_list(actor=web(olga), list_id=doing.pk)
    path = f"/api/v1/lists/{doing.pk}/cards"
    assert titles(as_olga.get(path)) == []
    assert titles(as_olga.get(f"{path}?status=archived")) == ["Done", "Gone"]


def test_cards_of_an_archived_board_can_be_read(as_olga, as_stan, olga, cards, board):
    archive_board(actor=web(olga), board_id=board.pk)
    assert titles(as_olga.get(of_board(board))) == ["Label", "Ed", "Done"]
    assert is_refused(as_stan.get(of_board(board)), 404)


def test_pages_follow_by_cursor_and_by_link(as_olga, base_url, cards, board):
    first = as_olga.get(of_board(board, "limit=2&status=open&status=done"))
    assert titles(first) == ["Label", "Ed"]
    cursor = first.json()["nextCursor"]
    second = as_olga.get(of_board(board, f"limit=2&status=open&status=done&cursor={cursor}"))
    assert (titles(second), second.json()["nextCursor"], second.headers.get("Link")) == (["Done"], None, None)
    address, relation = first.headers["Link"].split("; ")
    assert relation == 'rel="next"'
    assert as_olga.get(address.strip("<>")).content == second.content


def test_a_cursor_is_good_for_its_collection_and_filters_alone(as_olga, as_ed, cards, board, todo):
    cursor = as_olga.get(of_board(board, "limit=1&status=open")).json()["nextCursor"]
    assert titles(as_olga.get(of_board(board, f"limit=2&status=open&cursor={cursor}"))) == ["Ed"]
    for wrong in (
        of_board(board, f"cursor={cursor}"),
        of_board(board, f"status=done&cursor={cursor}"),
        of_board(board, f"status=open&sort=due&cursor={cursor}"),
        f"/api/v1/lists/{todo.pk}/cards?status=open&cursor={cursor}",
        of_board(board, f"status=open&cursor={cursor[:-2]}"),
    ):
        assert is_refused(as_olga.get(wrong), 400, "cursor")


def test_a_cursor_is_good_for_a_day(as_olga, cards, board):
    cursor = as_olga.get(of_board(board, "limit=1")).json()["nextCursor"]
    with time_machine.travel(timezone.now() + timedelta(hours=23)):
        assert titles(as_olga.get(of_board(board, f"cursor={cursor}"))) == ["Ed", "Done"]
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert is_refused(as_olga.get(of_board(board, f"cursor={cursor}")), 400, "cursor")


def test_a_token_that_is_narrowed_between_two_pages_sees_no_more_of_other_boards(as_olga, olga, cards, board):
    garden = create_board(actor=web(olga), title="Garden", template="kanban")
    create_card(actor=web(olga), board_id=garden.pk, title="Weed")
    everywhere = as_olga.get(f"{CARDS}?limit=1").json()["nextCursor"]
    here = as_olga.get(of_board(board, "limit=1")).json()["nextCursor"]
    assert as_olga.patch("/api/v1/tokens/current", json={"boards": [str(garden.pk)]}).status_code == 200
    assert titles(as_olga.get(f"{CARDS}?cursor={everywhere}")) == ["Weed"]
    assert is_refused(as_olga.get(of_board(board, f"limit=1&cursor={here}")), 404)


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("number", [2, 200])
@pytest.mark.parametrize("order", ["board", "due"])
def test_a_page_takes_the_same_statements_however_long_it_is(
    connect, statements, olga, board, todo, label, number, order
):
    for count in range(number):
        create_card(actor=web(olga), list_id=todo.pk, title=f"{count}", label_ids=[label.pk], assignee_ids=[olga.pk])
    client = connect(token_of(olga))
    client.get("/api/v1/me")
    statements.clear()
    assert len(titles(client.get(of_board(board, f"limit=200&sort={order}")))) == number
    assert len(statements) == 3, statements


# Batches


def bodies(todo, number, **more):
    return [{"listId": str(todo.pk), "title": f"Card {place}", **more} for place in range(number)]


def test_a_batch_is_created_in_order_one_change_a_card(as_ed, board, todo, doing, label, ed):
    sent = bodies(todo, 3, labelIds=[str(label.pk)], dueDate="2030-05-01")
    sent += [{"boardId": str(board.pk), "title": "First list"}, {"listId": str(doing.pk), "title": "Other list"}]
    made = as_ed.post(BATCH, json={"cards": sent})
    rows = made.json()["cards"]
    assert made.status_code == 201
    assert [row["title"] for row in rows] == [one["title"] for one in sent]
    assert [row["listId"] for row in rows] == [*[str(todo.pk)] * 4, str(doing.pk)]
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0]["labelIds"] == [str(label.pk)]
    lines = history(board)[-5:]
    assert [line.version for line in lines] == [row["version"] for row in rows]
    assert {(line.verb, line.door) for line in lines} == {("card.created", "api")}


def test_places_of_a_batch(as_ed, todo, card):
    sent = bodies(todo, 4)
    for one, place in zip(sent, ("top", "bottom", "top", "bottom"), strict=True):
        one["place"] = place
    as_ed.post(BATCH, json={"cards": sent})
    assert list(todo.cards.values_list("title", flat=True)) == ["Card 2", "Card 0", card.title, "Card 1", "Card 3"]
    beside = bodies(todo, 2, place={"after": str(card.pk)})
    as_ed.post(BATCH, json={"cards": beside})
    assert list(todo.cards.values_list("title", flat=True))[2:5] == [card.title, "Card 1", "Card 0"]


@pytest.mark.parametrize(
    "wrong, status, word",
    [
        ({"title": ""}, 400, "title"),
        ({"title": 5}, 400, "title"),
        ({"due": "2030-05-01"}, 400, "dueDate"),
        ({"dueDate": "soon"}, 400, "dueDate"),
        ({"dueDate": "2030-05-01", "startDate": "2030-05-02"}, 400, "startDate"),
        ({"recurrence": "daily"}, 400, "dueDate"),
        ({"listId": "x"}, 404, "does not exist"),
        ({"labelIds": ["01938f5e-7b1a-7c3d-8e4f-0123456789ab"]}, 404, "not of this board"),
        ({"assigneeIds": ["01938f5e-7b1a-7c3d-8e4f-0123456789ab"]}, 404, "not of this board"),
        ({"labelIds": ["urgent"]}, 404, "does not exist"),
        ({"assigneeIds": ["me"]}, 404, "does not exist"),
        ({"place": {"after": "01938f5e-7b1a-7c3d-8e4f-0123456789ab"}}, 409, "neighbor"),
    ],
)
def test_of_a_hundred_cards_whose_57th_is_wrong_none_is_created(as_ed, todo, wrong, status, word):
    sent = bodies(todo, 100)
    sent[56] |= wrong
    before = Activity.objects.count()
    assert is_refused(as_ed.post(BATCH, json={"cards": sent}), status, "cards[56]", word)
    assert not Card.objects.exists()
    assert Activity.objects.count() == before


def test_of_two_wrong_cards_the_first_is_named_with_its_own_labels(as_ed, todo):
    sent = bodies(todo, 2)
    ids = [f"01938f5e-7b1a-7c3d-8e4f-0123456789a{place}" for place in range(2)]
    for one, pk in zip(sent, ids, strict=True):
        one["labelIds"] = [pk]
    answer = as_ed.post(BATCH, json={"cards": sent})
    assert is_refused(answer, 404, "cards[0]", ids[0])
    assert ids[1] not in answer.text


@pytest.mark.parametrize("cards", [None, [], {}, "x", [1], [[]], [{"title": "x"}]])
def test_a_body_that_is_no_batch_is_refused(as_ed, cards):
    assert is_refused(as_ed.post(BATCH, json={"cards": cards}), 400, "cards")


def test_a_batch_has_at_most_a_hundred_cards(as_ed, todo):
    assert is_refused(as_ed.post(BATCH, json={"cards": bodies(todo, 101)}), 400, "100")
    assert as_ed.post(BATCH, json={"cards": bodies(todo, 100)}).status_code == 201


def test_a_batch_goes_to_one_board(as_olga, olga, todo):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    sent = [*bodies(todo, 2), {"boardId": str(other.pk), "title": "There"}]
    assert is_refused(as_olga.post(BATCH, json={"cards": sent}), 400, "cards[2]", "one board")


def test_viewers_and_strangers_create_no_batch(as_vera, as_stan, todo):
    assert is_refused(as_vera.post(BATCH, json={"cards": bodies(todo, 2)}), 403)
    assert is_refused(as_stan.post(BATCH, json={"cards": bodies(todo, 2)}), 404)


def test_a_batch_finds_no_archived_list_and_is_refused_by_an_archived_board(as_ed, olga, board, todo, doing):
    archive_list(actor=web(olga), list_id=doing.pk)
    assert is_refused(as_ed.post(BATCH, json={"cards": bodies(doing, 2)}), 404, "cards[0]")
    archive_board(actor=web(olga), board_id=board.pk)
    assert is_refused(as_ed.post(BATCH, json={"cards": bodies(todo, 2)}), 409, "archived")


def test_a_batch_is_created_once_for_a_key(as_ed, todo):
    headers = {"Idempotency-Key": "once"}
    first, second = (as_ed.post(BATCH, json={"cards": bodies(todo, 3)}, headers=headers) for _time in range(2))
    assert (first.content, second.headers["Idempotency-Replayed"]) == (second.content, "true")
    assert Card.objects.count() == 3


def test_a_batch_takes_the_same_statements_however_many_cards_it_has(connect, statements, ed, todo, label):
    client = connect(token_of(ed))
    client.get("/api/v1/me")
    counts = []
    for number in (2, 100):
        statements.clear()
        sent = bodies(todo, number, labelIds=[str(label.pk)], assigneeIds=[str(ed.pk)])
        assert client.post(BATCH, json={"cards": sent}).status_code == 201
        counts.append(len(statements))
    assert counts[0] == counts[1]
