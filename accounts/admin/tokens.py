from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_POST

from accounts.admin.narrow import NarrowForm
from accounts.models import Access, ApiToken
from accounts.models.token import TokenState
from accounts.operations import revoke
from accounts.tokens import Wider, narrow_token
from core.admin import ReadOnlyAdmin
from security.events import log_event
from security.models import EventKind


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
    """Tokens can only be narrowed and revoked here. Their owners create them and alone see the value; the digest is not shown."""

    rights = ("view", "change")
    list_display = (
        "name",
        "user",
        "ending",
        "state",
        "access",
        "deletes",
        "boards_in_words",
        "made_by",
        "created_at",
        "last_used_at",
    )
    list_select_related = ("user",)
    list_filter = (LiveFilter, "access", "deletes", "made_by")
    search_fields = ("name", "user__email", "=last_four")
    fields = (
        "name",
        "user",
        "ending",
        "state",
        "access",
        "deletes",
        "boards_in_words",
        "made_by",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
        "reserved_until",
    )
    secrets = ("digest",)
    ordering = ("-id",)
    actions = ("revoke", "limit_to_reading", "forbid_deleting")

    @admin.display(description=gettext_lazy("ends in"), ordering="last_four")
    def ending(self, token: ApiToken) -> str:
        return f"…{token.last_four}" if token.last_four else "–"

    @admin.display(description=gettext_lazy("state"))
    def state(self, token: ApiToken) -> str:
        return state_of(token)

    @admin.display(description=gettext_lazy("boards"))
    def boards_in_words(self, token: ApiToken) -> str:
        """Return the ids of the chosen boards: of titles, which may be private, the admin's list shows none."""
        if token.board_ids is None:
            return pgettext("boards", "all")
        return ", ".join(token.board_ids) or "–"

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.change_apitoken")

    def get_urls(self) -> list[URLPattern]:
        acts = {"revoke": self.revoke_one, "narrow": self.narrow_one}
        return [
            path(
                f"<path:object_id>/{name}/",
                self.admin_site.admin_view(require_POST(act)),
                name=f"accounts_apitoken_{name}",
            )
            for name, act in acts.items()
        ] + super().get_urls()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        token = context["original"]
        may_revoke = token is not None and token.revoked_at is None and self.has_revoke_permission(request)
        narrowing = NarrowForm() if may_revoke and token.is_live else None
        context = {**context, "may_revoke": may_revoke, "narrowing": narrowing}
        return super().render_change_form(request, context, *args, **kwargs)

    def revoke_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Revoke the token from its own page."""
        found = self.one(request, object_id)
        self.revoke(request, found)
        return redirect("admin:accounts_apitoken_change", found.get().pk)

    def narrow_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take boards from the token or let it end earlier, from its own page."""
        found, form = self.one(request, object_id), NarrowForm(request.POST)
        if form.is_valid():
            try:
                self.narrow(request, found, **form.changes)
            except Wider as refusal:
                self.message_user(request, str(refusal), messages.ERROR)
        for errors in form.errors.values():
            self.message_user(request, str(errors[0]), messages.ERROR)
        return redirect("admin:accounts_apitoken_change", found.get().pk)

    def one(self, request: HttpRequest, object_id: str) -> QuerySet[ApiToken]:
        """Return the token of a page, for the actions. Raise for people who may only look, and where there is none."""
        if not self.has_revoke_permission(request):
            raise PermissionDenied
        token = self.get_object(request, object_id)
        if token is None:
            raise Http404
        return ApiToken.objects.select_related("user").filter(pk=token.pk)

    @admin.action(permissions=["revoke"], description=gettext_lazy("Revoke selected API tokens"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        revoked = [token for token in queryset if revoke(token, request, request.user)]
        for token in revoked:
            self.log_change(request, token, _("Revoked."))
        message = ngettext("%(count)s API token revoked.", "%(count)s API tokens revoked.", len(revoked))
        self.message_user(request, message % {"count": len(revoked)})

    @admin.action(permissions=["revoke"], description=gettext_lazy("Limit selected API tokens to reading"))
    def limit_to_reading(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        self.narrow(request, queryset, access=Access.READ.value)

    @admin.action(permissions=["revoke"], description=gettext_lazy("Forbid selected API tokens to delete"))
    def forbid_deleting(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        self.narrow(request, queryset, deletes=False)

    def narrow(self, request: HttpRequest, queryset: QuerySet[ApiToken], **wanted: Any) -> None:
        narrowed = [token for token in queryset if narrow_token(token, **wanted)]
        for token in narrowed:
            log_event(EventKind.TOKEN_NARROWED, request, user=token.user, by=request.user, name=token.name)
            self.log_change(request, token, _("Restricted."))
        message = ngettext("%(count)s API token restricted.", "%(count)s API tokens restricted.", len(narrowed))
        self.message_user(request, message % {"count": len(narrowed)})


def state_of(token: ApiToken) -> str:
    match token.state:
        case TokenState.VALID:
            return _("valid")
        case TokenState.REVOKED:
            return _("revoked")
        case TokenState.RESERVED:
            return _("approved, waiting for the command line")
    return _("expired")
