from django.contrib import admin

from boards.admin.read_only import DoneFilter, ReadOnlyAdmin
from boards.models import Checklist, ChecklistItem, Label, List


@admin.register(List)
class ListAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("title", "board", "created_at", "archived_at")
    list_select_related = ("board",)
    list_filter = (("archived_at", DoneFilter),)
    search_fields = ("title",)
    id_fields = ("pk", "board")
    fields = ("id", "board", "title", "created_at", "archived_at", "version")


@admin.register(Label)
class LabelAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("name", "hue", "board")
    list_select_related = ("board",)
    search_fields = ("name",)
    id_fields = ("pk", "board")
    fields = ("id", "board", "name", "hue", "created_at", "version")


@admin.register(Checklist)
class ChecklistAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("title", "card", "board")
    list_select_related = ("card", "board")
    search_fields = ("title", "card__title")
    id_fields = ("pk", "board", "card")
    fields = ("id", "board", "card", "title", "version")


@admin.register(ChecklistItem)
class ChecklistItemAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("text", "done", "checklist", "card", "board")
    list_select_related = ("checklist", "card", "board")
    list_filter = ("done",)
    search_fields = ("text", "card__title")
    id_fields = ("pk", "board", "card", "checklist")
    fields = ("id", "board", "card", "checklist", "text", "done", "version")
