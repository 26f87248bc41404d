from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import Plan, User
from core.people import FORMER


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin):
    list_display = ("name", "key", "max_tokens", "max_boards", "accounts")
    search_fields = ("name", "key")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "key",
                    "name",
                    "max_tokens",
                    "max_boards",
                    "max_file_bytes",
                    "max_board_bytes",
                    "max_account_bytes",
                ),
                "description": gettext_lazy("Leave a field empty for no limit."),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Plan]:
        return (
            super()
            .get_queryset(request)
            .annotate(account_count=Count("user", filter=~Q(user__email__startswith=FORMER)))
        )

    @admin.display(description=gettext_lazy("accounts"), ordering="account_count")
    def accounts(self, plan: Any) -> int:
        return plan.account_count

    def get_readonly_fields(self, request: HttpRequest, obj: Plan | None = None) -> tuple[str, ...]:
        return ("key",) if obj else ()

    def get_deleted_objects(  # type: ignore[override]
        self, objs: Sequence[Plan], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[str]]:
        """Refuse to delete a plan in use, with one sentence rather than Django's list of all its accounts."""
        reasons = [reason for plan in objs for reason in _reasons_to_keep(plan)]
        if reasons:
            return [], {}, set(), reasons
        return super().get_deleted_objects(objs, request)


def _reasons_to_keep(plan: Plan) -> Iterator[str]:
    if plan.pk == User._meta.get_field("plan").default:
        yield _("New accounts start on the %(plan)s plan, so it cannot be deleted. Change its limits instead.") % {
            "plan": plan
        }
        return
    count = User.objects.filter(plan=plan).exclude(email__startswith=FORMER).count()
    if count:
        yield ngettext(
            "%(count)s account is on the %(plan)s plan. Move it to another plan first.",
            "%(count)s accounts are on the %(plan)s plan. Move them to another plan first.",
            count,
        ) % {"count": count, "plan": plan}
