"""Words in comments, checklists and names of files, and the filters that only agents have."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Bounds
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment, delete_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list, create_list
from boards.actions.people.members import remove_member
from boards.dates import timestamp
from boards.models import Attachment, Card, Checklist, ChecklistItem, Comment, StoredFile
from boards.reader import Reader
from boards.reading.search import search_cards
from boards.reading.search_filters import Filters
from boards.reading.search_index import signs_in
from boards.tests.rows import rows_where
from boards.word_index import has_word_index
from conftest import web


@pytest.fixture
def make(olga, todo):
    """Make cards in the first list."""
    return lambda title, **fields: create_card(actor=web(olga), list_id=todo.pk, title=title, **fields)


def attach(card, name):
    stored = StoredFile.objects.create(name=name, size=1, content_type="text/plain", sha256="0" * 64)
    return Attachment.objects.create(
        board=card.board, card=card, file=stored, file_name=name, uploaded_by=card.created_by
    )


def found(agent, **arguments):
    """Return where each task was found, by its title."""
    return {task["title"]: task.get("foundIn") for task in agent.call("search_tasks", **arguments)["tasks"]}


@pytest.fixture
def filled(olga, ed, make):
    """Five cards with the word *zeppelin* in a different place each, and one without."""
    cards = {name: make(name) for name in ("In a comment", "In a checklist", "In an item", "In a file", "Nowhere")}
    make("Zeppelin")
    add_comment(actor=web(ed), card_id=cards["In a comment"].pk, text="Is the ZEPPELIN ready?")
    create_checklist(actor=web(olga), card_id=cards["In a checklist"].pk, title="Zeppelins")
    checklist = create_checklist(actor=web(olga), card_id=cards["In an item"].pk, title="Steps")
    add_item(actor=web(olga), checklist_id=checklist.pk, text="Fill the zeppelin")
    attach(cards["In a file"], "zeppelin.pdf")
    return cards


@pytest.mark.usefixtures("filled")
def test_a_word_is_found_wherever_it_is_and_the_answer_says_where(agent):
    assert found(agent, query="zeppelin") == {
        "In a comment": ["comment"],
        "In a checklist": ["checklist"],
        "In an item": ["checklist"],
        "In a file": ["file"],
        "Zeppelin": None,
    }
    assert found(agent, query="Zeppelin", answer="brief") == found(agent, query="zeppelin")
    assert found(agent, query="zeppelin", answer="title")["In a file"] == ["file"]


def test_the_words_may_be_in_different_places(agent, ed, make):
    card = make("Print the flyer")
    add_comment(actor=web(ed), card_id=card.pk, text="In blue")
    attach(card, "poster.pdf")
    assert found(agent, query="blue flyer") == {"Print the flyer": ["comment"]}
    assert found(agent, query="blue flyer poster") == {"Print the flyer": ["comment", "file"]}
    assert found(agent, query="flyer") == {"Print the flyer": None}
    assert found(agent, query="blue green") == {}


def test_where_a_word_is_said_only_of_the_words_that_the_card_itself_lacks(agent, ed, make):
    card, other = make("flyer"), make("blue")
    add_comment(actor=web(ed), card_id=card.pk, text="blue")
    attach(card, "flyer.pdf")
    attach(other, "flyer.txt")
    assert found(agent, query="blue flyer") == {"flyer": ["comment"], "blue": ["file"]}


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("Über", "über"),
        ("ÜBER", "über"),
        ("über", "Über"),
        ("Straße", "straße"),
        ("会議の資料", "資料"),
        ("100%", "100%"),
        ("KA", "ka"),
        ("É", "é"),
    ],
)
def test_case_does_not_matter(agent, ed, make, written, sent):
    card = make("Print")
    add_comment(actor=web(ed), card_id=card.pk, text=f"Well: {written}!")
    assert found(agent, query=sent) == {"Print": ["comment"]}


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("sent", ["straße, ende", "ende,Straße", "Straße、ende"])
def test_commas_part_words_of_comments_too(agent, ed, make, sent):
    card = make("Print")
    add_comment(actor=web(ed), card_id=card.pk, text="Am ende der Straße")
    assert found(agent, query=sent) == {"Print": ["comment"]}


def test_signs_of_patterns_are_letters_like_others(agent, ed, make):
    add_comment(actor=web(ed), card_id=make("Print").pk, text="100 of 100")
    assert found(agent, query="1%1") == found(agent, query="1_0") == {}


def test_a_number_is_looked_for_as_a_number(agent, ed, make):
    add_comment(actor=web(ed), card_id=make("One").pk, text="as in #2")
    make("Two")
    assert found(agent, query="#2") == {"Two": None}


@pytest.mark.usefixtures("filled")
def test_what_is_deleted_is_not_found(agent, olga, ed, filled):
    comment = add_comment(actor=web(ed), card_id=filled["Nowhere"].pk, text="lighthouse")
    assert found(agent, query="lighthouse") == {"Nowhere": ["comment"]}
    delete_comment(actor=web(ed), comment_id=comment.pk)
    assert found(agent, query="lighthouse") == {}


@pytest.mark.usefixtures("filled")
def test_comments_of_boards_out_of_reach_are_not_found(agent_of, olga, ed, vera, stan, board):
    assert found(agent_of(stan), query="zeppelin") == {}
    assert len(found(agent_of(vera), query="zeppelin")) == 5
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    assert found(agent_of(vera), query="zeppelin") == {}
    assert found(agent_of(olga, Bounds(board_ids=[])), query="zeppelin") == {}


def test_the_best_match_comes_first_where_it_is_asked_for(agent, make):
    make("Buy gas", description="for the zeppelin")
    make("Zeppelin")
    make("Sell gas", description="of the zeppelin")
    assert [*found(agent, query="zeppelin", order="best")] == ["Zeppelin", "Sell gas", "Buy gas"]


@pytest.mark.usefixtures("filled")
def test_rest_finds_titles_and_descriptions_as_before(olga):
    assert [card.title for card in search_cards(Reader(olga), Filters(query="zeppelin"), limit=9).cards] == ["Zeppelin"]


def test_archived_tasks_are_found_where_they_are_asked_for(agent, olga, make, todo, doing):
    archive_card(actor=web(olga), card_id=make("Gone").pk)
    make("Here")
    create_card(actor=web(olga), list_id=doing.pk, title="In an archived list")
    archive_list(actor=web(olga), list_id=doing.pk)
    assert found(agent, archived=True).keys() == {"Gone", "In an archived list"}
    assert found(agent, archived=False).keys() == found(agent).keys() == {"Here"}
    states = [task["state"] for task in agent.call("search_tasks", archived=True, answer="brief")["tasks"]]
    assert states == ["archived", "archived"]


@pytest.fixture
def garden(olga):
    """A second board of Olga's, with a card."""
    board = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=board.pk, title="Beds")
    create_card(actor=web(olga), list_id=row.pk, title="Dig")
    return board


def test_several_boards_can_be_searched(agent, olga, make, garden):
    make("Print")
    attic = create_board(actor=web(olga), title="Attic")
    assert found(agent, boards=["garden", str(attic.pk)]).keys() == {"Dig"}
    assert found(agent, boards=["Garden", "Launch"]).keys() == {"Dig", "Print"}
    tasks = agent.call("search_tasks", boards=["Garden", "Launch"], answer="brief")["tasks"]
    assert {task["board"] for task in tasks} == {"Garden", "Launch"}
    assert "board" not in agent.call("search_tasks", boards=["Garden"], answer="brief")["tasks"][0]
    assert "board" in agent.call("search_tasks", query="dig", answer="brief")["tasks"][0]
    archive_board(actor=web(olga), board_id=garden.pk)
    assert "No board that you have access to is called 'Garden'." in agent.refused("search_tasks", boards=["Garden"])


def test_several_people_and_labels_can_be_searched_for(agent, olga, ed, board, make):
    cards = {name: make(name) for name in ("Olga's", "Ed's", "Nobody's")}
    for user, name in ((olga, "Olga's"), (ed, "Ed's")):
        assign(actor=web(olga), card_id=cards[name].pk, user_id=user.pk)
        label = create_label(actor=web(olga), board_id=board.pk, name=f"Of {name}")
        add_label(actor=web(olga), card_id=cards[name].pk, label_id=label.pk)
    assert found(agent, assignees=["me", "Ed"]).keys() == {"Olga's", "Ed's"}
    assert found(agent, assignees=["me", "nobody"]).keys() == {"Olga's", "Nobody's"}
    assert found(agent, assignee="nobody").keys() == {"Nobody's"}
    assert found(agent, assignee="Ed", assignees=["nobody"]).keys() == {"Ed's", "Nobody's"}
    assert found(agent, labels=["of ed's", "Of Olga's"]).keys() == {"Olga's", "Ed's"}
    assert "No member of your boards is called 'Stan'." in agent.refused("search_tasks", assignees=["me", "Stan"])
    assert "No label on your boards is called 'Bug'." in agent.refused("search_tasks", labels=["Of Ed's", "Bug"])


def test_names_are_those_of_the_boards_that_are_searched(agent, garden, make):
    make("Print")
    refusal = agent.refused("search_tasks", assignees=["Ed"], boards=["Garden"])
    assert "No member of the boards of this search is called 'Ed'. There are 'Olga'." in refusal
    refusal = agent.refused("search_tasks", label="Bug", board="Garden")
    assert "No label on the boards of this search is called 'Bug'." in refusal
    assert found(agent, assignees=["Ed"], boards=["Launch"]) == {}


def test_a_search_can_be_narrowed_by_who_created_and_when_something_changed(agent, olga, ed, todo, make):
    create_card(actor=web(ed), list_id=todo.pk, title="Ed's")
    old = make("Olga's")
    moment = timezone.now()
    Card.objects.filter(pk=old.pk).update(updated_at="2026-01-01T00:00Z")
    assert found(agent, createdBy="Ed").keys() == {"Ed's"}
    assert found(agent, createdBy="me").keys() == {"Olga's"}
    assert found(agent, changedSince="2026-01-02").keys() == {"Ed's"}
    assert found(agent, changedSince=timestamp(moment)) == {}
    update_card(actor=web(olga), card_id=old.pk, title="Changed")
    assert found(agent, changedSince=timestamp(moment)).keys() == {"Changed"}
    refusal = agent.refused("search_tasks", createdBy="Stan")
    assert "No member of your boards is called 'Stan'." in refusal


def test_tasks_without_a_due_date_can_be_searched_for(agent, olga, make):
    make("Some day")
    update_card(actor=web(olga), card_id=make("Soon").pk, due_at=timezone.now())
    assert found(agent, undated=True).keys() == {"Some day"}
    assert found(agent, undated=False).keys() == {"Soon", "Some day"}


def test_a_cursor_is_bound_to_the_new_filters_too(agent, make):
    for number in range(3):
        make(f"Card {number}")
    cursor = agent.call("search_tasks", limit=1)["nextCursor"]
    for other in (
        {"archived": True},
        {"undated": True},
        {"createdBy": "me"},
        {"boards": ["Launch"]},
        {"assignees": ["me"]},
    ):
        assert "Search again without cursor" in agent.refused("search_tasks", cursor=cursor, **other)
    assert len(found(agent, cursor=cursor, answer="brief")) == 2


def test_pages_of_words_in_comments_follow_each_other(agent, ed, make):
    for number in range(5):
        add_comment(actor=web(ed), card_id=make(f"Card {number}").pk, text="zeppelin zeppelin")
        add_comment(actor=web(ed), card_id=Card.objects.latest("created_at").pk, text="zeppelin again")
    titles, cursor = [], None
    while True:
        page = agent.call("search_tasks", query="zeppelin", limit=2, cursor=cursor)
        titles += [task["title"] for task in page["tasks"]]
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    assert titles == [f"Card {number}" for number in (4, 3, 2, 1, 0)]


@pytest.mark.parametrize("number", [2, 50])
def test_where_the_words_are_takes_one_more_statement_and_what_stands_there_two(agent, ed, make, number):
    for count in range(number):
        card = make(f"Card {count}")
        for text in ("zeppelin", "lighthouse"):
            add_comment(actor=web(ed), card_id=card.pk, text=text)
    more = number > 2  # where many of the next open cards have the words, more of these are read
    for arguments, statements in [
        ({"query": "card"}, 3 + more),
        ({"query": "zeppelin lighthouse"}, (7 if has_word_index() else 6) + more),
        ({"query": "zeppelin", "answer": "brief"}, 5 + more),
        ({"answer": "brief"}, 3),
        ({"boards": ["Launch"], "assignees": ["Ed", "nobody"]}, 4),
    ]:
        with CaptureQueriesContext(connection) as captured:
            agent.call("search_tasks", limit=50, **arguments)
        assert (arguments, len(captured)) == (arguments, statements)


def test_what_stands_around_the_words_comes_in_full_answers(agent, ed, filled):
    long = f"{'Before that, much was said. ' * 9}We moor the Zeppelin at the {'very ' * 60}tall mast"
    add_comment(actor=web(ed), card_id=filled["Nowhere"].pk, text=long)
    told = {task["title"]: task.get("excerpt") for task in agent.call("search_tasks", query="zeppelin")["tasks"]}
    excerpt = told.pop("Nowhere")
    assert told == {
        "In a comment": "Is the ZEPPELIN ready?",
        "In a checklist": "Zeppelins",
        "In an item": "Fill the zeppelin",
        "In a file": "zeppelin.pdf",
        "Zeppelin": None,
    }
    assert excerpt.startswith("We moor the Zeppelin at the very ")
    assert excerpt.endswith("…")
    assert len(excerpt) <= 120
    assert not any("excerpt" in task for task in agent.call("search_tasks", query="zeppelin", answer="brief")["tasks"])


def test_an_excerpt_is_of_a_word_that_the_task_lacks_itself(agent, ed, make):
    card = make("Harbour")
    add_comment(actor=web(ed), card_id=card.pk, text="The harbour is full.\n\nCall the lighthouse.")
    [task] = agent.call("search_tasks", query="harbour lighthouse")["tasks"]
    assert (task["foundIn"], task["excerpt"]) == (["comment"], "Call the lighthouse.")


def test_get_task_gives_the_ids_of_comments(agent, ed, make):
    card = make("Print")
    comments = [add_comment(actor=web(ed), card_id=card.pk, text=text) for text in ("One", "Two")]
    answer = agent.call("get_task", taskId=card.pk)["comments"]
    assert [comment["id"] for comment in answer] == [str(comment.pk) for comment in reversed(comments)]


def test_many_words_and_long_names_are_refused_in_words(agent, make):
    assert "query must have at most 20 words." in agent.refused(
        "search_tasks", query=" ".join(str(number) for number in range(100, 121))
    )
    assert "boards must be a list of 1 to 20 texts." in agent.refused("search_tasks", boards=["x"] * 21)
    refusal = agent.refused("search_tasks", boards=["x" * 200])
    assert f"'{'x' * 60}…'" in refusal
    assert "x" * 61 not in json.dumps(refusal)


@pytest.mark.usefixtures("services")
@pytest.mark.parametrize(
    ("words", "index"),
    [
        (Comment.objects.filter(body__icontains="zeppelin"), "comment_by_trigrams"),
        (ChecklistItem.objects.filter(text__icontains="zeppelin"), "item_by_trigrams"),
        (Checklist.objects.filter(title__icontains="zeppelin"), "checklist_by_trigrams"),
        (Attachment.objects.filter(file_name__icontains="zeppelin"), "file_by_trigrams"),
    ],
)
def test_postgresql_can_use_the_indexes_of_trigrams(board, words, index):
    read_by_indexes_of_words()
    assert index in words.all().explain()


@pytest.mark.usefixtures("services")
@pytest.mark.parametrize(
    ("model", "field", "index"),
    [
        (Card, "search_text", "card_by_signs"),
        (Comment, "body", "comment_by_signs"),
        (ChecklistItem, "text", "item_by_signs"),
        (Checklist, "title", "checklist_by_signs"),
        (Attachment, "file_name", "file_by_signs"),
    ],
)
def test_postgresql_can_use_the_indexes_of_signs(board, model, field, index):
    read_by_indexes_of_words()
    assert index in rows_where(model, signs_in(field, "資")).explain()


def read_by_indexes_of_words() -> None:
    """Have the planner prefer them, though the tables are small."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
