from django.contrib import admin
from django.utils.translation import gettext_lazy

from boards.admin.read_only import ReadOnlyAdmin
from boards.models import Activity, FormerValues, OwnerActivity


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
        "undoes",
        "created_at",
    )

    @admin.display(description=gettext_lazy("subject"))
    def what(self, activity: Activity) -> str:
        return activity.subject.get("title", "")


@admin.register(FormerValues)
class FormerValuesAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("activity", "board", "names")
    list_select_related = ("activity__board",)
    search_fields = ("activity__board__title",)
    id_fields = ("pk", "activity__board", "activity__card_id")
    fields = ("activity", "board", "values")
    ordering = ("-pk",)

    @admin.display(description=gettext_lazy("board"), ordering="activity__board")
    def board(self, former: FormerValues) -> str:
        return str(former.activity.board)

    @admin.display(description=gettext_lazy("former values"))
    def names(self, former: FormerValues) -> str:
        return str(former)


@admin.register(OwnerActivity)
class OwnerActivityAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "owner", "verb", "what", "user", "door", "token_name")
    list_select_related = ("owner", "user")
    list_filter = ("door", "verb")
    search_fields = ("owner__email", "user__email", "token_name")
    id_fields = ("pk", "board_id", "owner", "user", "token_id")
    fields = (
        "id",
        "owner",
        "board_id",
        "verb",
        "user",
        "door",
        "token_id",
        "token_name",
        "subject",
        "data",
        "created_at",
    )

    @admin.display(description=gettext_lazy("subject"))
    def what(self, activity: OwnerActivity) -> str:
        return activity.subject.get("title", "")
