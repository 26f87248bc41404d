"""Dates in words, comments, and files that are attached."""

import hashlib
import os
import re
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http.multipartparser import MultiPartParser
from django.test import RequestFactory

from clients import taskboard
from clients.taskboard import day_in_words, fitted, width
from clients.tests.gardening import card_of
from clients.tests.shell import Answers, Call, answering

TUESDAY = date(2026, 11, 24)


@pytest.mark.parametrize(
    "words, day",
    [
        ("today", "2026-11-24"),
        ("tomorrow", "2026-11-25"),
        ("wed", "2026-11-25"),
        ("monday", "2026-11-30"),
        ("tue", "2026-12-01"),
        ("tuesday", "2026-12-01"),
        ("thurs", "2026-11-26"),
        ("+0d", "2026-11-24"),
        ("+3d", "2026-11-27"),
        ("+ 2 w", "2026-12-08"),
        ("next week", "2026-11-30"),
        ("next-week", "2026-11-30"),
    ],
)
def test_words_mean_days(words, day):
    assert day_in_words(words, lambda: TUESDAY) == date.fromisoformat(day)


@pytest.mark.parametrize("words", ["", "t", "tu", "tuesdays", "next", "+d", "+3", "3d", "+3m", "soon", "12/1", "12"])
def test_other_words_are_no_days(words):
    assert day_in_words(words, lambda: TUESDAY) is None


BOARD = {"id": "b", "title": "Garden", "lists": [], "labels": [], "members": []}
CARD = {"id": "x", "number": 3, "title": "Sow", "url": "/board/b?card=x", "boardId": "b"}


def answers_with(**more: Any) -> Answers:
    return {
        "/api/v1/boards": [(200, {"boards": [BOARD]})],
        "/api/v1/boards/b/cards/3": [(200, {"card": CARD})],
        "POST /api/v1/cards": [(201, {"card": CARD})],
        **more,
    }


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])  # never on the same day
def test_today_is_the_day_where_the_account_is(shell, zone):
    calls: list[Call] = []
    account = {"/api/v1/account": [(200, {"account": {"timeZone": zone}})]}
    before = datetime.now(ZoneInfo(zone)).date()
    with answering(answers_with(**account), calls) as url:
        shell.sign_in(url, "tbk_x")
        assert shell.run("add", "--due", "TODAY", "--start", "today", "Sow", TZ="UTC")[0] == 0
    days = (before.isoformat(), datetime.now(ZoneInfo(zone)).date().isoformat())
    assert calls[-1].json["dueDate"] in days
    assert calls[-1].json["startDate"] == calls[-1].json["dueDate"]


@pytest.mark.parametrize("account", [{}, {"/api/v1/account": [(200, {"account": {"timeZone": "Nowhere/Land"}})]}])
def test_today_is_the_day_of_the_machine_if_the_zone_is_not_known(shell, account):
    calls: list[Call] = []
    with answering(answers_with(**account), calls) as url:
        shell.sign_in(url, "tbk_x")
        sent = []
        for zone in ("Etc/GMT+12", "Etc/GMT-14"):
            assert shell.run("add", "--due", "today", "Sow", TZ=zone)[0] == 0
            sent.append(calls[-1].json["dueDate"])
    assert sent[0] < sent[1]


def test_dates_that_are_none_are_not_sent_and_others_as_they_are(shell):
    calls: list[Call] = []
    with answering(answers_with(), calls) as url:
        shell.sign_in(url, "tbk_x")
        shell.run("add", "--due", "none", "Sow")
        shell.run("add", "--due", "2026-12-01T09:00", "Sow")
    sent = [call.json for call in calls if call.method == "POST"]
    assert sent == [{"boardId": "b", "title": "Sow"}, {"boardId": "b", "dueDate": "2026-12-01T09:00", "title": "Sow"}]
    assert "/api/v1/account" not in {call.path for call in calls}


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", "--due", "soon", "x"],
        ["add", "--start", "soon", "x"],
        ["due", "3", "soon"],
        ["due", "3", ""],
        ["list", "--due-before", "soon"],
    ],
)
def test_words_that_are_no_date_are_answered_with_those_that_are(shell, arguments):
    with answering(answers_with()) as url:
        shell.sign_in(url, "tbk_x")
        code, out, err = shell.run(*arguments)
    assert (code, out) == (2, "")
    assert re.search(r"'(soon)?' is not understood\. Write today, tomorrow, .*2026-12-01\.", err)


COMMENTS = "/api/v1/cards/x/comments"
FILES = "/api/v1/cards/x/attachments"
COMMENT = (201, {"comment": {"id": "c", "body": "Looks good"}})


@pytest.mark.parametrize("words, given", [(["Looks", "good"], ""), (["-"], "Looks good\n\n")])
def test_a_comment_is_its_words_or_the_input(shell, words, given):
    calls: list[Call] = []
    with answering(answers_with(**{COMMENTS: [COMMENT]}), calls) as url:
        shell.sign_in(url, "tbk_x")
        assert shell.run("comment", "3", *words, given=given) == (0, "#3 Sow: commented\n", "")
    assert calls[-1].json == {"body": "Looks good"}
    assert calls[-1].headers["Idempotency-Key"]


def test_files_are_sent_as_browsers_send_them(shell, tmp_path):
    files = {'täst "1".txt': b"a" * 200_000, "empty.bin": b""}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    calls: list[Call] = []
    made = [(201, {"attachment": {"id": "a", "fileName": name}}) for name in files]
    with answering(answers_with(**{FILES: made}), calls) as url:
        shell.sign_in(url, "tbk_x")
        code, out, _err = shell.run("attach", "3", *(str(tmp_path / name) for name in files))
    assert (code, out) == (0, '#3 Sow: attached täst "1".txt\n#3 Sow: attached empty.bin\n')
    sent = [call for call in calls if call.path == FILES]
    assert len({call.headers["Idempotency-Key"] for call in sent}) == 2
    found = [file_in(call) for call in sent]
    assert [(name, kind) for name, kind, _content in found] == [
        ("täst %221%22.txt", "text/plain"),
        ("empty.bin", "application/octet-stream"),
    ]
    assert [content for _name, _kind, content in found] == list(files.values())


def file_in(call: Call) -> tuple[str, str, bytes]:
    """Return name, type and content of the file in a form, as Django reads it."""
    request = RequestFactory().generic("POST", "/", call.body, content_type=call.headers["Content-Type"])
    _fields, files = MultiPartParser(request.META, request, request.upload_handlers).parse()
    return files["file"].name, files["file"].content_type, files["file"].read()


def test_a_file_that_cannot_be_read_holds_no_other_back(shell, tmp_path):
    (tmp_path / "plan.txt").write_text("x")
    made = {FILES: [(201, {"attachment": {"fileName": "plan.txt"}})]}
    with answering(answers_with(**made)) as url:
        shell.sign_in(url, "tbk_x")
        code, out, err = shell.run("attach", "3", str(tmp_path / "none"), str(tmp_path), str(tmp_path / "plan.txt"))
    assert (code, out) == (1, "#3 Sow: attached plan.txt\n")
    assert "No such file" in err
    assert "2 of 3 were refused" in err


@pytest.mark.parametrize("name", ["/dev/stdin", "pipe"])
def test_a_pipe_is_not_attached_as_an_empty_file(shell, tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    calls: list[Call] = []
    with answering(answers_with(), calls) as url:
        shell.sign_in(url, "tbk_x")
        code, out, err = shell.run("attach", "3", str(tmp_path / name), given="peas")
    assert (code, out) == (1, "")
    assert err == "It is not a regular file. Save it to one, and attach that.\n"
    assert FILES not in {call.path for call in calls}


def test_tabs_of_a_text_are_shown(garden, olga, board):
    card = olga.new_card(board, "a\tb", description="```\nall:\n\techo\n```")
    assert card["title"] == "a\tb"
    assert "\n\techo\n" in garden.run("show", "1")[1]
    assert garden.run("list")[1].endswith("#1  a b\n")


def test_a_long_text_is_cut_without_measuring_it_again_and_again(monkeypatch):
    measured: list[str] = []
    monkeypatch.setattr(taskboard, "width", lambda text: measured.append(text) or width(text))
    assert fitted("収穫" * 250, 8) == "収穫収… "
    assert fitted("e\u0301" * 250, 3) == "e\u0301e\u0301…"
    assert sum(map(len, measured)) < 10 * 500


def test_comments_are_shown_with_their_card(garden, olga, board):
    olga.new_card(board, "Sow")
    assert garden.run("comment", "1", "Looks", "good")[1] == "#1 Sow: commented\n"
    assert garden.run("comment", "1", "-", given="Two\nlines\n")[0] == 0
    assert [each["body"] for each in garden.rows("show", "1")[0]["comments"]] == ["Looks good", "Two\nlines"]
    assert garden.run("comment", "1", " ")[0] == 1


def test_attached_files_are_those_on_the_disk(garden, olga, board, tmp_path):
    card = olga.new_card(board, "Sow")
    (tmp_path / "plan.txt").write_bytes(b"peas\n" * 100_000)
    made = garden.rows("attach", "1", str(tmp_path / "plan.txt"))[0]
    assert made["sha256"] == hashlib.sha256(b"peas\n" * 100_000).hexdigest()
    assert [each["fileName"] for each in card_of(olga, card)["attachments"]] == ["plan.txt"]
