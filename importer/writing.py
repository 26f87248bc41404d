"""The import itself: board by board, each exactly once, whenever the worker dies."""

from pathlib import Path
from uuid import UUID

from django.db import transaction

from boards.actions.imports import discard_import, import_board
from boards.actions.sharing.invitations import invite_person
from boards.actor import Actor
from boards.errors import DomainError
from boards.models import Door
from importer.attempts import StillWanted, note, watch
from importer.formats import FORMATS
from importer.models import Import
from importer.reading import key_of
from importer.report import Report


def write_boards(row: Import, path: Path) -> None:
    """Write the boards that are wanted and not there yet. Raises Stopped, TooLong, Unreadable and DomainError.

    What is there is complete, and noted in the row.
    """
    if row.at_hand and str(row.at_hand) not in {board["id"] for board in row.made}:
        discard_import(board_id=row.at_hand)
    format, actor = FORMATS[row.format], Actor(row.user, Door.IMPORT)
    mine = [key for key, user_id in row.people.items() if user_id == str(row.user_id)]
    there = {board["place"] for board in row.made}
    if row.made:  # an attempt that ended after this board may not have invited all
        _invite(row, UUID(row.made[-1]["id"]))
    still_wanted = StillWanted(row)
    for place, outline in enumerate(format.read(row.source(path, still_wanted), Report())):
        if place in there or key_of(outline.key, place) in row.left_out:
            continue
        watch(outline, still_wanted)
        before = row.progress
        writing = _Writing(row, place, outline.title)
        board = import_board(
            actor=actor,
            outline=outline,
            mine=mine,
            losses=Report(),
            source=str(format.TITLE),
            began=writing.began,
            made=writing.made,
            progress=lambda cards, before=before: note(row, progress=before + cards),  # type: ignore[misc]
        )
        _invite(row, board.pk)


class _Writing:
    """Records the state of one board in the import's row, in the transactions that make the board."""

    def __init__(self, row: Import, place: int, title: str) -> None:
        self.row, self.place, self.title = row, place, title

    def began(self, board_id: UUID) -> None:
        note(self.row, at_hand=board_id)

    def made(self, board_id: UUID) -> None:
        one = {"place": self.place, "id": str(board_id), "title": self.title[:200]}
        note(self.row, at_hand=None, made=[*self.row.made, one])


def _invite(row: Import, board_id: UUID) -> None:
    """Invite the people whom the importer chose. Whom they may not invite, or no longer, is left out. Repeating is harmless."""
    others = {UUID(user_id) for user_id in row.people.values() if user_id != str(row.user_id)}
    actor = Actor(row.user, Door.IMPORT)
    for user_id in sorted(others):
        try:
            with transaction.atomic():
                invite_person(actor=actor, board_id=board_id, user_id=user_id)
        except DomainError:
            continue
