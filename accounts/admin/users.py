from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin.forms import AddAccountForm, ChangeAccountForm, SetPasswordForm
from accounts.models import User

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts are deactivated, never deleted. Only superusers may change operators or appoint them."""

    form = ChangeAccountForm
    add_form = AddAccountForm
    add_form_template = None
    change_password_form = SetPasswordForm
    list_display = ("email", "name", "plan", "is_active", "is_staff", "date_joined", "last_login")
    list_select_related = ("plan",)
    list_filter = ("is_active", "is_staff", "plan", "language")
    list_per_page = 50
    show_full_result_count = False
    date_hierarchy = "date_joined"
    search_fields = ("email", "name")
    ordering = ("email",)
    actions = ("activate", "deactivate")
    fieldsets = (
        (None, {"fields": ("email", "password", "is_active", "plan")}),
        (gettext_lazy("Profile"), {"fields": ("name", "language", "time_zone", "theme")}),
        (gettext_lazy("Operator"), {"fields": POWERS}),
        (gettext_lazy("Dates"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "password1", "password2", "plan")}),
        (gettext_lazy("Profile"), {"fields": ("name", "language", "time_zone")}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_staff or request.user.is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        dates = ("date_joined", "last_login")
        return dates if request.user.is_superuser else (*POWERS, *dates)

    def get_form(self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        form.operator = request.user  # type: ignore[attr-defined]
        return form

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            _make_sign_in_address(obj)

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

    def _set_active(self, request: HttpRequest, accounts: QuerySet[User], active: bool, said: str) -> int:
        """Change accounts and return how many changed. Save each by itself, for its signals and its live pages."""
        count = 0
        for user in accounts.exclude(is_active=active):
            if not self.has_change_permission(request, user):
                text = _("%(account)s is an operator. Only a superuser can change this account.")
                self.message_user(request, text % {"account": user}, messages.WARNING)
                continue
            user.is_active = active
            user.save(update_fields=["is_active"])
            self.log_change(request, user, said)
            count += 1
        return count


def _make_sign_in_address(user: User) -> None:
    """Make the user's new address their only primary one. It counts as confirmed: the operator vouches for it."""
    addresses = EmailAddress.objects.filter(user=user)
    addresses.filter(primary=True).exclude(email=user.email).delete()
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"primary": True, "verified": True})
