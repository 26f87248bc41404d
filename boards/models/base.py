from django.db import models
from uuid_utils.compat import uuid7


class BoardRow(models.Model):
    """A row that belongs to a board. `version` is the number of the board's change that last touched it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+")
    version = models.BigIntegerField(default=0, editable=False)

    class Meta:
        abstract = True
