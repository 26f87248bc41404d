from django.contrib import admin

from core.admin import ReadOnlyAdmin
from security.models import SecurityEvent


@admin.register(SecurityEvent)
class SecurityEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "user", "by", "address", "browser")
    list_select_related = ("user", "by")
    list_filter = ("kind",)
    search_fields = ("user__email", "address")
    date_hierarchy = "at"
    fields = ("at", "kind", "user", "by", "address", "browser", "details")
