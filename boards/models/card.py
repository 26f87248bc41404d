from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.colours import Hue
from boards.dates import Due
from boards.models.base import BoardRow
from boards.models.label import Label
from boards.reader import Reader
from boards.recurrence import Recurrence
from boards.text import CARD_TITLE, EXCERPT


def card_address(board_id: UUID | str, card_id: UUID | str) -> str:
    return f"/board/{board_id}?card={card_id}"


class CardQuerySet(models.QuerySet["Card"]):
    def visible_to(self, reader: Reader) -> "CardQuerySet":
        return self.filter(reader.membership("board__memberships__"))

    def of_open_boards(self) -> "CardQuerySet":
        return self.filter(board__archived_at=None)

    def open_on_their_boards(self) -> "CardQuerySet":
        """Keep cards that are neither archived nor in an archived list; their board may be archived."""
        return self.filter(archived_at=None, list__archived_at=None)

    def open(self) -> "CardQuerySet":
        """Keep cards that are neither archived nor in an archived list or board."""
        return self.open_on_their_boards().of_open_boards()


class Card(BoardRow):
    """A piece of work. `number` is unique on its board and never used again, so that people can say #12."""

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="cards")
    list = models.ForeignKey("boards.List", on_delete=models.CASCADE, related_name="cards")
    number = models.PositiveIntegerField(_("number"), editable=False)
    position = models.BigIntegerField(editable=False)
    # The change that last gave the card another position only to make room: boards/models/renumbering.py
    renumbered = models.BigIntegerField(default=0, db_default=0, editable=False)
    title = models.CharField(_("title"), max_length=CARD_TITLE)
    description = models.JSONField(_("description"), null=True, blank=True)
    search_text = models.TextField(editable=False, default="")
    # The first line of the description, for tiles: a board never reads the descriptions of its cards.
    excerpt = models.CharField(max_length=EXCERPT, editable=False, default="", db_default="")
    due_at = models.DateTimeField(_("due"), null=True, blank=True)
    # When set, the card is due on that whole day, and due_at is its last second in the zone of who set it.
    due_day = models.DateField(_("due day"), null=True, blank=True)
    start_day = models.DateField(_("start date"), null=True, blank=True)
    completed_at = models.DateTimeField(_("done"), null=True, blank=True)
    archived_at = models.DateTimeField(pgettext_lazy("time", "archived"), null=True, blank=True)
    cover_hue = models.PositiveSmallIntegerField(_("cover"), choices=Hue, null=True, blank=True)
    # A picture as the cover, which is shown instead of the colour.
    cover_attachment = models.ForeignKey(
        "boards.Attachment", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    recurrence = models.CharField(_("repeats"), max_length=10, choices=Recurrence, blank=True)
    # The first due date of the series, for whole days their `day_anchor`. A series on the 31st returns to the 31st after
    # a shorter month.
    recurrence_anchor = models.DateTimeField(null=True, editable=False)
    # The archived card whose next occurrence this is. Restoring that card deletes this one if nobody has changed it.
    repeats = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, editable=False, related_name="repeated_by"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("last change"), default=timezone.now, editable=False)

    labels = models.ManyToManyField(Label, through="boards.CardLabel", related_name="cards")
    assignees = models.ManyToManyField(settings.AUTH_USER_MODEL, through="boards.Assignment", related_name="+")

    objects = CardQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        constraints = [
            models.UniqueConstraint(fields=["board", "number"], name="one_card_a_number"),
            models.UniqueConstraint(fields=["list", "position"], name="one_card_a_place"),
            models.CheckConstraint(
                condition=Q(due_day=None) | Q(due_at__isnull=False), name="a_due_day_has_its_last_second"
            ),
        ]
        indexes = [
            models.Index(fields=["board", "version"], name="card_by_version"),
            models.Index(fields=["board", "renumbered"], condition=Q(renumbered__gt=0), name="card_by_renumbered"),
            models.Index(fields=["board", "due_at"], condition=Q(due_at__isnull=False), name="card_by_due"),
            # For reminders, and in the order of a search
            models.Index(
                fields=["due_at", "-created_at", "-id", "board"],
                condition=Q(completed_at=None, archived_at=None),
                name="open_card_by_due",
            ),
            models.Index(  # for the search's best matches
                fields=["-updated_at", "-id", "board"],
                condition=Q(completed_at=None, archived_at=None),
                name="open_card_by_change",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return card_address(self.board_id, self.pk)

    @property
    def due(self) -> Due | None:
        return Due(self.due_at, self.due_day) if self.due_at else None


class CardLabel(BoardRow):
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="card_labels")
    label = models.ForeignKey(Label, on_delete=models.CASCADE, related_name="card_labels")

    class Meta:
        verbose_name = _("label on a card")
        verbose_name_plural = _("labels on cards")
        constraints = [models.UniqueConstraint(fields=["card", "label"], name="a_label_once_a_card")]

    def __str__(self) -> str:
        return f"{self.card} · {self.label}"


class Assignment(BoardRow):
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        constraints = [models.UniqueConstraint(fields=["card", "user"], name="a_person_once_a_card")]

    def __str__(self) -> str:
        return f"{self.card} · {self.user}"
