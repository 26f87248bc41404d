"""Exports that are asked for, cancelled, deleted, and removed when their day is over. The work itself is in making.py, their files in files.py."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks.base import TaskResultStatus

from accounts.models import User
from boards.errors import NotAllowed
from boards.models import Board
from core.limits.queues import own_queue
from exporter.files import delete_file, delete_unused
from exporter.making import make_export
from exporter.models import KEPT_FOR, Export, ExportState, Problem
from jobs.backend import HEAVY
from jobs.models import Task
from security.events import log_event
from security.models import EventKind

MOST = 5  # exports that an account keeps


class ExportRefused(NotAllowed):
    """The account has an export under way, or keeps the most that it may."""


def request_export(user: User, *, form: str, board: Board | None, request: HttpRequest | None) -> Export:
    """Have an export made beside the request. Raise ExportRefused, in words. `board` was read as one of the user's."""
    require_room(user)
    export = Export(user=user, form=form, board_id=board.pk if board else None, title=board.title if board else "")
    try:
        with transaction.atomic():
            export.save(force_insert=True)
            export.task_id = make_export.using(queue_name=own_queue(user.pk, HEAVY)).enqueue(str(export.pk)).id
            export.save(update_fields=["task_id"])
            log_event(EventKind.EXPORTED, request, user=user, form=form, board=export.title or None)
    except IntegrityError:  # another request was quicker
        raise ExportRefused(_busy()) from None
    return export


def require_room(user: User) -> None:
    """Raise ExportRefused if `request_export` would."""
    if Export.objects.active().filter(user=user).exists():
        raise ExportRefused(_busy())
    if Export.objects.kept().filter(user=user).count() >= MOST:
        raise ExportRefused(
            _("You have %(most)s exports, which is the maximum. Delete one to create another.") % {"most": MOST}
        )


def _busy() -> str:
    return _("An export is already running. Wait for it to finish, or cancel it.")


def cancel(user: User, pk: UUID) -> bool:
    """Have a waiting or running export given up. Its worker notices within seconds, and deletes what it has written."""
    return Export.objects.active().filter(user=user, pk=pk).update(state=ExportState.CANCELLED) == 1


def delete(user: User, pk: UUID) -> bool:
    """Delete an export that is not being made, with its file."""
    with transaction.atomic():
        found = (
            Export.objects.select_for_update()
            .filter(user=user, pk=pk, state__in=(ExportState.DONE, ExportState.FAILED))
            .first()
        )
        if found is None:
            return False
        _forget([found])
    return True


def delete_exports_of(user: User) -> None:
    """Delete all exports of an account. A worker that is writing one notices within seconds."""
    with transaction.atomic():
        _forget(Export.objects.filter(user=user))


def _forget(exports: Iterable[Export]) -> None:
    for export in exports:
        name = export.name
        Export.objects.filter(pk=export.pk).delete()
        if name:
            transaction.on_commit(lambda name=name: delete_file(name), robust=True)  # type: ignore[misc]


def delete_past_use(now: datetime) -> int:
    """Delete exports whose day is over, and files without a row; give up what nobody makes any more. Return how many."""
    give_up_abandoned()
    past = Export.objects.filter(expires_at__lte=now) | Export.objects.filter(
        state=ExportState.CANCELLED, created_at__lte=now - KEPT_FOR
    )
    rows = list(past)
    with transaction.atomic():
        _forget(rows)
    return len(rows) + delete_unused(now)


def give_up_abandoned() -> None:
    """Note that an export has failed whose task is gone or was given up: its worker was killed once too often."""
    alive = {TaskResultStatus.READY, TaskResultStatus.RUNNING}
    for export in Export.objects.active():
        if export.task_id is None or not Task.objects.filter(pk=export.task_id, status__in=alive).exists():
            Export.objects.active().filter(pk=export.pk).update(
                state=ExportState.FAILED, problem=Problem.INTERRUPTED, expires_at=timezone.now() + KEPT_FOR
            )
