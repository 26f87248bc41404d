from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import DefaultPlan, Plan, User
from accounts.models.plan import default_plan
from accounts.plans import start_on
from core.text.names import FORMER


class PlanForm(forms.ModelForm):
    is_default = forms.BooleanField(
        label=gettext_lazy("New accounts start on this plan"),
        required=False,
        help_text=gettext_lazy("Exactly one plan has this mark. To change that, mark another plan."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_marked = self.instance.pk == default_plan()
        self.initial["is_default"] = is_marked
        self.fields["is_default"].disabled = is_marked


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin):
    form = PlanForm
    list_display = ("name", "key", "max_tokens", "max_boards", "accounts", "is_default")
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
                    "is_default",
                ),
                "description": gettext_lazy("Leave a field empty for no limit."),
            },
        ),
    )

    def save_model(self, request: HttpRequest, obj: Plan, form: PlanForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.cleaned_data["is_default"]:
            start_on(obj.pk)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Plan]:
        return (
            super()
            .get_queryset(request)
            .annotate(
                account_count=Count("user", filter=~Q(user__email__startswith=FORMER)),
                marked=Exists(DefaultPlan.objects.filter(plan=OuterRef("pk"))),
            )
        )

    @admin.display(description=gettext_lazy("accounts"), ordering="account_count")
    def accounts(self, plan: Any) -> int:
        return plan.account_count

    @admin.display(description=gettext_lazy("default"), boolean=True)
    def is_default(self, plan: Any) -> bool:
        return plan.marked

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
    if plan.pk == default_plan():
        yield _(
            "New accounts start on the %(plan)s plan, so it cannot be deleted. Choose another plan for new accounts first."
        ) % {"plan": plan}
        return
    count = User.objects.filter(plan=plan).exclude(email__startswith=FORMER).count()
    if count:
        yield ngettext(
            "%(count)s account is on the %(plan)s plan. Move it to another plan first.",
            "%(count)s accounts are on the %(plan)s plan. Move them to another plan first.",
            count,
        ) % {"count": count, "plan": plan}
