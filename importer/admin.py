"""Imports in the operators' admin, without files, answers and the boards of the report."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from importer.models import Import


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ("file_name", "user", "format", "state", "size", "progress", "created_at", "changed_at")
    list_filter = ("state", "format")
    list_select_related = ("user",)
    search_fields = ("user__email",)
    fields = ("user", "file_name", "format", "state", "size", "progress", "error", "created_at", "changed_at")
    secrets = ("secrets", "choices", "report", "people", "salt", "file")
