import time
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

GAP = 2**32  # between neighbours
CURSORS_LAST = timedelta(hours=24)  # cursors that name a position are good for as long as old positions are kept


class Renumbering(models.Model):
    """New positions for all rows of a parent, because there was no room between two of them. Their order stayed.

    `parent_id` is the list of the cards, or the board of the lists. `positions` are the old ones in order, so that a page
    that ended at one of them can be continued (boards/reading/card_pages.py). `version` is the number of the change that
    made room. The rows are kept for as long as cursors are good.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+")
    parent_id = models.UUIDField()
    version = models.BigIntegerField(editable=False)
    positions = models.BinaryField(editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        verbose_name = "renumbering"
        verbose_name_plural = "renumberings"
        indexes = [models.Index(fields=["parent_id", "version"], name="renumbering_by_version")]

    def __str__(self) -> str:
        return f"{self.parent_id} · {self.version}"

    def now(self, position: int) -> int:
        """Return a position after which the same rows come now as came after the old `position`."""
        old = unpacked(bytes(self.positions))
        return old[-1] + bisect_right(old, position) * GAP


def packed(positions: Iterable[int]) -> bytes:
    return zlib.compress(array("q", positions).tobytes(), 1)


def unpacked(positions: bytes) -> "array[int]":
    return array("q", zlib.decompress(positions))


def is_forgotten(at: float) -> bool:
    """Tell whether a cursor that was made at this time (in seconds since 1970) may name a position that is no longer kept."""
    return time.time() - at > CURSORS_LAST.total_seconds()


def present(parent_id: UUID, position: int, since: int) -> int:
    """Return the place that was at `position` among the rows of a parent when its board had the version `since`."""
    for made in Renumbering.objects.filter(parent_id=parent_id, version__gt=since).order_by("version"):
        position = made.now(position)
    return position
