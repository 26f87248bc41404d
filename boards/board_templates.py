"""The four board templates: the lists and labels that a new board starts with."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.colours import Hue


class Template(models.TextChoices):
    BLANK = "blank", _("Blank")
    KANBAN = "kanban", _("Kanban")
    CONTENT = "content", _("Content plan")
    PERSONAL = "personal", _("Personal")

    @property
    def lists(self) -> list[str]:
        """Titles in the active language, in display order."""
        return [str(title) for title in LISTS[self]]

    @property
    def labels(self) -> list[tuple[str, Hue]]:
        return [(str(name), hue) for name, hue in LABELS[self]]


LISTS = {
    Template.BLANK: [],
    Template.KANBAN: [
        pgettext_lazy("list", "To do"),
        pgettext_lazy("list", "In progress"),
        pgettext_lazy("list", "Done"),
    ],
    Template.CONTENT: [
        pgettext_lazy("list", "Ideas"),
        pgettext_lazy("list", "Drafting"),
        pgettext_lazy("list", "Review"),
        pgettext_lazy("list", "Published"),
    ],
    Template.PERSONAL: [
        pgettext_lazy("list", "Today"),
        pgettext_lazy("list", "This week"),
        pgettext_lazy("list", "Later"),
        pgettext_lazy("list", "Done"),
    ],
}

LABELS = {
    Template.BLANK: [],
    Template.KANBAN: [
        (pgettext_lazy("label", "Bug"), Hue.RED),
        (pgettext_lazy("label", "Feature"), Hue.GREEN),
        (pgettext_lazy("label", "Chore"), Hue.BLUE),
    ],
    Template.CONTENT: [
        (pgettext_lazy("label", "Article"), Hue.ORANGE),
        (pgettext_lazy("label", "Video"), Hue.PURPLE),
        (pgettext_lazy("label", "Social"), Hue.CYAN),
    ],
    Template.PERSONAL: [
        (pgettext_lazy("label", "Home"), Hue.TEAL),
        (pgettext_lazy("label", "Work"), Hue.SKY),
        (pgettext_lazy("label", "Errands"), Hue.PINK),
    ],
}
