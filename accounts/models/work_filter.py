from django.db import models
from uuid_utils.compat import uuid7

from accounts.models.user import User

NAME = 60  # characters


class WorkFilter(models.Model):
    """A filter of *My work* that a user keeps by a name. Nobody else sees it.

    `query` is that of an address (web/my/asked.py), which decides what it still means.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=NAME)
    folded = models.TextField()  # the name as core/text/folding.py compares it
    query = models.TextField()

    class Meta:
        ordering = ["folded"]
        constraints = [models.UniqueConstraint(fields=["user", "folded"], name="one_work_filter_of_a_name")]

    def __str__(self) -> str:
        return self.name
