from django.db import models
from django.utils.translation import gettext_lazy as _

from boards.models.base import BoardRow
from boards.text import CHECKLIST


class Checklist(BoardRow):
    card = models.ForeignKey("boards.Card", on_delete=models.CASCADE, related_name="checklists")
    title = models.CharField(_("title"), max_length=CHECKLIST)
    position = models.BigIntegerField(editable=False)

    class Meta:
        ordering = ["position"]
        verbose_name = _("checklist")
        verbose_name_plural = _("checklists")
        constraints = [models.UniqueConstraint(fields=["card", "position"], name="one_checklist_a_place")]

    def __str__(self) -> str:
        return self.title


class ChecklistItem(BoardRow):
    card = models.ForeignKey("boards.Card", on_delete=models.CASCADE, related_name="checklist_items")
    checklist = models.ForeignKey(Checklist, on_delete=models.CASCADE, related_name="items")
    text = models.CharField(_("text"), max_length=CHECKLIST)
    done = models.BooleanField(_("done"), default=False)
    position = models.BigIntegerField(editable=False)

    class Meta:
        ordering = ["position"]
        verbose_name = _("checklist item")
        verbose_name_plural = _("checklist items")
        constraints = [models.UniqueConstraint(fields=["checklist", "position"], name="one_item_a_place")]

    def __str__(self) -> str:
        return self.text
