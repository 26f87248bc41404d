"""Exports onto a real disk that is full: told in words, nothing half stays, and what still fits is made."""

import os
from zipfile import ZipFile

import pytest

from boards.actions.files.attachments import attach_file
from conftest import web
from core.files.storage import store
from exporter import making
from exporter.models import FOLDER, Export, ExportState, Form, Problem
from notifications.models import Notification

pytestmark = pytest.mark.django_db(transaction=True)


def made(user, form):
    export = Export.objects.create(user=user, form=form)
    making.make_export.func(str(export.pk))
    export.refresh_from_db()
    return export


def stored(disk):
    return sorted(path.name for path in (disk / FOLDER).iterdir())


def attach(user, card, size):
    content = os.urandom(size)  # does not get smaller in a zip
    attach_file(actor=web(user), card_id=card.pk, stored=store([content], most=size), file_name="Large.bin")


def test_without_room_an_export_fails_in_words_and_leaves_nothing(olga, card, small_disk):
    attach(olga, card, 1200 * 1024)
    full = made(olga, Form.ZIP)
    assert (full.state, full.problem, stored(small_disk)) == (ExportState.FAILED, Problem.DISK_FULL, [])
    [told] = Notification.objects.filter(user=olga, kind="finished")
    assert told.data["state"] == "failed"
    smaller = made(olga, Form.JSON)
    assert (smaller.state, stored(small_disk)) == (ExportState.DONE, [smaller.name])


def test_once_there_is_room_again_the_next_one_is_whole(olga, card, small_disk):
    attach(olga, card, 600 * 1024)
    other = small_disk / "other"
    other.write_bytes(bytes(1200 * 1024))
    assert made(olga, Form.ZIP).problem == Problem.DISK_FULL
    other.unlink()
    whole = made(olga, Form.ZIP)
    assert (whole.state, stored(small_disk)) == (ExportState.DONE, [whole.name])
    with ZipFile(small_disk / FOLDER / whole.name) as archive:
        assert archive.testzip() is None
