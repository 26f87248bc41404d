"""create_task and update_task: a whole card in one call, which is one transaction and one Undo."""

import pytest

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.models import Activity, Assignment, Card, CardLabel, Label
from boards.tests.test_undo import state_of
from conftest import join, web
from mcpserver.tests.test_statements import statements
from mcpserver.tools import write_tasks
from web.tests.browsing import browser

WHOLE = {
    "title": "Print",
    "description": "**all**",
    "dueDate": "2026-12-01",
    "startDate": "2026-11-28",
    "recurrence": "weekly",
    "labels": ["Bug"],
    "assignees": ["Ed", "me"],
    "checklists": [{"title": "Steps", "items": [{"text": "Draft", "done": True}, "Print"]}],
    "coverColor": "teal",
}


@pytest.fixture
def bug(olga, board):
    return create_label(actor=web(olga), board_id=board.pk, name="Bug")


def whole(agent, card):
    read = agent.call("get_task", task=str(card.pk))
    return {
        "labels": [label["name"] for label in read["labels"]],
        "assignees": sorted(person["name"] for person in read["assignees"]),
        "checklists": {
            row["title"]: [(item["text"], item["done"]) for item in row["items"]] for row in read["checklists"]
        },
        "recurrence": read["recurrence"],
        **{name: read["task"][name] for name in ("title", "description", "dueDay", "startDate", "completed")},
    }


IS_WHOLE = {
    "labels": ["Bug"],
    "assignees": ["Ed", "Olga"],
    "checklists": {"Steps": [("Draft", True), ("Print", False)]},
    "recurrence": "weekly",
    "title": "Print",
    "description": "**all**",
    "dueDay": "2026-12-01",
    "startDate": "2026-11-28",
    "completed": False,
}


def undo_all_since(olga, board, version):
    """Press Undo once, as a page does that names all changes of one request."""
    last = Activity.objects.filter(board=board).latest("version").version
    changes = f"{board.pk}:{version + 1}-{last}"
    browser(olga).post(f"/board/{board.pk}/undo", {"change": changes})


def version_of(board):
    return Activity.objects.filter(board=board).latest("version").version


def test_a_whole_task_is_created_in_one_change(agent, board, todo, bug):
    before = version_of(board)
    agent.call("create_task", list="To do", **WHOLE)
    card = Card.objects.get()
    assert whole(agent, card) == IS_WHOLE
    assert card.cover_hue == 5
    assert version_of(board) == before + 1


def test_labels_are_created_in_the_same_call_and_undone_with_it(agent, olga, board, todo):
    before = version_of(board)
    agent.call("create_task", list="To do", createLabels=True, **WHOLE)
    assert version_of(board) == before + 2
    undo_all_since(olga, board, before)
    assert not Label.objects.exists()
    assert Card.objects.get().archived_at


def test_a_task_that_is_refused_leaves_no_label(agent, todo):
    refusal = agent.refused("create_task", list="To do", createLabels=True, **WHOLE | {"assignees": ["Nobody"]})
    assert "no member of this board is called 'Nobody'" in refusal
    assert not Label.objects.exists()
    assert not Card.objects.exists()


def test_add_labels_and_add_assignees_of_a_new_task_are_its_own(agent, board, todo, bug):
    agent.call("create_task", list="To do", title="Print", addLabels=["bug"], addAssignees=["me"])
    assert whole(agent, Card.objects.get())["labels"] == ["Bug"]


def test_a_whole_task_is_changed_in_one_call_and_undone_at_once(agent, olga, board, card, doing, bug):
    old = create_label(actor=web(olga), board_id=board.pk, name="Old")
    add_label(actor=web(olga), card_id=card.pk, label_id=old.pk)
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps", items=[("Draft", False)])
    add_item(actor=web(olga), checklist_id=steps.pk, text="Gone")
    before, state = version_of(board), state_of(board)
    checklists = [
        {"title": "Steps", "items": [{"text": "Draft", "done": True}, "Print", {"text": "Gone", "remove": True}]}
    ]
    task = agent.call("update_task", task="#1", list="Doing", completed=True, **WHOLE | {"checklists": checklists})[
        "task"
    ]
    assert (task["listId"], task["completed"]) == (str(doing.pk), True)
    assert whole(agent, card) == IS_WHOLE | {"completed": True}
    assert version_of(board) == before + 10  # moved, changed, 2 labels, 2 people, 3 items, done
    undo_all_since(olga, board, before)
    assert state_of(board) == state


def test_the_same_call_again_changes_nothing(agent, board, card, doing, bug):
    arguments = {"task": "#1", "list": "Doing", "completed": True, **WHOLE}
    agent.call("update_task", **arguments)
    before = version_of(board)
    agent.call("update_task", **arguments)
    assert version_of(board) == before


def test_wrong_labels_and_people_are_told_together(agent, card, todo):
    sent = {"labels": ["Nothing"], "assignees": ["Nobody", "Noone"]}
    for tool, where in (("update_task", {"task": "#1"}), ("create_task", {"list": "To do", "title": "x"})):
        refusal = agent.refused(tool, createLabels=False, **where, **sent)
        for words in ("no label 'Nothing'", "called 'Nobody'", "called 'Noone'"):
            assert words in refusal


def test_a_fault_in_one_part_changes_nothing(agent, olga, board, card, doing, bug):
    before = version_of(board)
    for wrong in ({"assignees": ["Nobody"]}, {"labels": ["Nothing"]}, {"position": "before #99"}, {"list": "Nowhere"}):
        agent.refused("update_task", **{"task": "#1", "list": "Doing", "completed": True, **WHOLE, **wrong})
    assert version_of(board) == before
    assert not CardLabel.objects.exists()


def test_labels_are_a_whole_set_or_added_and_removed(agent, olga, board, card):
    for name in ("A", "B", "C"):
        create_label(actor=web(olga), board_id=board.pk, name=name)
    for sent, left in [
        ({"labels": ["A", "B"]}, ["A", "B"]),
        ({"addLabels": ["C"]}, ["A", "B", "C"]),
        ({"removeLabels": ["A", "A"]}, ["B", "C"]),
        ({"labels": ["A"], "addLabels": ["B"]}, ["A", "B"]),
        ({"labels": None, "removeLabels": ["C"]}, ["A", "B"]),
        ({"addLabels": ["C"], "removeLabels": ["C"]}, ["A", "B"]),
        ({"labels": []}, []),
    ]:
        agent.call("update_task", task="#1", **sent)
        assert whole(agent, card)["labels"] == left


def test_people_are_a_whole_set_or_added_and_removed(agent, olga, ed, card):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    for sent, left in [
        ({"addAssignees": ["me"]}, ["Ed", "Olga"]),
        ({"removeAssignees": ["Ed"]}, ["Olga"]),
        ({"assignees": ["Vera"]}, ["Vera"]),
        ({"assignees": []}, []),
    ]:
        agent.call("update_task", task="#1", **sent)
        assert whole(agent, card)["assignees"] == left


def test_checklists_are_merged_by_title_and_text(agent, olga, card):
    for title in ("Steps", "Steps", "Other"):
        create_checklist(actor=web(olga), card_id=card.pk, title=title, items=[("One", False), ("One", False)])
    sent = [{"title": " Steps ", "items": [{"text": "One", "done": True}, {"text": "Two"}, "Two"]}, {"title": "New"}]
    agent.call("update_task", task="#1", checklists=sent)
    rows = agent.call("get_task", task="#1")["checklists"]
    assert [(row["title"], [(item["text"], item["done"]) for item in row["items"]]) for row in rows] == [
        ("Steps", [("One", True), ("One", False), ("Two", False)]),
        ("Steps", [("One", False), ("One", False)]),
        ("Other", [("One", False), ("One", False)]),
        ("New", []),
    ]


def test_what_is_removed_of_checklists_is_gone_and_removing_again_says_what_there_is(agent, olga, card):
    create_checklist(actor=web(olga), card_id=card.pk, title="Steps", items=[("One", False), ("Two", True)])
    create_checklist(actor=web(olga), card_id=card.pk, title="Gone")
    item, checklist = {"title": "Steps", "items": [{"text": "One", "remove": True}]}, {"title": "Gone", "remove": True}
    agent.call("update_task", task="#1", checklists=[item, checklist])
    before = version_of(card.board)
    for sent, words in (
        (item, "checklists: 'Steps' has no item 'One'. There are 'Two'."),
        (checklist, "checklists: this task has no checklist 'Gone'. There are 'Steps'."),
        ({"title": "Stpes", "items": [{"text": "Two", "remove": True}]}, "'Stpes'. Did you mean 'Steps'? There are"),
    ):
        assert words in agent.refused("update_task", task="#1", title="New", checklists=[sent])
    assert whole(agent, card)["checklists"] == {"Steps": [("Two", True)]}
    assert version_of(card.board) == before


def test_items_that_are_removed_are_read_once_however_many_they_are(agent, olga, card):
    create_checklist(actor=web(olga), card_id=card.pk, title="Steps", items=[(f"Step {n}", False) for n in range(9)])

    def reading(*numbers: int) -> int:
        items = [{"text": f"Step {number}", "remove": True} for number in numbers]
        made = statements(
            agent, "update_task", task="#1", checklists=[{"title": "Steps", "items": items}], answer="title"
        )
        return len([sql for sql in made if "checklistitem" in sql and "ORDER BY" in sql and "LIMIT" not in sql])

    assert reading(0) == reading(1, 2, 3)


def test_of_items_that_differ_in_case_alone_each_is_removed(agent, olga, card):
    texts = ["Print", "print", "PRINT", "Fold"]
    create_checklist(actor=web(olga), card_id=card.pk, title="Steps", items=[(text, False) for text in texts])
    items = [{"text": text, "remove": True} for text in ("print", "PrInT", "PRINT")]
    agent.call("update_task", task="#1", checklists=[{"title": "Steps", "items": items}])
    assert whole(agent, card)["checklists"] == {"Steps": [("Fold", False)]}


def test_checklists_and_items_are_found_in_any_case_but_exact_ones_first(agent, olga, card):
    create_checklist(actor=web(olga), card_id=card.pk, title="Parts", items=[("Not in VERSION 1", False), ("a", False)])
    create_checklist(actor=web(olga), card_id=card.pk, title="PARTS", items=[("A", False), ("a", False)])
    items = [{"text": "not in version 1", "done": True}, {"text": "A", "done": True}, {"text": "New"}, {"text": "new"}]
    agent.call("update_task", task="#1", checklists=[{"title": "parts", "items": items}])
    agent.call("update_task", task="#1", checklists=[{"title": "PARTS", "items": [{"text": "a", "done": True}]}])
    assert whole(agent, card)["checklists"] == {
        "Parts": [("Not in VERSION 1", True), ("a", True), ("New", False)],
        "PARTS": [("A", False), ("a", True)],
    }
    agent.call("update_task", task="#1", checklists=[{"title": "Parts", "items": [{"text": "NEW", "remove": True}]}])
    assert ("New", False) not in whole(agent, card)["checklists"]["Parts"]


@pytest.mark.parametrize(
    "sent, words",
    [
        ({}, "checklists must be a list."),
        ([5], "checklists[0] must be an object with title, items, remove, as in {"),
        (
            ["a", "b"],
            'checklists[1] must be an object with title, items, remove, as in {"title": "Steps", "items": ["One", ',
        ),
        ([{"title": "x", "items": [5]}], "checklists[0].items[0] must be an object with text, done, remove."),
        ([{}], "checklists[0].title must be text."),
        ([{"title": "x", "itmes": []}], "checklists[0] has the unknown field 'itmes'; did you mean items?"),
        ([{"title": "x", "items": "y"}], "checklists[0].items must be a list."),
        ([{"title": "x", "items": ["y", {"text": "a\nb"}]}], "checklists[0].items[1].text must be a single line."),
        ([{"title": "x", "items": [{"text": "y", "done": 1}]}], "checklists[0].items[0].done must be true or false."),
        ([{"title": "x", "remove": "yes"}], "checklists[0].remove must be true or false."),
    ],
)
def test_checklists_are_read_strictly(agent, card, todo, sent, words):
    assert words in agent.refused("update_task", task="#1", checklists=sent)
    assert words in agent.refused("create_task", list="To do", title="x", checklists=sent)
    assert Card.objects.count() == 1


def order(row):
    return [card.number for card in Card.objects.filter(list=row).order_by("position")]


def test_position_is_an_end_or_beside_a_task(agent, olga, card, todo, doing):
    for title in ("Two", "Three"):
        create_card(actor=web(olga), list_id=todo.pk, title=title)
    there = create_card(actor=web(olga), list_id=doing.pk, title="Four")
    for sent, left in [
        ({"position": "bottom"}, [2, 3, 1]),
        ({"position": "top"}, [1, 2, 3]),
        ({"position": "after #2"}, [2, 1, 3]),
        ({"position": "Before 2"}, [1, 2, 3]),
        ({"position": f"after {there.get_absolute_url()}"}, [2, 3]),
        ({"position": "before #3", "list": "To do"}, [2, 1, 3]),
    ]:
        agent.call("update_task", task="#1", **sent)
        assert order(todo) == left
    assert "not in that list" in agent.refused("update_task", task="#1", position="before #4", list="To do")
    assert order(todo) == [2, 1, 3]


@pytest.mark.parametrize("sent", ["middle", "before", "before #99", "after nonsense", 1, "beforehand #1"])
def test_a_position_that_is_none_is_refused(agent, card, sent):
    assert "position" in agent.refused("update_task", task="#1", position=sent)


def test_an_end_is_that_of_the_list_to_which_somebody_else_moved_the_task(agent, ed, card, doing, monkeypatch):
    together = write_tasks.together

    def together_after_ed(*arguments):
        move_card(actor=web(ed), card_id=card.pk, list_id=doing.pk)
        return together(*arguments)

    monkeypatch.setattr(write_tasks, "together", together_after_ed)
    assert agent.call("update_task", task="#1", position="top")["task"]["listId"] == str(doing.pk)


def test_a_place_beside_a_task_of_a_foreign_board_is_no_place(agent, stan, card):
    board = create_board(actor=web(stan), title="Stan's")
    row = create_list(actor=web(stan), board_id=board.pk, title="Stan's list")
    foreign = create_card(actor=web(stan), list_id=row.pk, title="Stan's card")
    refusal = agent.refused("update_task", task="#1", position=f"before {foreign.pk}")
    assert refusal.startswith("The task that position names does not exist, or you have no access to it.")


def test_labels_and_people_of_a_task_that_moves_are_those_of_the_other_board(agent, olga, stan, board, card, bug):
    other = create_board(actor=web(olga), title="Garden")
    create_list(actor=web(olga), board_id=other.pk, title="Ideas")
    create_label(actor=web(olga), board_id=other.pk, name="Tree")
    join(stan, other)
    add_label(actor=web(olga), card_id=card.pk, label_id=bug.pk)
    task = agent.call("update_task", task="#1", list="Ideas", labels=["Tree"], assignees=["Stan"])["task"]
    assert task["boardId"] == str(other.pk)
    assert whole(agent, card)["labels"] == ["Tree"]
    assert list(Assignment.objects.values_list("user", flat=True)) == [stan.pk]


def test_completed_marks_as_done_and_as_open(agent, card):
    for state in (True, True, False, False):
        assert agent.call("update_task", task="#1", completed=state)["task"]["completed"] is state
    assert Activity.objects.filter(verb__in=["card.completed", "card.reopened"]).count() == 2


def test_an_archived_task_is_refused_with_what_to_do(agent, olga, card, bug):
    archive_card(actor=web(olga), card_id=card.pk)
    for sent in (
        {"labels": ["Bug"]},
        {"completed": True},
        {"position": "top"},
        {"checklists": [{"title": "x"}]},
        {"labels": []},
    ):
        assert "is archived" in agent.refused("update_task", task="#1", **sent)


@pytest.mark.parametrize("tool", ["create_task", "update_task"])
def test_a_color_is_one_of_the_twelve(agent, card, todo, tool):
    where = {"list": "To do", "title": "x"} if tool == "create_task" else {"task": "#1"}
    assert "coverColor must be one of red, orange," in agent.refused(tool, coverColor="mauve", **where)


def test_a_color_is_cleared_with_null(agent, card):
    agent.call("update_task", task="#1", coverColor="red")
    agent.call("update_task", task="#1", coverColor=None)
    card.refresh_from_db()
    assert card.cover_hue is None


def test_a_breakdown_is_one_call(agent, board, card):
    before = version_of(board)
    steps = [f"Step {number}" for number in range(20)]
    agent.call("update_task", task="#1", checklists=[{"title": "Plan", "items": steps}])
    assert [text for text, _done in whole(agent, card)["checklists"]["Plan"]] == steps
    assert version_of(board) == before + 1
