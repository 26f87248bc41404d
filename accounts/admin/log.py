from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.utils.translation import gettext_lazy

from core.admin import ReadOnlyAdmin


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """A line of the admin's log. It outlives the row that it is about."""

    list_display = ("action_time", "user", "action_flag", "content_type", "object_repr", "said")
    list_select_related = ("user", "content_type")
    list_filter = ("action_flag",)
    search_fields = ("object_repr", "user__email")
    fields = ("action_time", "user", "action_flag", "content_type", "object_id", "object_repr", "said")
    ordering = ("-action_time", "-id")

    @admin.display(description=gettext_lazy("action"))
    def said(self, entry: LogEntry) -> str:
        return entry.get_change_message()
