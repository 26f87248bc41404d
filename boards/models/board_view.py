from django.conf import settings
from django.db import models
from uuid_utils.compat import uuid7


class BoardView(models.Model):
    """A user's own view of a board. It is not part of the board: it makes no change, no history and no push.

    The row is made when something is first kept. It ends with the membership (boards/actions/people/members.py), the board and
    the account.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+")
    starred = models.BooleanField(default=False)
    excerpts = models.BooleanField(default=False)  # whether tiles show the first lines of descriptions
    collapsed = models.JSONField(default=list)  # ids of open lists
    filters = models.JSONField(default=dict)  # by name, each as the query of an address (boards/reading/filters.py)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "board"], name="one_view_of_a_board_a_user")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.board_id}"
