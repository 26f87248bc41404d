from django.contrib import admin

from boards.admin.read_only import ReadOnlyAdmin
from boards.models import Membership


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("user", "board", "role", "created_at")
    list_select_related = ("user", "board")
    list_filter = ("role",)
    search_fields = ("user__email", "user__name", "board__title")
    id_fields = ("pk", "board", "user")
    fields = ("id", "board", "user", "role", "created_at", "version")
