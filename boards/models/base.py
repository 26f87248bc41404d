from django.db import models
from uuid_utils.compat import uuid7


class BoardRow(models.Model):
    """A row of one board. `version` is the number of the board's change that last touched it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+")
    version = models.BigIntegerField(default=0, editable=False)

    class Meta:
        abstract = True


class Hue(models.IntegerChoices):
    """Colours are numbers of CSS classes, hue-1 to hue-12."""

    RED = 1
    ORANGE = 2
    YELLOW = 3
    GREEN = 4
    TEAL = 5
    CYAN = 6
    SKY = 7
    BLUE = 8
    PURPLE = 9
    PINK = 10
    ROSE = 11
    CORAL = 12
