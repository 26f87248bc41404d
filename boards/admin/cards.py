from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy, ngettext, pgettext

from boards.actions.cards.archive import archive_card, restore_card
from boards.admin.operating import OperatingAdmin
from boards.admin.read_only import DoneFilter, ReadOnlyAdmin
from boards.models import Assignment, Card, CardLabel
from boards.richtext import to_markdown
from core.text.lists import join_items


@admin.register(Card)
class CardAdmin(OperatingAdmin):
    list_display = ("title", "board", "list", "due_at", "completed_at", "archived_at")
    list_select_related = ("board", "list")
    list_filter = (
        ("archived_at", DoneFilter),
        ("completed_at", DoneFilter),
        "recurrence",
    )
    search_fields = ("title",)
    id_fields = ("pk", "board", "list")
    fields = (
        "id",
        "board",
        "list",
        "number",
        "title",
        "text",
        "label_names",
        "assignee_names",
        "due_at",
        "due_day",
        "start_day",
        "recurrence",
        "follows",
        "completed_at",
        "archived_at",
        "created_by",
        "created_at",
        "updated_at",
        "version",
    )
    actions = ("archive", "restore")

    @admin.display(description=gettext_lazy("description"))
    def text(self, card: Card) -> str:
        return to_markdown(card.description)

    @admin.display(description=gettext_lazy("next occurrence of"))
    def follows(self, card: Card) -> str:
        if card.repeats is None:
            return self.get_empty_value_display()
        address = reverse("admin:boards_card_change", args=[card.repeats.pk])
        return format_html('<a href="{}">#{} {}</a>', address, card.repeats.number, card.repeats)

    @admin.display(description=gettext_lazy("labels"))
    def label_names(self, card: Card) -> str:
        return join_items(card.labels.all())

    @admin.display(description=gettext_lazy("assignees"))
    def assignee_names(self, card: Card) -> str:
        return join_items(card.assignees.all())

    @admin.action(permissions=["operate"], description=gettext_lazy("Archive selected cards"))
    def archive(self, request: HttpRequest, queryset: QuerySet[Card]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: archive_card(actor=actor, card_id=pk),
            log=pgettext("card", "Archived."),
            said=lambda count: ngettext("%(count)s card archived.", "%(count)s cards archived.", count),
        )

    @admin.action(permissions=["operate"], description=gettext_lazy("Restore selected cards"))
    def restore(self, request: HttpRequest, queryset: QuerySet[Card]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: restore_card(actor=actor, card_id=pk),
            log=pgettext("card", "Restored."),
            said=lambda count: ngettext("%(count)s card restored.", "%(count)s cards restored.", count),
        )


@admin.register(CardLabel)
class CardLabelAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("card", "label", "board")
    list_select_related = ("card", "label", "board")
    search_fields = ("card__title", "label__name")
    id_fields = ("pk", "board", "card", "label")
    fields = ("id", "board", "card", "label", "version")


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("card", "user", "board")
    list_select_related = ("card", "user", "board")
    search_fields = ("card__title", "user__email")
    id_fields = ("pk", "board", "card", "user")
    fields = ("id", "board", "card", "user", "version")
