from django.contrib import admin
from django.utils.translation import gettext_lazy

from cliauth.models import Grant
from core.admin import ReadOnlyAdmin


@admin.register(Grant)
class GrantAdmin(ReadOnlyAdmin):
    """Lists the command lines that asked for a token, and who decided. Device codes are not stored, only digests."""

    list_display = ("user_code", "client_name", "address", "state", "user", "created_at", "expires_at")
    list_filter = ("state",)
    list_select_related = ("user",)
    search_fields = ("user_code", "client_name", "address", "user__email")
    search_help_text = gettext_lazy(
        "Search by code, claimed name, IP address, or the email address of the person who decided."
    )
    fields = (
        "user_code",
        "client_name",
        "address",
        "browser",
        "access",
        "deletes",
        "board_ids",
        "state",
        "user",
        "token",
        "created_at",
        "expires_at",
    )
    secrets = ("device_digest", "session_hash")
    date_hierarchy = "created_at"
