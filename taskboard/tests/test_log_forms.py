"""The two forms of the log. Nothing that is logged breaks a line, and a traceback loses its keys in both."""

import json
import logging
import re
import sys
import threading
from io import StringIO

import pytest

from core.http.request_ids import working_for
from taskboard.logs import JsonLines, Lines, RequestRecord, WithoutKeys, log_what_nobody_catches, without_keys

NASTY = ["a\nb", "a\r\nb", "a\0b", "\x1b[31mred", "\u2028", "\x85", "\ud800", "😀", '"}', "\\", "\x7f"]


@pytest.fixture
def written() -> StringIO:
    return StringIO()


@pytest.fixture
def log(written: StringIO) -> logging.Logger:
    """A logger that pytest does not know: it cannot report half of a character."""
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    handler.addFilter(WithoutKeys())
    log = logging.Logger("jobs")
    log.addHandler(handler)
    return log


def fields(written: StringIO) -> dict[str, object]:
    """Return the fields of the only line, which has to be one for every reader of lines."""
    [line] = written.getvalue().splitlines()
    line.encode("ascii")
    found = json.loads(line)
    str(found).encode()  # fails at half of a character
    return found


def test_a_line_of_json_has_time_level_logger_and_message(log: logging.Logger, written: StringIO) -> None:
    log.warning("%s of %s", 1, "two")
    found = fields(written)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(found.pop("time")))
    assert found == {"level": "WARNING", "logger": "jobs", "message": "1 of two"}


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_nothing_breaks_a_line_of_json(log: logging.Logger, written: StringIO, nasty: str) -> None:
    log.warning("said %s", nasty)
    assert fields(written)["message"] == "said " + nasty.encode("utf-8", "backslashreplace").decode()


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_nothing_breaks_a_line_of_text(nasty: str) -> None:
    record = logging.LogRecord("core", logging.WARNING, "", 0, "said %s", (nasty,), None)
    line = Lines().format(record)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert "\0" not in line
    line.encode()


def test_a_request_has_its_facts_as_fields(log: logging.Logger, written: StringIO) -> None:
    told = {
        "address": "::1",
        "method": "GET",
        "route": r"^a\"(\d+)$",
        "status": 302,
        "ms": 0,
        "account": "7",
        "token": "",
    }
    with working_for("abc"):
        log.handle(RequestRecord(told))
    found = fields(written)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(found.pop("time")))
    said = {"level": "INFO", "logger": "taskboard.access", "message": f"GET {told['route']} 302", "request_id": "abc"}
    assert found == told | said | {"token": None}


def test_a_traceback_is_a_field_without_keys(log: logging.Logger, written: StringIO) -> None:
    try:
        raise RuntimeError("cannot show /join/0123456789\ud800")
    except RuntimeError:
        log.exception("crashed")
    told = str(fields(written)["exception"])
    assert told.startswith("Traceback (most recent call last):\n")
    assert told.endswith("RuntimeError: cannot show /join/...")


def test_no_line_of_a_traceback_looks_like_a_line_of_the_log() -> None:
    record = logging.LogRecord("x", logging.ERROR, "", 0, "Broken", (), None)
    record.exc_text = 'ValueError: no\n2026-12-01T09:00:00.000Z INFO security.events: event="signed-in"\x1b[2J'
    first, *others = Lines().format(record).split("\n")
    assert first.endswith(" ERROR x: Broken")
    assert all(line.startswith("  ") for line in others)
    assert others[-1].endswith('"\\x1b[2J')


def test_rows_that_postgresql_quotes_are_not_logged() -> None:
    said = 'null value violates "title"\nDETAIL:  Failing row contains (1, Secret\n\nplan, null).'
    assert without_keys(f"{said}\n\nThe above exception") == (
        'null value violates "title"\nDETAIL: ...\n\nThe above exception'
    )
    assert without_keys(said) == 'null value violates "title"\nDETAIL: ...'
    assert without_keys("null value DETAIL:  Failing row contains (1, Secret).") == "null value DETAIL: ..."


def test_a_thread_that_ends_itself_is_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    log_what_nobody_catches()
    logging.captureWarnings(False)
    thread = threading.Thread(target=sys.exit)
    thread.start()
    thread.join()
    assert caplog.records == []


def test_a_stack_is_a_field(log: logging.Logger, written: StringIO) -> None:
    log.warning("here", stack_info=True)
    assert str(fields(written)["stack"]).startswith("Stack (most recent call last):\n")


def test_what_nobody_catches_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    log_what_nobody_catches()
    logging.captureWarnings(False)
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("no"), None)
    told = [(record.getMessage(), str(record.exc_info[1])) for record in caplog.records if record.exc_info]
    assert told == [("a thread ended", "division by zero"), ("the process ends", "no")]
