"""`--late MS`: answer each script so late, so that a test which does something before a script has come fails here."""

import time

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


def pytest_configure(config: pytest.Config) -> None:
    if config.option.late:
        make_late(config.option.late / 1000)


def make_late(seconds: float) -> None:
    """Make the tests' own server late for good. Servers that a test starts as processes are not."""
    at_once = StaticFilesHandler.serve

    def late(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
        answer = at_once(handler, request)
        if request.path.endswith(".js"):
            time.sleep(seconds)
            answer["Cache-Control"] = "no-store"  # the next test's page has to wait too
        return answer

    StaticFilesHandler.serve = late  # type: ignore[method-assign]
