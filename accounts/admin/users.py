from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin.forms import AddAccountForm, ChangeAccountForm, SetPasswordForm
from accounts.admin.tokens import state_of
from accounts.locks import lock_undeleted_account
from accounts.models import User
from accounts.notices import tell
from accounts.operations import log_plan, sign_out_everywhere, switch
from accounts.pictures import remove_picture
from accounts.sign_in.factors.changes import remove_all
from accounts.sign_in.factors.held import HAS_FACTOR
from accounts.sign_in.sessions.browser_sessions import end_all, sessions_of
from core.admin import shortened
from core.text.names import FORMER, picture_address
from security.events import log_event
from security.models import EventKind, SecurityEvent

DATES = ("date_joined", "last_login", "seen_at", "sessions_ended_at")
OPERATOR = ("is_staff", "is_superuser")
RESTRICTIONS = ("groups", "user_permissions")
POWERS = (*OPERATOR, *RESTRICTIONS)
SHOWN = 10  # of each kind of rows on the page of an account


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts are deactivated here; account_deletion/admin.py adds their deletion. Only superusers may change operators."""

    form = ChangeAccountForm
    add_form = AddAccountForm
    add_form_template = None
    change_password_form = SetPasswordForm
    rights: tuple[str, ...] = ("view", "add", "change")
    list_display = ("address", "plan", "is_active", "short_name", "is_staff", "date_joined", "last_seen")
    list_select_related = ("plan",)
    list_filter = ("is_active", "is_staff", "plan", "language")
    list_per_page = 50
    show_full_result_count = False
    date_hierarchy = "date_joined"
    search_fields = ("email", "name")
    ordering = ("email",)
    actions: tuple[str, ...] = ("activate", "deactivate", "sign_out", "remove_factors", "remove_pictures")
    fieldsets = (
        (None, {"fields": ("email", "password", "is_active", "plan")}),
        (gettext_lazy("Profile"), {"fields": ("name", "shown_picture", "language", "time_zone", "theme", "density")}),
        (gettext_lazy("Dates"), {"fields": DATES}),
        (gettext_lazy("Operator"), {"fields": OPERATOR}),
        (
            gettext_lazy("Restricted operator"),
            {
                "fields": RESTRICTIONS,
                "classes": ("collapse",),
                "description": gettext_lazy("What an operator who is not a superuser may see and do."),
            },
        ),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "password1", "password2", "plan")}),
        (gettext_lazy("Profile"), {"fields": ("name", "language", "time_zone")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Leave out the rows that deleted accounts leave: there is nothing to see or change."""
        return super().get_queryset(request).exclude(email__startswith=FORMER)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_staff or request.user.is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        shown = (*DATES, "shown_picture")
        return shown if request.user.is_superuser else (*POWERS, *shown)

    @admin.display(description=gettext_lazy("email address"), ordering="email")
    def address(self, user: User) -> str:
        return shortened(user.email)

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def short_name(self, user: User) -> str:
        return shortened(user.name)

    @admin.display(description=gettext_lazy("picture"))
    def shown_picture(self, user: User) -> str:
        return format_html('<img src="{}" alt="" width="64">', picture_address(user.picture)) if user.picture else "–"

    @admin.display(description=gettext_lazy("last seen"), ordering=Coalesce("seen_at", "last_login"))
    def last_seen(self, user: User) -> datetime | None:
        return max(filter(None, (user.seen_at, user.last_login)), default=None)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show under the form what the account has. Each part needs the permission to view its rows."""
        user = context["original"]
        return super().render_change_form(request, {**context, **parts_of(user, request)}, *args, **kwargs)

    def get_form(self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        form.operator = request.user  # type: ignore[attr-defined]
        return form

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        if change:
            lock_undeleted_account(obj.pk)  # or the form would fill the row that a deletion has emptied
            obj.save(update_fields=[name for name in form.changed_data if name not in RESTRICTIONS])
        else:
            super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            _make_sign_in_address(obj)
        if not change:
            log_event(EventKind.SIGNED_UP, request, user=obj, by=request.user)
        elif "email" in form.changed_data:
            before = form.initial["email"]
            log_event(EventKind.ADDRESS_CHANGED, request, user=obj, by=request.user, before=before, after=obj.email)
            tell(obj, "email_changed", None, to=before, from_email=before, to_email=obj.email)
        if change and "plan" in form.changed_data:
            log_plan(obj, request, request.user)
        if change and "is_active" in form.changed_data:
            switch(obj, obj.is_active, request, request.user)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == 302:
            user = User.objects.get(pk=id)
            end_all(user, but=request.session.session_key)
            if user == request.user:  # whose factor may have gone
                request.session.pop(HAS_FACTOR, None)
            log_event(EventKind.PASSWORD_CHANGED, request, user=user, by=request.user)
            tell(user, "password_reset", None)
        return response

    @admin.action(permissions=["change"], description=gettext_lazy("Activate selected accounts"))
    def activate(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = self._set_active(request, queryset, True, _("Activated."))
        message = ngettext("%(count)s account activated.", "%(count)s accounts activated.", count)
        self.message_user(request, message % {"count": count})

    @admin.action(permissions=["change"], description=gettext_lazy("Deactivate selected accounts"))
    def deactivate(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Deactivate accounts. Their sessions, live pages and API tokens stop working at once."""
        own = str(request.user.pk)
        if queryset.filter(pk=own).exists():
            queryset = queryset.exclude(pk=own)
            text = _("Your own account was not deactivated. Ask another operator to do it.")
            self.message_user(request, text, messages.WARNING)
        count = self._set_active(request, queryset, False, _("Deactivated."))
        message = ngettext("%(count)s account deactivated.", "%(count)s accounts deactivated.", count)
        self.message_user(request, message % {"count": count})

    @admin.action(permissions=["change"], description=gettext_lazy("Sign out selected accounts everywhere"))
    def sign_out(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = 0
        for user in self._changeable(request, queryset):
            sign_out_everywhere(user, request, request.user)
            self.log_change(request, user, _("Signed out everywhere."))
            count += 1
        message = ngettext("%(count)s account signed out.", "%(count)s accounts signed out.", count)
        self.message_user(request, message % {"count": count})

    @admin.action(permissions=["change"], description=gettext_lazy("Remove two-step sign-in of selected accounts"))
    def remove_factors(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Remove app, passkeys and recovery codes of accounts that lost them. The password alone signs them in again."""
        count = 0
        for user in self._changeable(request, queryset):
            if remove_all(user, by=request.user, request=request):
                self.log_change(request, user, _("Two-step sign-in removed."))
                count += 1
        message = ngettext(
            "Two-step sign-in removed from %(count)s account.",
            "Two-step sign-in removed from %(count)s accounts.",
            count,
        )
        self.message_user(request, message % {"count": count})

    @admin.action(permissions=["change"], description=gettext_lazy("Remove picture of selected accounts"))
    def remove_pictures(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = 0
        for user in self._changeable(request, queryset.exclude(picture="")):
            if remove_picture(user):
                self.log_change(request, user, _("Picture removed."))
                count += 1
        message = ngettext("%(count)s picture removed.", "%(count)s pictures removed.", count)
        self.message_user(request, message % {"count": count})

    def _set_active(self, request: HttpRequest, accounts: QuerySet[User], active: bool, said: str) -> int:
        """Change accounts and return how many changed. Save each by itself, for its signals and its live pages."""
        count = 0
        for user in self._changeable(request, accounts.exclude(is_active=active)):
            switch(user, active, request, request.user)
            self.log_change(request, user, said)
            count += 1
        return count

    def _changeable(self, request: HttpRequest, accounts: Iterable[User]) -> Iterator[User]:
        """Yield the accounts that this operator may change. Name the others in a message."""
        for user in accounts:
            if self.has_change_permission(request, user):
                yield user
            else:
                text = _("%(account)s is an operator. Only a superuser can change this account.")
                self.message_user(request, text % {"account": user}, messages.WARNING)


def parts_of(user: User | None, request: HttpRequest) -> dict[str, Any]:
    """Return the rows of the account that this operator may see, the newest first and at most SHOWN of each kind."""
    if user is None:
        return {}
    rows: dict[str, tuple[str, QuerySet]] = {
        "tokens": ("accounts.view_apitoken", user.tokens.order_by("-id")),
        "memberships": ("boards.view_membership", user.memberships.select_related("board").order_by("-id")),
        "events": ("security.view_securityevent", SecurityEvent.objects.filter(user=user).select_related("by")),
    }
    parts: dict[str, Any] = {
        name: list(found[:SHOWN]) for name, (right, found) in rows.items() if request.user.has_perm(right)
    }
    for token in parts.get("tokens", ()):
        token.shown_state = state_of(token)
    return {**parts, "sessions": sessions_of(user)}


def _make_sign_in_address(user: User) -> None:
    """Make the user's new address their only one. It counts as confirmed: the operator vouches for it."""
    addresses = EmailAddress.objects.filter(user=user)
    addresses.exclude(email=user.email).delete()
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"primary": True, "verified": True})
