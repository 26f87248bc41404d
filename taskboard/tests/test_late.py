"""`--late` (late.py): scripts come late, and each page asks for them again."""

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpResponse
from django.test import RequestFactory

from taskboard.tests import late


def test_scripts_come_late_and_are_not_kept_and_other_files_come_as_before(monkeypatch):
    waits = []
    monkeypatch.setattr(StaticFilesHandler, "serve", lambda _handler, _request: HttpResponse())
    monkeypatch.setattr(late.time, "sleep", waits.append)
    late.make_late(0.3)
    handler = StaticFilesHandler(None)
    script, icon = (handler.serve(RequestFactory().get(f"/static/{path}")) for path in ("js/main.js", "favicon.svg"))
    assert waits == [0.3]
    assert (script["Cache-Control"], icon.has_header("Cache-Control")) == ("no-store", False)
