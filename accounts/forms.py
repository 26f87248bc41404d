"""Forms of the account pages."""

from datetime import date, datetime, time
from typing import Any

from allauth.account.fields import PasswordField
from allauth.account.forms import SignupForm
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import time_zones
from accounts.models import Theme, User
from accounts.names import NameField


class SignUp(SignupForm):
    """Sign-up with a name, a language, and the time zone that static/js/time-zone.js reads from the browser."""

    name = NameField(label=_("Name"), required=False, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES, initial=get_language)
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-behaviour": "time-zone"}))

    def clean_time_zone(self) -> str:
        told = self.cleaned_data["time_zone"]
        return told if told in time_zones.names() else "UTC"

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        with transaction.atomic():
            return super().try_save(request)


class ProfileForm(forms.ModelForm):
    name = NameField(
        label=_("Name"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=_(
            "Shown to people you share boards with. If you leave it empty, they see the part of your email address "
            "before the @."
        ),
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=time_zones.choices,
        error_messages={"invalid_choice": _("Choose a time zone from the list.")},
    )
    theme = forms.ChoiceField(label=_("Theme"), choices=Theme, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = ["name", "language", "time_zone", "theme"]


class AddressForm(forms.Form):
    """Change the email address. It asks for the password, because the new address can be used to reset that."""

    email = forms.EmailField(
        label=_("New email address"),
        help_text=_("It replaces your current address once you open the link we send to it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        max_length=User._meta.get_field("email").max_length,
    )
    password = PasswordField(label=_("Your password"), autocomplete="current-password")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_email(self) -> str:
        email = self.cleaned_data["email"].lower()
        if email == self.user.email:
            raise forms.ValidationError(_("This is already your email address."))
        confirmed = EmailAddress.objects.filter(email=email, verified=True).exclude(user=self.user)
        if confirmed.exists() or User.objects.filter(email=email).exists():
            raise forms.ValidationError(_("Another account uses this address. Choose a different one."))
        return email

    def clean_password(self) -> str:
        if not self.user.check_password(self.cleaned_data["password"]):
            raise forms.ValidationError(_("Incorrect password. Try again."))
        return self.cleaned_data["password"]


class NewTokenForm(forms.Form):
    """Create an API token. `expires_at` is the end of the chosen day in the active time zone, or None."""

    name = NameField(label=_("Name"), help_text=_("Where you will use it, such as “laptop” or “nightly report”."))
    expires = forms.DateField(
        label=_("Expires"),
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_("The last day the token works. Leave empty for no expiration."),
        error_messages={"invalid": _("Enter the date as year-month-day, such as 2030-12-31.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["expires"].widget.attrs["min"] = timezone.localdate().isoformat()

    def clean_expires(self) -> date | None:
        last_day = self.cleaned_data["expires"]
        if last_day and last_day < timezone.localdate():
            raise forms.ValidationError(_("This date has passed. Choose today or a later date."))
        if last_day and last_day.year == date.max.year:
            raise forms.ValidationError(_("Choose an earlier year, or leave the field empty for no expiration."))
        return last_day

    @property
    def expires_at(self) -> datetime | None:
        last_day = self.cleaned_data["expires"]
        end_of_day = time(23, 59, 59)
        return timezone.make_aware(datetime.combine(last_day, end_of_day)) if last_day else None
