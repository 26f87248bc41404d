"""`add` with labels and people, `done`, `reopen`, `archive`, `move`, `due`, `label` and `assign`."""

import signal
from typing import Any

import pytest

from clients.tests.gardening import card_of, change, titles_in
from clients.tests.shell import HURRIED, Answers, Call, answering
from taskboard.tests.servers import PATIENCE


@pytest.fixture
def card(olga, board) -> dict[str, Any]:
    return olga.new_card(board, "Sow")


def test_add_gives_labels_people_and_dates(garden, olga, board):
    options = ["--label", "bug", "--label", "CHORE", "--assign", "me", "--start", "2026-11-30", "--due", "2026-12-01"]
    card = card_of(olga, garden.rows("add", *options, "Sow")[0])
    assert card["labelIds"] == [board["labels"][0]["id"], board["labels"][2]["id"]]
    assert (card["assigneeIds"], card["startDate"], card["dueDay"]) == ([olga.id], "2026-11-30", "2026-12-01")


def test_add_puts_lines_at_the_top_in_their_order(garden, olga, board, card):
    assert garden.run("add", "--top", given="one\ntwo\nthree\n")[0] == 0
    assert titles_in(olga, board["lists"][0]) == ["one", "two", "three", "Sow"]


def test_add_adds_nothing_when_a_label_is_not_there(garden, olga, board):
    code, out, err = garden.run("add", "--label", "bugs", "Sow")
    assert (code, out, err) == (1, "", "There is no label 'bugs'. There are: Bug, Feature, Chore.\n")
    assert titles_in(olga, board["lists"][0]) == []


def test_a_start_after_the_due_date_is_named_by_its_option(garden):
    code, _out, err = garden.run("add", "--start", "2026-12-02", "--due", "2026-12-01", "Sow")
    assert (code, err) == (2, "--start must not be after the due date.\n")


def test_done_and_reopen_take_several_cards(garden, olga, board, card):
    other = olga.new_card(board, "Water")
    assert garden.run("done", "1", "#2") == (0, "#1 Sow: done\n#2 Water: done\n", "")
    assert card_of(olga, other)["completed"]
    assert [row["completed"] for row in garden.rows("reopen", card["id"], "2")] == [False, False]


def test_cards_after_a_refused_one_are_done(garden, olga, card):
    code, out, err = garden.run("done", "7", "1")
    assert (code, out) == (1, "#1 Sow: done\n")
    assert err == "7: There is no card 7, or you cannot see it.\n1 of 2 were refused; the others are done.\n"


def test_archive_tells_the_next_occurrence_and_can_be_undone(garden, olga, card):
    change(olga, card, dueDate="2099-12-01", recurrence="weekly")
    assert garden.run("archive", "1")[1] == "#1 Sow: archived; the next one is #2, due Tue 2099-12-08\n"
    assert card_of(olga, card)["archivedAt"]
    assert garden.run("archive", "--undo", "1") == (0, "#1 Sow: restored\n", "")
    assert garden.rows("archive", "1")[0]["next"]["number"] > 1


def test_move_puts_a_card_where_it_is_told(garden, olga, board, card):
    for title in ("Water", "Weed"):
        olga.new_card(board, title)
    todo, doing = board["lists"][:2]
    for arguments, order in (
        (["--after", "2"], ["Water", "Sow", "Weed"]),
        (["--before", "#2"], ["Sow", "Water", "Weed"]),
        (["--list", "To Do"], ["Water", "Weed", "Sow"]),
        (["--top"], ["Sow", "Water", "Weed"]),
    ):
        assert garden.run("move", "1", *arguments) == (0, "#1 Sow: moved to Garden / To do\n", "")
        assert titles_in(olga, todo) == order
    assert garden.run("move", "1", "--list", doing["id"])[1] == "#1 Sow: moved to Garden / In progress\n"
    garden.run("move", "2", "--before", "1")
    assert titles_in(olga, doing) == ["Water", "Sow"]


def test_move_goes_to_another_board(garden, olga, card):
    other = olga.new_board("Balcony of moves")
    assert garden.run("move", "1", "--to-board", "balcony OF moves")[0] == 0
    assert titles_in(olga, other["lists"][0]) == ["Sow"]
    options = ["--board", other["id"], "--to-board", other["id"], "--list", "done"]
    assert garden.run("move", "1", *options)[0] == 0
    assert titles_in(olga, other["lists"][2]) == ["Sow"]


def test_move_says_what_it_needs_and_what_there_is(garden, card):
    assert garden.run("move", "1")[0] == 2
    code, _out, err = garden.run("move", "1", "--list", "Dome")
    assert (code, err) == (1, "There is no list 'Dome'. There are: To do, In progress, Done.\n")


@pytest.mark.parametrize(
    "command, code",
    [
        (["move", "1", "--to-board", "", "--top"], 1),
        (["move", "1", "--list", "done", "--before", ""], 2),
        (["move", "1", "--list", "done", "--after", ""], 2),
        (["add", "--board", "", "Water"], 1),
        (["list", "--board", ""], 1),
    ],
)
def test_an_empty_name_is_not_taken_for_none(garden, olga, board, card, command, code):
    olga.new_card(board, "First", place="top")
    ended, out, err = garden.run(*command)
    assert (ended, out, "''" in err) == (code, "", True)
    assert titles_in(olga, board["lists"][0]) == ["First", "Sow"]


def test_due_changes_and_clears_a_date(garden, olga, card):
    assert garden.run("due", "1", "2026-12-01")[1] == "#1 Sow: due Tue 2026-12-01\n"
    assert garden.run("due", "1", "2026-12-01T09:00", TZ="UTC")[1] == "#1 Sow: due Tue 2026-12-01 09:00\n"
    assert garden.run("due", "1", "none")[1] == "#1 Sow: due on no day\n"
    assert card_of(olga, card)["dueDate"] is None


def test_label_adds_and_removes_by_name(garden, olga, board, card):
    bug, feature, chore = (label["id"] for label in board["labels"])
    assert garden.run("label", "1", "bug", "CHORE")[1] == "#1 Sow: labels: Bug, Chore\n"
    assert card_of(olga, card)["labelIds"] == [bug, chore]
    assert garden.rows("label", "1", feature)[0]["labelIds"] == [bug, feature, chore]
    assert garden.run("label", "1", "bug", "feature", "chore", "--remove")[1] == "#1 Sow: labels: none\n"


def test_a_label_that_the_card_has_changes_nothing(garden, olga, card):
    garden.run("label", "1", "bug")
    before = card_of(olga, card)["version"]
    assert garden.run("label", "1", "bug")[0] == 0
    assert card_of(olga, card)["version"] == before


def test_assign_takes_names_and_me(garden, olga, people, board, card):
    ed = people["ed"]
    olga.invite(board, ed)
    assert garden.run("assign", "1", "me", "ED")[0] == 0
    assert {*card_of(olga, card)["assigneeIds"]} == {olga.id, ed.id}
    assert garden.run("assign", "1", "me", "--remove")[1] == "#1 Sow: people: Ed\n"
    code, _out, err = garden.run("assign", "1", "Edd")
    assert (code, err) == (1, "There is no person 'Edd'. There are: Olga, Ed.\n")


def test_labels_that_are_given_at_once_all_stay(garden, olga, board, card):
    names = [label["name"] for label in board["labels"]]
    started = [garden.start("label", "1", name) for name in names]
    for process in started:
        _out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")
    assert {*card_of(olga, card)["labelIds"]} == {label["id"] for label in board["labels"]}


CARD_PATH = "/api/v1/cards/01a214d2-a624-7396-8511-e30bcdb6c4e1"
CARD = {"id": CARD_PATH[-36:], "number": 1, "title": "Sow", "boardId": "b", "labelIds": [], "version": 5}
LABELS = [{"id": "l1", "name": "Bug"}, {"id": "l2", "name": "Chore"}]
BOARD = {"id": "b", "title": "Garden", "lists": [], "labels": LABELS, "members": []}
CHANGED = (412, {"error": "Somebody else has changed this."})


def answers_about(*cards: dict[str, Any]) -> Answers:
    """Return the answers of a board with one card, which is another one each time that it is read."""
    return {
        "/api/v1/boards": [(200, {"boards": [BOARD]})],
        "/api/v1/boards/b": [(200, {"board": BOARD})],
        "/api/v1/boards/b/cards/1": [(200, {"card": CARD})],
        CARD_PATH: [(200, {"card": card}) for card in cards],
    }


def test_a_label_that_another_person_gives_meanwhile_stays(shell):
    theirs = CARD | {"labelIds": ["l1"], "version": 6}
    both = CARD | {"labelIds": ["l1", "l2"], "version": 7}
    calls: list[Call] = []
    with answering({**answers_about(theirs), f"PATCH {CARD_PATH}": [CHANGED, (200, {"card": both})]}, calls) as url:
        shell.sign_in(url, "tbk_x")
        assert shell.run("label", "1", "chore") == (0, "#1 Sow: labels: Bug, Chore\n", "")
    sent = [(call.headers["If-Match"], call.json) for call in calls if call.method == "PATCH"]
    assert sent == [('"5"', {"labelIds": ["l2"]}), ('"6"', {"labelIds": ["l1", "l2"]})]


def test_a_card_that_others_change_each_time_is_given_up(shell):
    with answering({**answers_about(CARD), f"PATCH {CARD_PATH}": [CHANGED]}) as url:
        shell.sign_in(url, "tbk_x")
        code, out, err = shell.run("label", "1", "chore", PYTHONPATH=HURRIED)
    assert (code, out, err) == (1, "", "Others changed the card each time. Try again.\n")


def test_ctrl_c_ends_a_command_quietly(shell):
    waiting = (429, {"error": "Too many requests."})
    with answering({"/api/v1/boards": [waiting]}, headers={"Retry-After": "60"}) as url:
        shell.sign_in(url, "tbk_x")
        process = shell.start("done", "1")
        assert process.stderr is not None
        assert "wait 60 s" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "Interrupted.\n")
