from django.contrib import admin
from django.utils.translation import gettext_lazy

from boards.admin.reading import ReadOnlyAdmin
from boards.models import Activity


@admin.register(Activity)
class ActivityAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "board", "version", "verb", "what", "user", "door", "token_name")
    list_select_related = ("board", "user")
    list_filter = ("door", "verb")
    search_fields = ("user__email", "token_name", "board__title")
    id_fields = ("pk", "board", "card_id", "token_id", "user")
    fields = (
        "id",
        "board",
        "version",
        "verb",
        "user",
        "door",
        "token_id",
        "token_name",
        "card_id",
        "subject",
        "data",
        "removed",
        "created_at",
    )

    @admin.display(description=gettext_lazy("on what"))
    def what(self, activity: Activity) -> str:
        return activity.subject.get("title", "")
