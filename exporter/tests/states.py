"""Exports as they stand at one moment, for tests of their page."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from boards.models import Board
from exporter.models import Export, ExportState, Form, Problem


def exports_in_all_states(user: User, board: Board) -> None:
    """Give the user one export that is being made, one that is done and one that failed."""
    later = timezone.now() + timedelta(hours=5)
    Export.objects.create(
        user=user, form=Form.CSV, board_id=board.pk, title=board.title, state=ExportState.FAILED,
        problem=Problem.STORAGE, expires_at=later,
    )  # fmt: skip
    Export.objects.create(
        user=user, form=Form.JSON, state=ExportState.DONE, name="done", size=48_000, boards=3, expires_at=later
    )
    Export.objects.create(
        user=user, form=Form.ZIP, state=ExportState.RUNNING, name="running", boards=3, cards=120, cards_done=80,
        files=20, files_done=4, work=140, work_done=84,
    )  # fmt: skip
