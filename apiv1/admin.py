from django.contrib import admin
from django.utils.translation import gettext_lazy

from apiv1.models import KeptAnswer
from boards.admin.read_only import ReadOnlyAdmin


@admin.register(KeptAnswer)
class KeptAnswerAdmin(ReadOnlyAdmin):
    """The calls that were made with an Idempotency-Key. Their answers are for the callers only, so they are not shown."""

    is_listed = False
    list_display = ("path", "key", "token", "created_at")
    list_select_related = ("token",)
    search_help_text = gettext_lazy("You can also search by token ID or account ID.")
    id_fields = ("token", "token__user")
    search_fields = ("path", "key", "token__name", "token__user__email")
    fields = ("token", "path", "key", "created_at")
    date_hierarchy = "created_at"
