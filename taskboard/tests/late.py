"""`--late MS`: make each script, answer or commit of the tests' own server so late, so that a test which races fails here.

Scripts show what a test does before a page is ready, answers what it takes for shown, and commits which of two requests
that write at once it takes for the winner. Servers that a test starts as processes are not late.
"""

import threading
import time
from collections.abc import Callable

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.base import BaseHandler
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest
from django.http.response import HttpResponseBase


def pytest_configure(config: pytest.Config) -> None:
    if config.option.late:
        LATE[config.option.what_is_late](config.option.late / 1000)


def make_scripts_late(seconds: float) -> None:
    at_once = StaticFilesHandler.serve

    def late(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
        answer = at_once(handler, request)
        if request.path.endswith(".js"):
            time.sleep(seconds)
            answer["Cache-Control"] = "no-store"  # the next test's page has to wait too
        return answer

    StaticFilesHandler.serve = late  # type: ignore[method-assign,assignment]


def make_answers_late(seconds: float) -> None:
    """Make each answer late on its way there and on its way back, except those that a test asks for by itself."""
    at_once = BaseHandler.get_response

    def late(handler: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        pause_in_thread(seconds)
        answer = at_once(handler, request)
        pause_in_thread(seconds)
        return answer

    BaseHandler.get_response = late  # type: ignore[method-assign,assignment]


def make_commits_late(seconds: float) -> None:
    """Make each transaction keep its locks so long, except those of the test itself."""
    at_once = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]

    def late(connection: BaseDatabaseWrapper) -> object:
        pause_in_thread(seconds)
        return at_once(connection)

    BaseDatabaseWrapper._commit = late  # type: ignore[attr-defined]


def pause_in_thread(seconds: float) -> None:
    if threading.current_thread() is not threading.main_thread():
        time.sleep(seconds)


LATE: dict[str, Callable[[float], None]] = {
    "scripts": make_scripts_late,
    "answers": make_answers_late,
    "commits": make_commits_late,
}
