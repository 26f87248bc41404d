from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest

admin.site.unregister(Group)


@admin.register(Group)
class UnlistedGroupAdmin(GroupAdmin):
    """Not in the admin's menu: only the page of a restricted operator leads here, and most services have none."""

    is_listed = False

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return {}
