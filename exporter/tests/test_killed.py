"""The worker that makes an export is killed, as a process, at each step: the next attempt makes it, and nothing else is left."""

import os
import signal
import subprocess
import sys
from zipfile import ZipFile

import pytest
from django.conf import settings

from boards.actions.files.attachments import attach_file
from conftest import web
from core.files.storage import store
from exporter import making
from exporter.models import FOLDER, Export, ExportState, Form
from jobs.tests.test_killed import database_of_this_test
from notifications.models import Notification
from taskboard.tests.servers import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("storage")]

BEFORE = [
    "before anything is written",
    "while rows are read",
    "while files are copied",
    "while pages are written",
    "before it is noted",
    "before its person is told",
]


def kill_a_worker(moment: str, export: Export, files) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": database_of_this_test(),
        "TASKBOARD_DATA": str(settings.DATA),
        "TASKBOARD_FILES": str(files),
    }
    command = [sys.executable, "-m", "exporter.tests.killed", moment, str(export.pk)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize("moment", [*BEFORE, "after it is noted"])
def test_the_next_attempt_makes_it_whole_and_leaves_nothing_else(processes, olga, card, storage, moment):
    attach_file(actor=web(olga), card_id=card.pk, stored=store([b"the plan"], most=100), file_name="plan.txt")
    export = Export.objects.create(user=olga, form=Form.ZIP)
    kill_a_worker(moment, export, storage)
    export.refresh_from_db()
    assert export.state == (ExportState.RUNNING if moment in BEFORE else ExportState.DONE)
    making.make_export.func(str(export.pk))
    export.refresh_from_db()
    assert (export.state, [path.name for path in (storage / FOLDER).iterdir()]) == (ExportState.DONE, [export.name])
    with ZipFile(storage / FOLDER / export.name) as archive:
        assert archive.testzip() is None
    assert (storage / FOLDER / export.name).stat().st_size == export.size
    assert Notification.objects.filter(user=olga, kind="finished").count() == 1
