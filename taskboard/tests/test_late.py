"""`--late` (late.py): scripts, answers and commits come late, for all but the test itself."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.base import BaseHandler
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpResponse
from django.test import RequestFactory

from taskboard.tests import late


@pytest.fixture
def waits(monkeypatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(late.time, "sleep", found.append)
    return found


def test_scripts_come_late_and_are_not_kept_and_other_files_come_as_before(monkeypatch, waits):
    monkeypatch.setattr(StaticFilesHandler, "serve", lambda _handler, _request: HttpResponse())
    late.make_scripts_late(0.3)
    handler = StaticFilesHandler(None)
    script, icon = (handler.serve(RequestFactory().get(f"/static/{path}")) for path in ("js/main.js", "favicon.svg"))
    assert waits == [0.3]
    assert (script["Cache-Control"], icon.has_header("Cache-Control")) == ("no-store", False)


@pytest.mark.parametrize(
    ("make_late", "late_class", "name", "given", "pauses"),
    [
        (late.make_answers_late, BaseHandler, "get_response", ("handler", "request"), [0.3, 0.3]),
        (late.make_commits_late, BaseDatabaseWrapper, "_commit", ("connection",), [0.3]),
    ],
)
def test_a_thread_is_late_and_the_test_is_not(monkeypatch, waits, make_late, late_class, name, given, pauses):
    monkeypatch.setattr(late_class, name, lambda *_given: "done")
    make_late(0.3)
    assert getattr(late_class, name)(*given) == "done"
    assert waits == []
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(getattr(late_class, name), *given).result() == "done"
    assert waits == pauses
