from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.models.base import BoardRow
from boards.reader import Reader
from boards.text import LIST_TITLE

CARD_LIMIT = 999  # the highest limit of a list


class ListQuerySet(models.QuerySet["List"]):
    def visible_to(self, reader: Reader) -> "ListQuerySet":
        return self.filter(reader.membership("board__memberships__"))

    def open(self) -> "ListQuerySet":
        return self.filter(archived_at=None)

    def of_open_boards(self) -> "ListQuerySet":
        return self.filter(board__archived_at=None)


class List(BoardRow):
    """A column of a board."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="lists")
    title = models.CharField(_("title"), max_length=LIST_TITLE)
    position = models.BigIntegerField(editable=False)
    renumbered = models.BigIntegerField(default=0, db_default=0, editable=False)  # as that of a card
    # People are warned when the list has more open cards. Nothing is refused.
    card_limit = models.PositiveSmallIntegerField(_("card limit"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    archived_at = models.DateTimeField(pgettext_lazy("time", "archived"), null=True, blank=True)
    last_position: int | None  # of its last card; only a list that was read for a change has it (boards/statements.py)

    objects = ListQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        verbose_name = _("list")
        verbose_name_plural = _("lists")
        constraints = [
            models.UniqueConstraint(fields=["board", "position"], name="one_list_a_place"),
            models.CheckConstraint(
                condition=Q(card_limit=None) | Q(card_limit__gte=1, card_limit__lte=CARD_LIMIT),
                name="a_card_limit_has_three_digits",
            ),
        ]
        indexes = [models.Index(fields=["board", "version"], name="list_by_version")]

    def __str__(self) -> str:
        return self.title
