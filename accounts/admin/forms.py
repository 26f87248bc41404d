"""Admin forms for accounts, which have an email address instead of a user name."""

from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.contrib.auth.forms import AdminPasswordChangeForm, BaseUserCreationForm, UserChangeForm
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import time_zones
from accounts.admin.rights import useful_permissions
from accounts.models import User
from accounts.models.plan import default_plan
from accounts.names import NameField
from accounts.recovery import recover

OPERATOR_FLAGS = ("is_active", "is_staff", "is_superuser")


class AccountForm(forms.ModelForm):
    name = NameField(label=gettext_lazy("Name"), required=False)
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=time_zones.choices, initial="UTC")

    def clean_email(self) -> str:
        """Return the address in lower case, as it is stored. Refuse one that another account has confirmed."""
        email = self.cleaned_data["email"].lower()
        if EmailAddress.objects.filter(email=email, verified=True).exclude(user=self.instance.pk).exists():
            raise ValidationError(_("Another account uses this address. Choose a different one."))
        return email


class AddAccountForm(AccountForm, BaseUserCreationForm):
    class Meta:
        model = User
        fields = ("email", "name", "plan", "language", "time_zone")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("plan", default_plan())


class SetPasswordForm(AdminPasswordChangeForm):
    """Set a password, to recover the account. This ends its API tokens and pending addresses."""

    usable_password_help_text = gettext_lazy(  # type: ignore[assignment]  # the stubs know no lazy text here
        "If disabled, the current password is lost and this account can no longer sign in with a password. "
        "To lock someone out, deactivate the account instead."
    )

    def save(self, commit: bool = True) -> User:
        with transaction.atomic():
            recover(self.user)
            super().save(commit=False)
            self.user.save(update_fields=["password"])
            return self.user


class ChangeAccountForm(AccountForm, UserChangeForm):
    operator: User  # the user of the request, set by AccountAdmin.get_form

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "user_permissions" in self.fields:
            held = Permission.objects.filter(user=self.instance).select_related("content_type")
            self.fields["user_permissions"].queryset = useful_permissions() | held  # type: ignore[attr-defined]

    class Meta:
        model = User
        fields = "__all__"  # noqa: DJ007  # AccountAdmin.fieldsets names those that are shown

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.instance.pk == self.operator.pk:
            for flag in OPERATOR_FLAGS:
                if getattr(self.instance, flag) and not data.get(flag, True):
                    self.add_error(
                        flag, _("You cannot remove this from your own account. Ask another operator to do it.")
                    )
        return data
