from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import ApiToken
from accounts.tokens import revoke_token
from core.admin import ReadOnlyAdmin


class LiveFilter(admin.SimpleListFilter):
    title = gettext_lazy("valid")
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> QuerySet[ApiToken]:
        live = ApiToken.objects.live()
        if self.value() == "yes":
            return queryset.filter(pk__in=live)
        return queryset.exclude(pk__in=live) if self.value() == "no" else queryset


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens can only be revoked here. Their owners create them and alone see the value; the digest is not shown."""

    list_display = ("name", "user", "ending", "state", "made_by", "created_at", "last_used_at")
    list_select_related = ("user",)
    list_filter = (LiveFilter, "made_by")
    search_fields = ("name", "user__email", "=last_four")
    fields = (
        "name",
        "user",
        "ending",
        "state",
        "made_by",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
        "reserved_until",
    )
    ordering = ("-id",)
    actions = ("revoke",)

    @admin.display(description=gettext_lazy("ends in"), ordering="last_four")
    def ending(self, token: ApiToken) -> str:
        return f"…{token.last_four}" if token.last_four else "–"

    @admin.display(description=gettext_lazy("state"))
    def state(self, token: ApiToken) -> str:
        if token.is_live:
            return _("valid")
        if token.revoked_at is not None:
            return _("revoked")
        if token.digest is None and token.reserved_until is not None and token.reserved_until > timezone.now():
            return _("approved, waiting for the command line")
        return _("expired")

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.change_apitoken")

    @admin.action(permissions=["revoke"], description=gettext_lazy("Revoke selected API tokens"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        revoked = [token for token in queryset if revoke_token(token)]
        for token in revoked:
            self.log_change(request, token, _("Revoked."))
        message = ngettext("%(count)s API token revoked.", "%(count)s API tokens revoked.", len(revoked))
        self.message_user(request, message % {"count": len(revoked)})
