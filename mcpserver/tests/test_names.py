"""Boards, lists, tasks, labels and people by what a person would say."""

from uuid import uuid4

import pytest

from accounts.models import Plan
from boards.actions.boards.board import create_board
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import archive_list, create_list
from boards.models import Activity, Assignment, Attachment, CardLabel, Label, StoredFile
from conftest import join, person, web


@pytest.fixture
def garden(olga):
    """Another board of Olga's, with a list of the title that one on *Launch* has, and a list of its own."""
    board = create_board(actor=web(olga), title="Garden")
    for title in ("To do", "Winter"):
        create_list(actor=web(olga), board_id=board.pk, title=title)
    return board


def lists_of(board):
    return {row.title: row for row in board.lists.all()}


def labels_of(card):
    return sorted(CardLabel.objects.filter(card=card).values_list("label__name", flat=True))


def people_of(card):
    return sorted(Assignment.objects.filter(card=card).values_list("user__name", flat=True))


def test_the_list_of_the_tasks_own_board_is_meant_before_others(agent, card, doing, garden):
    create_list(actor=web(card.created_by), board_id=garden.pk, title="Doing")
    for tool in ("move_task", "update_task"):
        assert agent.call(tool, task="#1", list="doing")["task"]["listId"] == str(doing.pk)


def test_a_list_of_another_board_is_found_where_its_title_is_the_only_one(agent, card, garden):
    task = agent.call("move_task", task="#1", list="winter")["task"]
    assert (task["boardId"], task["listId"]) == (str(garden.pk), str(lists_of(garden)["Winter"].pk))


def test_with_a_board_only_its_lists_are_looked_through(agent, card, board, garden):
    assert "There is no list" in agent.refused("create_task", board="Launch", list="Winter", title="x")
    assert "There is no list" in agent.refused("move_task", task="#1", board="Launch", list="Winter")
    refusal = agent.refused("create_task", board="Nowhere", list="Winter", title="x")
    assert "There is no board with the boardId 'Nowhere'" in refusal


def test_a_title_that_the_board_lacks_is_answered_with_its_lists(agent, olga, card, doing, garden):
    told = "There is no list with the listId '{}' on the board 'Launch'.{} There are 'To do', 'Doing'."
    assert agent.refused("create_task", board="Launch", list="Doign", title="x") == told.format(
        "Doign", " Did you mean 'Doing'?"
    )
    assert agent.refused("search_tasks", board="Launch", list="Winter") == told.format("Winter", "")
    winter = lists_of(garden)["Winter"]
    moving = f" On other boards there is 'Winter' on the board 'Garden' (id {winter.pk}). To move the task there, send the id"
    for tool in ("move_task", "update_task"):
        refusal = agent.refused(tool, task="#1", board="Launch", list="Winter")
        assert refusal.startswith(told.format("Winter", "") + moving)


def test_nothing_is_said_against_the_title_of_a_list_that_was_not_at_fault(agent, olga, card, doing, garden):
    assert "listId" not in agent.refused("move_task", task="#9", list="Doing")
    assert "listId" not in agent.refused("move_task", task="#9", board="Launch", list="To do")
    refusal = agent.refused("create_task", list="To do", title="x")
    assert refusal.startswith("'To do' is the title of several lists: ")
    assert "There is no list" not in refusal


def test_the_nearest_title_of_a_board_is_named(agent, agent_of, stan, board):
    refusal = agent.refused("create_list", board="Lanch", title="x")
    assert "with the boardId 'Lanch' that you have access to. Did you mean 'Launch'? Call list_boards" in refusal
    assert "Did you mean" not in agent_of(stan).refused("create_list", board="Lanch", title="x")


def test_a_list_that_a_foreign_board_lacks_tells_nothing_of_it(agent_of, stan, board, todo):
    create_list(actor=web(stan), board_id=create_board(actor=web(stan), title="Mine").pk, title="Mine")
    refusal = agent_of(stan).refused("create_task", board=board.pk, list="Nowhere", title="x")
    assert board.title not in refusal
    assert todo.title not in refusal
    assert refusal.replace(str(board.pk), "") == agent_of(stan).refused(
        "create_task", board=(nowhere := str(uuid4())), list="Nowhere", title="x"
    ).replace(nowhere, "")


def test_an_exact_title_wins_over_one_in_another_case(agent, olga, board, todo):
    shouted = create_list(actor=web(olga), board_id=board.pk, title="TO DO")
    assert agent.call("create_task", list="To do", title="x")["task"]["listId"] == str(todo.pk)
    assert agent.call("create_task", list="TO DO", title="x")["task"]["listId"] == str(shouted.pk)
    refusal = agent.refused("create_task", list="to do", title="x")
    assert f"'To do' on the board 'Launch' (id {todo.pk})" in refusal
    assert f"'TO DO' on the board 'Launch' (id {shouted.pk})" in refusal


def test_titles_are_compared_without_case_in_any_language(agent, olga, board):
    row = create_list(actor=web(olga), board_id=board.pk, title="Übersicht")
    assert agent.call("create_task", list="ÜBERSICHT", title="x")["task"]["listId"] == str(row.pk)


def test_an_id_wins_over_a_title(agent, olga, board, todo, doing):
    create_list(actor=web(olga), board_id=board.pk, title=str(todo.pk))
    assert agent.call("create_task", list=todo.pk, title="x")["task"]["listId"] == str(todo.pk)


def test_an_archived_list_has_no_title_any_more(agent, olga, todo, doing):
    archive_list(actor=web(olga), list_id=doing.pk)
    assert "There is no list" in agent.refused("create_task", list="Doing", title="x")


@pytest.mark.parametrize("form", ["{url}", "http://elsewhere.example{url}", "{url}&x=1", "/card/{pk}", "TB-1", "tb-1"])
def test_a_task_is_taken_by_its_address(agent, card, garden, form):
    sent = form.format(url=card.get_absolute_url(), pk=card.pk)
    assert agent.call("complete_task", task=sent)["task"]["id"] == str(card.pk)


@pytest.mark.parametrize("form", ["/board/{board}", "{url}0", "see {url}", "?card={pk}", "/board/x?card=nonsense"])
def test_what_is_no_address_of_a_task_is_not_found(agent, card, form):
    sent = form.format(url=card.get_absolute_url(), pk=card.pk, board=card.board_id)
    assert "There is no task" in agent.refused("complete_task", task=sent)


@pytest.mark.parametrize(
    "form", ["{url}", "http://elsewhere.example{url}", " {url}?card=x", "https://tasks.example/sub{url}#top"]
)
def test_a_board_is_taken_by_its_address_wherever_it_is_named(agent, card, garden, form):
    sent = form.format(url=garden.get_absolute_url())
    assert agent.call("get_board", board=sent)["board"]["title"] == "Garden"
    assert agent.call("create_list", board=sent, title="Beds")["list"]["boardId"] == str(garden.pk)
    assert agent.call("create_task", board=sent, list="Winter", title="Mulch")["task"]["number"] == 1
    assert agent.call("update_tasks", board=sent, tasks=[{"task": "#1", "completed": True}])["ok"] == 1
    assert [found["title"] for found in agent.call("search_tasks", board=sent)["tasks"]] == ["Mulch"]
    assert [found["title"] for found in agent.call("search_tasks", boards=sent)["tasks"]] == ["Mulch"]
    assert [found["title"] for found in agent.call("overview", boards=[sent])["boards"]] == ["Garden"]
    assert agent.call("list_changes", board=sent)["version"]


@pytest.mark.parametrize("form", ["{url}0", "see {url}", "/boards/{pk}", "/board/nonsense"])
def test_what_is_no_address_of_a_board_is_not_found(agent, board, form):
    sent = form.format(url=board.get_absolute_url(), pk=board.pk)
    assert "There is no board" in agent.refused("get_board", board=sent)
    assert "is called" in agent.refused("overview", boards=sent)


def test_the_address_of_a_foreign_board_is_not_found(agent_of, stan, board):
    theirs = agent_of(stan).refused("get_board", board=board.get_absolute_url())
    nowhere = agent_of(stan).refused("get_board", board=f"/board/{uuid4()}")
    assert theirs.partition("/board/")[0] == nowhere.partition("/board/")[0]
    assert board.title not in theirs


def test_what_is_cut_in_a_refusal_says_so(agent, board, todo):
    refusal = agent.refused("get_board", board=f"https://tasks.example/boards/{'x' * 80}")
    assert f"with the boardId 'https://tasks.example/boards/{'x' * 31}…' that you have access to." in refusal
    create_list(actor=web(board.memberships.first().user), board_id=board.pk, title="y" * 80)
    create_list(actor=web(board.memberships.first().user), board_id=board.pk, title="y" * 80)
    assert f"'{'y' * 60}…' is the title of several lists" in agent.refused("move_task", task="#1", list="y" * 80)


def test_the_address_of_a_foreign_task_is_not_found(agent_of, stan, card):
    for sent in (card.get_absolute_url(), f"/board/{uuid4()}?card={card.pk}"):
        assert "There is no task" in agent_of(stan).refused("get_task", task=sent)


def test_the_titles_of_foreign_boards_give_nothing_away(agent_of, stan, board, todo, card):
    robot = agent_of(stan)
    mine = create_board(actor=web(stan), title="Mine", template="kanban")
    for arguments in ({"board": "Launch"}, {"list": "Doing"}, {"board": board.pk}, {"list": todo.pk}):
        refusal = robot.refused("create_task", title="x", labels=["Bug"], assignees=["Ed"], **arguments)
        assert refusal.startswith("There is no ")
        assert str(board.pk) not in refusal.replace(f"'{board.pk}'", "")
        assert "Bug" not in refusal
    assert robot.call("create_task", board="mine", list="to do", title="x")["task"]["boardId"] == str(mine.pk)


def test_labels_are_taken_by_name_in_any_case_and_by_id(agent, olga, card):
    bug = create_label(actor=web(olga), board_id=card.board_id, name="Bug")
    for sent in ("Bug", "bug", " BUG ", str(bug.pk)):
        agent.call("update_task", task="#1", labels=[sent])
        assert labels_of(card) == ["Bug"]
    assert Activity.objects.filter(verb="card.labelled").count() == 1


def test_labels_that_differ_by_case_give_the_choice(agent, olga, card):
    ids = {name: create_label(actor=web(olga), board_id=card.board_id, name=name).pk for name in ("Bug", "bug")}
    refusal = agent.refused("update_task", task="#1", addLabels=["BUG"])
    assert f"'Bug' (id {ids['Bug']}); 'bug' (id {ids['bug']}). Send the id of one." in refusal
    agent.call("update_task", task="#1", addLabels=["bug"])
    assert labels_of(card) == ["bug"]


def test_a_label_that_does_not_exist_names_the_nearest_and_how_to_create_it(agent, olga, card):
    create_label(actor=web(olga), board_id=card.board_id, name="Urgent")
    refusal = agent.refused("update_task", task="#1", labels=["Urgnt", "Zebra"])
    assert (
        "this board has no label 'Urgnt'. Did you mean 'Urgent'? There are 'Urgent'. Send createLabels: true to create it."
        in refusal
    )
    assert "no label 'Zebra'. There are 'Urgent'. Send createLabels" in refusal
    assert "createLabels" not in agent.refused("update_task", task="#1", removeLabels=["Urgnt"], createLabels=True)
    agent.call("update_task", task="#1", labels=["Zebra", "zebra", "urgent"], createLabels=True)
    assert labels_of(card) == ["Urgent", "Zebra"]


def test_a_label_too_many_is_refused_with_what_an_agent_can_do(agent, board, card):
    Label.objects.bulk_create(Label(board=board, name=f"Label {n}", hue=1, version=1) for n in range(500))
    told = agent.refused("update_task", task="#1", labels=["Urgent"], createLabels=True)
    assert told.endswith("No tool deletes labels: ask a person who may edit the board to do it in the browser.")


def test_a_move_to_a_board_without_room_for_files_says_what_an_agent_can_do(agent, olga, card, garden):
    file = StoredFile.objects.create(name="a", size=5, content_type="text/plain", sha256="0" * 64)
    Attachment.objects.create(board=card.board, card=card, file=file, file_name="a", uploaded_by=olga, version=1)
    Plan.objects.update(max_board_bytes=4)
    told = agent.refused("update_task", task="#1", listId=lists_of(garden)["Winter"].pk)
    assert told.endswith("No tool deletes files: ask a person who may edit the board to do it in the browser.")


@pytest.mark.parametrize("name", ["x" * 51, "a\nb", "\ud800"])
def test_a_label_that_cannot_be_created_is_refused(agent, card, name):
    assert "labels " in agent.refused("update_task", task="#1", labels=[name], createLabels=True)
    assert labels_of(card) == []


def test_people_are_taken_by_name_first_name_address_id_and_me(agent, ed, card):
    ed.name = "Ed Editor"
    ed.save()
    for sent in ("Ed Editor", "ed editor", "ED", "ed@example.com", "Ed@Example.com", str(ed.pk)):
        agent.call("update_task", task="#1", assignees=[sent])
        assert people_of(card) == ["Ed Editor"]
    agent.call("update_task", task="#1", assignees=["me"])
    assert people_of(card) == ["Olga"]


def test_a_name_that_two_people_have_gives_the_choice(agent, ed, board, card):
    other = person("edwin")
    other.name = "Ed"
    other.save()
    join(other, board)
    refusal = agent.refused("update_task", task="#1", assignees=["Ed"])
    assert f"(id {ed.pk})" in refusal
    assert f"(id {other.pk})" in refusal
    assert "@" not in refusal
    agent.call("update_task", task="#1", assignees=[str(other.pk)])
    assert list(Assignment.objects.values_list("user", flat=True)) == [other.pk]


def test_nobody_but_a_member_is_assigned_and_no_address_is_told(agent, stan, card):
    before = Activity.objects.count()
    for sent in ("Stan", "stan@example.com", str(stan.pk), "nobody@example.com", str(uuid4())):
        refusal = agent.refused("update_task", task="#1", addAssignees=[sent])
        assert "member of this board" in refusal
        assert "@" not in refusal
    assert Activity.objects.count() == before
    assert "There are 'Ed', 'Olga', 'Vera'." in agent.refused("update_task", task="#1", addAssignees=["Stan"])


def test_of_several_addresses_that_no_member_has_each_is_told_by_its_beginning(agent, card):
    refusal = agent.refused(
        "update_task", task="#1", assignees=["ed@example.com", "amy@example.com", "bob@example.com"]
    )
    for name in ("amy", "bob"):
        assert f"assignees: the address that begins with '{name}' is that of no member of this board." in refusal
    assert "'ed'" not in refusal


@pytest.mark.parametrize("name", ["labels", "assignees", "addLabels", "removeAssignees"])
@pytest.mark.parametrize("sent", [5, [5], [""], [" "], {"a": 1}, [["Bug"]], ["x"] * 51])
def test_names_are_a_list_of_texts(agent, card, name, sent):
    assert f"{name} must " in agent.refused("update_task", task="#1", **{name: sent})
