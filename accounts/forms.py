"""Forms of the account pages."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.fields import PasswordField
from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordForm, SignupForm
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import time_zones
from accounts.models import Density, StartPage, Theme, User
from accounts.names import NameField
from core.files.pictures import MOST_BYTES, TYPES, PictureRefused, square, too_large
from core.text.dates import BY_LANGUAGE, Clock, DateForm, WeekStart
from security.events import log_event
from security.models import EventKind


class SignIn(LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username webauthn"  # browsers offer passkeys below it
        self.fields["login"].widget.attrs["autofocus"] = True


class SignUp(SignupForm):
    """Sign-up with a name, a language, and the time zone that static/js/account/time-zone.js reads from the browser."""

    name = NameField(label=_("Name"), required=False, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES, initial=get_language)
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-behaviour": "time-zone"}))

    def clean_time_zone(self) -> str:
        told = self.cleaned_data["time_zone"]
        return told if told in time_zones.names() else "UTC"

    def clean(self) -> dict[str, Any]:
        """Hold the password against the name too; allauth holds it against the address."""
        data = super().clean()
        password = data.get("password1")
        if password and data.get("name") and not self.has_error("password1"):
            try:
                validate_password(password, User(name=data["name"]))
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return data

    def validate_unique_email(self, value: str) -> str:
        """Say that an address has an account only where no mail can: with a mail server all answers are the same.

        An address that waits at another account counts for nothing, or one could keep others from signing up.
        """
        taken = User.objects.filter(email=value).exists() or EmailAddress.objects.is_verified(value)
        if taken and not settings.MAIL:
            raise get_adapter().validation_error("email_taken")
        self.account_already_exists = taken
        return value

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])  # takes as long as for a new account
        with transaction.atomic():
            return super().try_save(request)


class FirstSignUp(SignUp):
    """Sign-up of the first account, which also chooses the plan of later accounts."""

    limits = forms.ChoiceField(
        label=_("Limit people's tokens and boards?"),
        choices=[("yes", pgettext_lazy("answer", "Yes")), ("no", pgettext_lazy("answer", "No"))],
        initial="yes",
        required=False,
        widget=forms.RadioSelect,
        help_text=_(
            "With Yes, new accounts start on the plan Free, with No on the plan Pro. You can change "
            "the plans, and which one new accounts start on, at any time in the admin. Your own account is on Pro."
        ),
    )

    def has_no_limits(self) -> bool:
        return self.cleaned_data["limits"] == "no"


class ChangePassword(ChangePasswordForm):
    revoke_tokens = forms.BooleanField(
        label=_("Revoke all API tokens too"),
        required=False,
        initial=True,
        help_text=_(
            "Programs that use a token then need a new one. Keep the tokens only if no one else had access to your account."
        ),
    )


class ResetPassword(ResetPasswordForm):
    def clean_email(self) -> str:
        """Find the account by its own address only: one that waits for its confirmation may be anybody's."""
        email = self.cleaned_data["email"].lower()
        self.users = list(User.objects.filter(email=email, is_active=True))
        return email

    def save(self, request: HttpRequest, **options: Any) -> str:
        email = super().save(request, **options)
        user = self.users[0] if self.users else None
        log_event(EventKind.RESET_REQUESTED, request, user=user, email=None if user else email)
        return email


class TimeZoneField(forms.CharField):
    """A zone, typed or taken from the suggestions of time_zones."""

    widget = forms.TextInput(
        attrs={"list": "time-zones", "autocomplete": "off", "spellcheck": "false", "data-behaviour": "select-all"}
    )

    def prepare_value(self, value: Any) -> Any:
        return time_zones.with_offset(value, timezone.now()) if value in time_zones.names() - {"UTC"} else value

    def to_python(self, value: Any) -> str:
        typed = super().to_python(value) or ""
        found = time_zones.find(typed)
        if typed and found is None:
            raise forms.ValidationError(_("Choose a time zone such as Europe/Berlin."))
        return found or ""


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
    time_zone = TimeZoneField(label=_("Time zone"))
    week_start = forms.ChoiceField(
        label=_("First day of the week"), choices=[BY_LANGUAGE, *WeekStart.choices], required=False
    )
    date_form = forms.ChoiceField(
        label=pgettext_lazy("form", "Dates"), choices=[BY_LANGUAGE, *DateForm.choices], required=False
    )
    clock = forms.ChoiceField(label=_("Times"), choices=[BY_LANGUAGE, *Clock.choices], required=False)
    start_page = forms.ChoiceField(label=_("After sign-in, show"), choices=StartPage, required=False)
    theme = forms.ChoiceField(label=_("Theme"), choices=Theme, widget=forms.RadioSelect)
    density = forms.ChoiceField(label=_("Density"), choices=Density, widget=forms.RadioSelect, required=False)

    class Meta:
        model = User
        fields = ["name", "language", "time_zone", "week_start", "date_form", "clock", "start_page", "theme", "density"]

    def clean_density(self) -> str:
        """Keep it where a page of an earlier version did not ask for it."""
        return self.cleaned_data["density"] or self.instance.density


class PictureForm(forms.Form):
    """A picture for oneself. Cleaned, it is the content of the file to keep (core/files/pictures.py)."""

    picture = forms.FileField(
        label=_("Choose a picture"),
        help_text=_("JPEG, PNG, WebP or GIF, up to 10 MB. The middle is shown as a circle."),
        error_messages={"empty": _("This file is empty. Choose another one.")},
        widget=forms.FileInput(
            attrs={
                "accept": TYPES,
                "data-behaviour": "file-size",
                "data-most": MOST_BYTES,
                "data-too-large": lazy(too_large, str)(),
            }
        ),
    )

    def clean_picture(self) -> bytes:
        try:
            return square(self.cleaned_data["picture"])
        except PictureRefused as error:
            raise forms.ValidationError(str(error)) from error


class AddressForm(forms.Form):
    """Change the email address. It asks for the password, because the new address can be used to reset that."""

    email = forms.EmailField(
        label=_("New email address"),
        help_text=_("This address replaces your current one once you open the link we send to it."),
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
        return email

    def clean_password(self) -> str:
        if not self.user.check_password(self.cleaned_data["password"]):
            raise forms.ValidationError(_("Incorrect password. Try again."))
        return self.cleaned_data["password"]


class CodeField(forms.CharField):
    """A code of an authenticator app or a recovery code, typed with or without spaces."""

    def __init__(self, *, autofocus: bool = False, **options: Any) -> None:
        attrs = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false", "autofocus": autofocus}
        super().__init__(max_length=50, widget=forms.TextInput(attrs=attrs), **options)


class SecondStepForm(forms.Form):
    code = CodeField(label=_("Code"), autofocus=True)
    remember = forms.BooleanField(label=_("Don't ask again in this browser for 30 days"), required=False)


class AppForm(forms.Form):
    """The first code of an authenticator app."""

    code = CodeField(label=_("Code from the app"))


class PasskeyNameForm(forms.Form):
    name = NameField(label=_("Name"), help_text=_("A name to recognize it by, such as “work laptop”."))
