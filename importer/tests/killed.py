"""A worker that is killed in an import: python -m importer.tests.killed MOMENT IMPORT_ID."""

import os
import signal
import sys
from types import SimpleNamespace
from typing import Any

import django


def kill(*_arguments: object, **_options: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def main(moment: str, import_id: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings_test"
    django.setup()
    from boards.actions import imports
    from importer import reading, steps, tasks
    from importer.models import Import

    check = reading.check_board
    seen: list[int] = []

    def second(*arguments: Any, **options: Any) -> Any:
        seen.append(1)
        return check(*arguments, **options) if len(seen) == 1 else kill()

    def later(*arguments: Any) -> Any:
        seen.append(1)
        return islice(*arguments) if len(seen) < 3 else kill()

    if moment == "before the report is asked for":
        steps.read_file = SimpleNamespace(using=lambda **queue: SimpleNamespace(enqueue=kill))
        steps.begin_reading(Import.objects.get(pk=import_id))
    elif moment == "before the file is read":
        tasks.read_report = kill
    elif moment == "between two boards of the report":
        reading.check_board = second
    elif moment == "before the report is noted":
        reading.asdict = kill
    elif moment == "in the middle of a board":
        islice, imports.islice, imports.CHUNK = imports.islice, later, 2
        tasks.write_file.call(import_id)
    elif moment == "before the end is noted":
        tasks.note = kill
        tasks.write_file.call(import_id)
    tasks.read_file.call(import_id)


main(*sys.argv[1:])
