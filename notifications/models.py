from django.conf import settings
from django.db import models


class Unseen(models.Model):
    """How many changes by others a board got since one of its members last opened it, up to where they are counted.

    `seen` is the version of the board that was shown then: changes up to it are never counted, even if the follower
    comes later.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+", db_constraint=False)
    count = models.PositiveIntegerField(default=0)
    seen = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "board"], name="one_count_a_member")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.board_id} · {self.count}"
