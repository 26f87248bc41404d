"""Tables as services write them, each with what comes over and what is counted."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from boards.colours import Hue
from boards.outlines import ItemOutline
from importer.formats import csv_tables
from importer.formats.source import Source
from importer.tests.reading import FILES, card, read


def labels_of(board: object, title: str) -> list[str]:
    names = {label.key: label.name for label in board.labels}  # type: ignore[attr-defined]
    return [names[key] for key in card(board, title).labels]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["asana", "jira", "linear", "todoist", "ticktick", "kanboard"])
def test_a_service_is_known_by_its_heads(name: str) -> None:
    source = Source(FILES / f"{name}.csv", f"{name}.csv")
    assert csv_tables.looks_like(source)
    assert {one.name: one.answer for one in csv_tables.questions(source)}["preset"] == name


def test_projects_of_github_are_known_by_their_heads() -> None:
    answers = {one.name: one.answer for one in csv_tables.questions(Source(FILES / "github.tsv", "Board.tsv"))}
    assert (answers["preset"], answers["title"]) == ("github", "Board")


def test_asana() -> None:
    [board], losses = read(csv_tables, FILES / "asana.csv")
    assert losses == {"field-in-text": 5}  # projects and estimate, a parent, an item's person and day
    assert [row.title for row in board.lists] == ["To do", "Cards", "Done"]
    hall = card(board, "Rent a hall")
    assert hall.description == "Ask for:\n\\- chairs\n\\- \\*tables\\*\n\n- **Projects**: Party\n- **Estimate**: 4"
    assert (hall.start_day, hall.due_day, hall.assignees) == (date(2024, 1, 10), date(2024, 2, 1), ["Ken Mori"])
    assert labels_of(board, "Rent a hall") == ["venue", "urgent"]
    assert hall.checklists[0].items == [ItemOutline("Call the owner (2024-01-07, Mia Weiß)", done=True)]
    assert card(board, "Sign the contract").description == "Bring two copies.\n\n- **Parent task**: Rent a hall"
    assert card(board, "Pick a date").completed_at == datetime(2024, 1, 7, 22, 59, 59, tzinfo=UTC)


def test_a_subtask_whose_parent_is_unknown_keeps_its_labels_and_its_list(tmp_path: Path) -> None:
    path = tmp_path / "asana.csv"
    heads = "Task ID,Last Modified,Name,Section/Column,Tags,Parent task"
    path.write_text(f"{heads}\n1,,Plan,To do,,\n2,,Plan,To do,,\n3,,Buy,,urgent,Plan\n")
    [board], losses = read(csv_tables, path)
    assert labels_of(board, "Buy") == ["urgent"]
    assert [row.title for row in board.lists] == ["To do", card(board, "Buy").list_key]
    assert losses == {"field-in-text": 1}  # the name of its parent


def test_jira() -> None:
    [board], losses = read(csv_tables, FILES / "jira.csv")
    assert losses == {"field-in-text": 5}
    bug = card(board, "Login fails")
    assert bug.created_at == datetime(2024, 1, 5, 8, 14, tzinfo=UTC)
    assert labels_of(board, "Login fails") == ["Bug", "web", "security", "Priority: High"]
    assert [(one.author, one.text) for one in bug.comments] == [
        ("Mia Weiß", "I see it too; on two machines"),
        ("712020:gone", "Fixed?"),
    ]
    assert bug.description.startswith("h1. Steps\n\\# open")
    assert card(board, "Write docs").completed_at == datetime(2024, 1, 6, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("midnight", ["15/Mar/24 12:00 AM", "2024-03-15 00:00"])
def test_a_due_date_of_jira_is_a_whole_day(tmp_path: Path, midnight: str) -> None:
    path = tmp_path / "jira.csv"
    path.write_text(f"Summary,Issue key,Issue Type,Status,Due date\nLogin fails,AB-1,Bug,Open,{midnight}\n")
    [board], _losses = read(csv_tables, path)
    assert card(board, "Login fails").due_day == date(2024, 3, 15)


def test_linear() -> None:
    [board], losses = read(csv_tables, FILES / "linear.csv")
    ship = card(board, "Ship it")
    assert ship.created_at == datetime(2024, 2, 9, 14, 47, 25, tzinfo=UTC)
    assert ship.due_day == date(2024, 2, 15)
    assert ship.description == "**Now**\n\n- **ID**: ENG-1\n- **Team**: Eng\n- **Estimate**: 2"
    assert labels_of(board, "Ship it") == ["Bug", "UI", "Priority: Urgent"]
    assert card(board, "Test it").labels == []
    assert "**Parent issue**: ENG-1" in card(board, "Test it").description
    assert losses == {"field-in-text": 6}


def test_todoist() -> None:
    [board], losses = read(csv_tables, FILES / "todoist.csv")
    assert [row.title for row in board.lists] == ["Cards", "House"]
    assert [one.title for one in board.cards] == ["Before any section", "Clean @home", "Kitchen", "Water plants"]
    clean = card(board, "Clean @home")
    assert (clean.recurrence, clean.due_day) == ("weekly", date(2026, 12, 1))
    assert labels_of(board, "Clean @home") == ["Priority 1"]
    assert [item.text for item in clean.checklists[0].items] == ["Bath", "Tub (Priority 3)"]
    assert "- **Parent**: Clean @home" in card(board, "Kitchen").description
    assert [one.text for one in card(board, "Kitchen").comments] == ["Use the new sponge"]
    assert card(board, "Water plants").description == "- **DATE**: every monday"
    assert [one.text for one in card(board, "Water plants").comments] == ["Not the cactus", "Nor the fern"]
    assert losses == {"field-in-text": 4}  # two dates, a parent, the priority of an item


def test_rows_of_todoist_of_an_unknown_kind_are_cards(tmp_path: Path) -> None:
    path = tmp_path / "todoist.csv"
    path.write_text("TYPE,CONTENT,PRIORITY,INDENT\nmeta,view_style=list,,\ntask,Mow,4,1\nstamp,Three,4,1\n")
    [board], _losses = read(csv_tables, path)
    assert [one.title for one in board.cards] == ["Mow", "Three"]


def test_ticktick() -> None:
    [board], losses = read(csv_tables, FILES / "ticktick.csv")
    shop = card(board, "Shop")
    assert (shop.due_day, shop.start_day, shop.recurrence) == (date(2024, 1, 7), date(2024, 1, 7), "weekly")
    assert shop.description == "For Sunday"
    assert shop.checklists[0].items == [ItemOutline("Milk"), ItemOutline("Bread", done=True)]
    assert labels_of(board, "Shop") == ["food", "High priority"]
    report = card(board, "Report")
    assert report.completed_at == datetime(2024, 1, 8, 9, tzinfo=UTC)
    assert report.checklists[0].items == [ItemOutline("Print it")]
    assert [row.title for row in board.lists] == ["Home", "Work / Office"]
    assert losses == {"field-in-text": 2}  # a reminder, a rule that does not exist here


def test_projects_of_github() -> None:
    [board], losses = read(csv_tables, FILES / "github.tsv")
    fix = card(board, "Fix the build")
    assert (fix.list_key, fix.assignees) == ("Todo", ["ken", "mia"])
    assert labels_of(board, "Fix the build") == ["bug", "good first issue"]
    assert fix.description == "- **URL**: <https://github.com/o/r/issues/1>\n- **Milestone**: v1"
    assert losses == {"field-in-text": 2}


def test_kanboard_with_the_month_first() -> None:
    path = FILES / "kanboard.csv"
    orders = {one.name: "mdy" for one in csv_tables.questions(Source(path, "x.csv")) if one.name.endswith("-order")}
    [board], losses = read(csv_tables, path, **orders)
    spade = card(board, "Mend the spade")
    assert (spade.number, spade.due_at) == (7, datetime(2024, 1, 5, 15, tzinfo=UTC))
    assert (spade.cover_hue, spade.created_by, spade.assignees) == (Hue.YELLOW, "Ken Mori", ["Mia Weiß"])
    assert labels_of(board, "Mend the spade") == ["Tools", "Default swimlane", "iron", "wood", "Priority: 2"]
    assert card(board, "Buy seeds").completed_at == datetime(2024, 1, 4, 9, tzinfo=UTC)
    assert losses == {"field-in-text": 9}


def test_our_own_table_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "Garden.csv"
    path.write_text(
        "\ufeffNumber,Title,List,Labels,Start,Due,Assignees,Done,Archived,Description,Checklists,Comments,Created by,Created,Address\r\n"
        '12,\'=Mow,To do,"""a, b"",tools",2026-11-01,2026-12-01,"""Mori, Ken"",Mia",,,"\'- one\n- two","## Tools\n- [x] rake\n- [ ] spade",3,'
        "Ken,2026-10-01T08:00:00Z,https://tasks.example/c/1\r\n"
        "13,''+x,Done,,,2026-12-01T09:00:00Z,,2026-11-02T08:00:00Z,2026-11-03T08:00:00Z,,,0,Ken,2026-10-01T08:00:00Z,https://tasks.example/c/2\r\n",
        newline="",
    )
    [board], losses = read(csv_tables, path)
    mow = card(board, "=Mow")
    assert (mow.number, mow.description, mow.assignees) == (12, "- one\n- two", ["Mori, Ken", "Mia"])
    assert labels_of(board, "=Mow") == ["a, b", "tools"]
    assert (mow.start_day, mow.due_day) == (date(2026, 11, 1), date(2026, 12, 1))
    assert [(one.title, one.items) for one in mow.checklists] == [
        ("Tools", [ItemOutline("rake", done=True), ItemOutline("spade")])
    ]
    done = card(board, "'+x")
    assert (done.due_at, done.completed_at) == (
        datetime(2026, 12, 1, 9, tzinfo=UTC),
        datetime(2026, 11, 2, 8, tzinfo=UTC),
    )
    assert losses == {"comments-not-in-table": 3}


def test_plane(tmp_path: Path) -> None:
    path = tmp_path / "Plane.csv"
    path.write_text(
        "ID,Project,Name,Description,State,Start Date,Target Date,Priority,Created By,Assignee,Labels,Created At,Completed At\n"
        '"HUT-1","Hut","Mend the roof","Before *rain*","In Progress","Mon, 05 Feb 2024","Fri, 09 Feb 2024","high","Ken Mori","Mia Weiß",'
        '"wood, urgent","2024-02-01",""\n'
        '"HUT-2","Hut","Sweep","","Done","","","none","Ken Mori","","","2024-02-02","2024-02-03"\n'
    )
    assert {one.name: one.answer for one in csv_tables.questions(Source(path, path.name))}["preset"] == "plane"
    [board], losses = read(csv_tables, path)
    roof = card(board, "Mend the roof")
    assert [row.title for row in board.lists] == ["In Progress", "Done"]
    assert (roof.start_day, roof.due_day) == (date(2024, 2, 5), date(2024, 2, 9))
    assert (roof.created_by, roof.assignees) == ("Ken Mori", ["Mia Weiß"])
    assert labels_of(board, "Mend the roof") == ["wood", "urgent", "Priority: high"]
    assert roof.description == "Before \\*rain\\*\n\n- **ID**: HUT-1\n- **Project**: Hut"
    assert card(board, "Sweep").completed_at == datetime(2024, 2, 3, 22, 59, 59, tzinfo=UTC)
    assert losses == {"field-in-text": 4}


def test_asana_by_its_api(tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text(
        "gid,name,notes,assignee.name,completed,completed_at,due_at,due_on,start_on,modified_at\n"
        "11,Rent a hall,Large,Ken Mori,False,,,2024-02-01,2024-01-10,2024-01-09T10:00:00.000Z\n"
        "12,Call,,,True,2024-01-08T10:00:00.000Z,2024-01-07T16:30:00.000Z,2024-01-07,,2024-01-09T10:00:00.000Z\n"
    )
    assert {one.name: one.answer for one in csv_tables.questions(Source(path, path.name))}["preset"] == "asana-api"
    [board], losses = read(csv_tables, path)
    hall, call = card(board, "Rent a hall"), card(board, "Call")
    assert (hall.due_day, hall.start_day, hall.assignees) == (date(2024, 2, 1), date(2024, 1, 10), ["Ken Mori"])
    assert (hall.description, hall.completed_at) == ("Large", None)
    assert (call.due_day, call.due_at) == (None, datetime(2024, 1, 7, 16, 30, tzinfo=UTC))
    assert call.completed_at == datetime(2024, 1, 8, 10, tzinfo=UTC)
    assert losses == {}


@pytest.mark.parametrize("heads", ["due_on,due_at", "due_at,due_on"])
def test_of_two_due_dates_a_day_gets_its_time_and_another_day_stays_in_the_text(heads: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    day, moment, other = "2024-02-01", "2024-02-01T15:00:00Z", "2024-03-01"
    rows = [f"Same,{day},{moment}", f"Other,{day},{other}", f"Second,,{day}"]
    path.write_text("\n".join([f"name,{heads}", *rows]))
    [board], losses = read(csv_tables, path)
    assert card(board, "Same").due_at == datetime(2024, 2, 1, 15, tzinfo=UTC)
    assert card(board, "Other").description == f"- **{heads.partition(',')[2]}**: {other}"
    assert card(board, "Second").due_day == date(2024, 2, 1)
    assert losses == {"field-in-text": 1}


def test_the_description_of_an_issue_is_guessed(tmp_path: Path) -> None:
    path = tmp_path / "issues.csv"
    path.write_text("ID,Team,Title,Issue description,Status,Cycle Number\nENG-1,Eng,Ship it,**Now**,Todo,\n")
    [board], _losses = read(csv_tables, path)
    assert card(board, "Ship it").description == "**Now**\n\n- **ID**: ENG-1\n- **Team**: Eng"
