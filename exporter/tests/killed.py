"""A worker that is killed while it makes an export: python -m exporter.tests.killed MOMENT EXPORT_ID."""

import os
import signal
import sys

import django


def kill(*_arguments: object, **_options: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(moment: str, export_id: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings_test"
    django.setup()
    from exporter import making, zip_export

    finish = making.finish
    if moment == "before anything is written":
        making.write = kill
    elif moment == "while rows are read":
        making.Watched.read_card = kill
    elif moment == "while files are copied":
        zip_export.write_file = kill
    elif moment == "while pages are written":
        zip_export.board_html = kill
    elif moment == "before it is noted":
        making.finish = kill
    elif moment == "before its person is told":
        making.tell_person = kill
    elif moment == "after it is noted":
        making.finish = lambda *both: (finish(*both), kill())
    making.make_export.func(export_id)


main(*sys.argv[1:])
