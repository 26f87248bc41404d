"""`list`, `search` and `show`, against the real service."""

import json
import re
from typing import Any

import pytest

from clients.tests.gardening import act, change, whole
from clients.tests.shell import Shell, answering


def numbers(text: str) -> list[str]:
    return re.findall(r"^ +#(\d+)", text, re.MULTILINE)


def titles_of(rows: list[dict[str, Any]]) -> list[str]:
    return [row["title"] for row in rows]


def test_list_shows_a_table_for_each_list(signed_in, olga, board):
    bug, me = board["labels"][0], olga.id
    sow = olga.new_card(board, "Sow")
    change(olga, sow, dueDate="2026-12-01", labelIds=[bug["id"]], assigneeIds=[me])
    olga.new_card(board, "Harvest tomatoes", listId=board["lists"][1]["id"])
    code, out, err = signed_in.run("list", "--board", board["id"])
    assert (code, err) == (0, "")
    assert out == (
        "Garden / To do\n"
        f"  #1  Sow               Tue 2026-12-01  [{bug['name']}]  Olga\n"
        "\n"
        "Garden / In progress\n"
        "  #2  Harvest tomatoes\n"
    )


def test_list_leaves_out_what_is_done_or_archived_unless_it_is_asked_for(signed_in, olga, board):
    cards = [olga.new_card(board, title) for title in ("Open", "Done", "Archived")]
    act(olga, cards[1], "complete")
    act(olga, cards[2], "archive")
    for options, found in (([], ["1"]), (["--done"], ["2"]), (["--archived"], ["3"]), (["--all"], ["1", "2", "3"])):
        assert numbers(signed_in.run("list", "--board", board["id"], *options)[1]) == found


def test_list_takes_one_list_by_its_title_in_any_case(signed_in, olga, board):
    olga.new_card(board, "Elsewhere")
    olga.new_card(board, "Here", listId=board["lists"][1]["id"])
    assert titles_of(signed_in.rows("list", "--board", board["id"], "--list", "IN progress")) == ["Here"]


def test_list_filters_by_label_person_and_day(signed_in, olga, board):
    bug, chore = board["labels"][0], board["labels"][2]
    for title, fields in {
        "bug": {"labelIds": [bug["id"]]},
        "chore": {"labelIds": [chore["id"]]},
        "mine": {"assigneeIds": [olga.id]},
        "due": {"dueDate": "2026-12-01"},
        "later": {"dueDate": "2026-12-02"},
    }.items():
        change(olga, olga.new_card(board, title), **fields)
    for options, found in (
        (["--label", "bug"], ["bug"]),
        (["--label", "BUG", "--label", chore["id"]], ["bug", "chore"]),
        (["--mine"], ["mine"]),
        (["--due-before", "2026-12-02"], ["due"]),
    ):
        assert titles_of(signed_in.rows("list", "--board", board["id"], *options)) == found


def test_list_says_which_labels_there_are(signed_in, board):
    code, out, err = signed_in.run("list", "--board", board["id"], "--label", "bugs")
    assert (code, out) == (1, "")
    assert err == "There is no label 'bugs'. There are: Bug, Feature, Chore.\n"


def test_list_mine_goes_over_all_boards(shell, running, people):
    vera = people["vera"]
    boards = [vera.new_board("First"), vera.new_board("Second")]
    for board in boards:
        change(vera, vera.new_card(board, board["title"]), assigneeIds=[vera.id])
    shell.sign_in(running.url, vera.token)
    assert titles_of(shell.rows("list", "--mine")) == ["First", "Second"]
    assert titles_of(shell.rows("list", "--mine", "--board", "second")) == ["Second"]
    assert titles_of(shell.rows("list", TASKBOARD_BOARD="first")) == ["First"]
    assert shell.run("list")[0] == 2


def test_list_fetches_as_many_pages_as_the_limit_needs(signed_in, olga, board):
    for batch in range(3):
        cards = [{"boardId": board["id"], "title": f"{batch}-{number}"} for number in range(100)]
        assert olga.script.post("/api/v1/cards/batch", json={"cards": cards}).status_code == 201
    code, out, err = signed_in.run("list", "--board", board["id"])
    assert (code, len(numbers(out))) == (0, 200)
    assert err == "There are more than 200. Show more with --limit.\n"
    assert numbers(signed_in.run("list", "--board", board["id"], "--limit", "2")[1]) == ["1", "2"]
    rows = signed_in.rows("list", "--board", board["id"], "--limit", "1000")
    assert [row["number"] for row in rows] == list(range(1, 301))


@pytest.mark.parametrize("limit", ["0", "-1", "many", "10001"])
def test_a_limit_that_is_none_is_wrong_usage(signed_in, limit):
    assert signed_in.run("list", f"--limit={limit}")[0] == 2


def test_a_narrow_terminal_keeps_numbers_and_days_whole(signed_in, olga, board):
    card = olga.new_card(board, "収穫 " * 20)
    change(olga, card, dueDate="2026-12-01", labelIds=[board["labels"][0]["id"]], assigneeIds=[olga.id])
    _code, out, _err = signed_in.run("list", "--board", board["id"], COLUMNS="40")
    line = out.splitlines()[1]
    assert line.startswith("  #1  収穫 ")
    assert line.endswith("…  Tue 2026-12-01")
    assert sum(1 + (c in "収穫") for c in line) <= 40


def test_titles_of_cards_do_not_steer_the_terminal(signed_in, olga, board):
    olga.new_card(board, "a\u202eb\u009bc")
    _code, out, _err = signed_in.run("list", "--board", board["id"])
    assert out.endswith("  abc\n")
    _code, out, _err = signed_in.run("list", "--board", board["id"], "--json")
    assert "\\u202e" in out
    assert json.loads(out)["title"] == "a\u202eb\u009bc"


def test_search_finds_words_on_all_boards_or_on_one(signed_in, olga, board):
    other = olga.new_board("Balcony")
    for place, title in ((board, "Prune the quince"), (other, "Eat the quince"), (board, "Prune the rose")):
        olga.new_card(place, title)
    assert sorted(titles_of(signed_in.rows("search", "quince", "the"))) == ["Eat the quince", "Prune the quince"]
    assert titles_of(signed_in.rows("search", "quince", "--board", other["id"])) == ["Eat the quince"]
    here = [row["id"] for row in board["lists"]]
    assert titles_of(signed_in.rows("search", "quince", "--list", here[0])) == ["Prune the quince"]
    assert signed_in.rows("search", "quince", "--list", here[1]) == []


def test_search_finds_labels_of_the_same_name_on_all_boards(signed_in, olga, board):
    for place in (board, whole(olga, olga.new_board("Greenhouse"))):
        card = olga.new_card(place, f"Compost in {place['title']}")
        change(olga, card, labelIds=[place["labels"][0]["id"]])
    olga.new_card(board, "Compost")
    found = titles_of(signed_in.rows("search", "compost", "--label", "bug"))
    assert sorted(found) == ["Compost in Garden", "Compost in Greenhouse"]


def test_nothing_that_is_found_is_no_error(signed_in, board):
    assert signed_in.run("search", "nonsensical") == (0, "There are no such cards.\n", "")
    assert signed_in.rows("list", "--board", board["id"]) == []


def test_show_tells_all_of_a_card(signed_in, running, olga, board):
    card = olga.new_card(board, "Sow")
    bug = board["labels"][0]
    change(olga, card, description="Peas\n\nand beans", dueDate="2026-12-01T09:30", startDate="2026-11-30")
    change(olga, card, labelIds=[bug["id"]], assigneeIds=[olga.id], recurrence="weekly")
    code, out, _err = signed_in.run("show", "#1", "--board", board["id"], TZ="UTC")
    assert code == 0
    assert out == (
        "#1 Sow\n"
        "List     Garden / To do\n"
        "Start    Mon 2026-11-30\n"
        "Due      Tue 2026-12-01 09:30\n"
        "Repeats  weekly\n"
        f"Labels   {bug['name']}\n"
        "People   Olga\n"
        f"Page     {running.url}{card['url']}\n"
        "\n"
        "Peas\n"
        "\n"
        "and beans\n"
    )


def test_show_finds_a_card_by_number_id_and_address(signed_in, running, olga, board):
    card = olga.new_card(board, "Sow")
    for wanted in ("1", "#1", card["id"], card["url"], f"{running.url}{card['url']}"):
        assert signed_in.rows("show", wanted, TASKBOARD_BOARD=board["id"])[0]["id"] == card["id"]


def test_a_card_that_is_not_there_is_named_as_it_was_given(signed_in, board):
    for wanted, code in (
        ("#7", 1),
        ("https://elsewhere.example/board/1?card=2", 1),
        ("seven", 2),
        ("https://[x", 2),
        (board["id"], 1),
    ):
        ended, out, err = signed_in.run("show", wanted, "--board", board["id"])
        assert (ended, out) == (code, "")
        assert wanted in err


def test_show_tells_checklists_files_and_comments(shell):
    person = {"id": "1", "name": "Vera\u009b2J"}
    card = {
        "id": "x",
        "number": 3,
        "title": "Sow",
        "boardId": "b",
        "listId": "l",
        "url": "/board/b?card=x",
        "dueDate": None,
        "dueDay": None,
        "startDate": None,
        "recurrence": None,
        "labelIds": [],
        "assigneeIds": [],
        "archivedAt": None,
        "completed": True,
        "description": "",
        "commentCount": 2,
        "checklists": [{"title": "Steps", "items": [{"text": "dig", "done": True}, {"text": "water", "done": False}]}],
        "attachments": [{"fileName": "plan.pdf", "size": 12001, "url": "/api/v1/attachments/f/file"}],
    }
    first = {"author": person, "body": "One\nand two", "createdAt": "2026-11-25T10:00:00.5Z", "editedAt": None}
    second = {**first, "body": "Three", "editedAt": "2026-11-25T11:00:00Z"}
    board = {"id": "b", "title": "Garden", "lists": [{"id": "l", "title": "To do"}], "labels": [], "members": []}
    comments = "/api/v1/cards/x/comments?limit=200"
    answers = {
        "/api/v1/boards": [(200, {"boards": [board]})],
        "/api/v1/boards/b": [(200, {"board": board})],
        "/api/v1/boards/b/cards/3": [(200, {"card": card})],
        "/api/v1/account": [(200, {"account": {"timeZone": "Asia/Tokyo"}})],
        comments: [(200, {"comments": [first], "nextCursor": "c"})],
        f"{comments}&cursor=c": [(200, {"comments": [second], "nextCursor": None})],
    }
    with answering(answers) as url:
        shell.sign_in(url, "tbk_x")
        out = shell.run("show", "3")[1]
        assert [each["body"] for each in shell.rows("show", "3")[0]["comments"]] == ["One\nand two", "Three"]
    assert out == (
        "#3 Sow\n"
        "List     Garden / To do\n"
        "State    done\n"
        f"Page     {url}/board/b?card=x\n"
        "\n"
        "Steps\n"
        "  [x] dig\n"
        "  [ ] water\n"
        "\n"
        "Files\n"
        f"  plan.pdf (13 kB)  {url}/api/v1/attachments/f/file\n"
        "\n"
        "Vera2J, Wed 2026-11-25 19:00\n"
        "  One\n"
        "  and two\n"
        "\n"
        "Vera2J, Wed 2026-11-25 19:00 (edited)\n"
        "  Three\n"
    )


def test_a_search_of_one_board_ends_after_very_many_pages(shell: Shell) -> None:
    board = {"id": "b", "title": "Garden", "lists": [], "labels": [], "members": []}
    page = {"cards": [{"boardId": "other"}], "nextCursor": "c"}
    answers = {"/api/v1/boards": [(200, {"boards": [board]})], "/api/v1/cards": [(200, page)]}
    with answering(answers) as url:
        shell.sign_in(url, "tbk_x")
        code, out, err = shell.run("search", "x", "--board", "garden")
    assert (code, out) == (0, "There are no such cards.\n")
    assert "50 pages" in err


def test_a_reader_of_cards_that_stops_early_is_not_an_error(signed_in, olga, board):
    olga.new_card(board, "Sow")
    with signed_in.start("list", "--json", "--board", board["id"]) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0
