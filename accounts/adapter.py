"""allauth's account adapter: whether sign-up is open, what a new account holds, how messages are worded."""

from contextlib import nullcontext
from typing import Any, cast
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts import mailbox
from accounts.forms import SignUp
from accounts.links import LinkPurpose, make_key
from accounts.mails import send_later
from accounts.models import StartPage, User
from accounts.notices import browser_in_words
from accounts.plans import plan_of_newcomer
from accounts.sign_in.confirmation import keep_signed_in
from accounts.sign_in.password import attempts
from accounts.sign_in.sessions import known_browsers
from accounts.sign_in.sessions.news import is_sign_in_news, tell_of_sign_in
from core.http.requests import SignedInRequest
from core.sign_up import may_sign_up
from core.text.locale import locale_of
from security.events import log_event
from security.models import EventKind

BY_PROVIDER = "_is_answer_of_provider"  # set on the request that comes back from single sign-on


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is deactivated. Contact the operator of this service."),
        "email_password_mismatch": _("Incorrect email or password. Check both and try again."),
        "email_taken": _("This email address already has an account. Sign in, or use another address."),
        "enter_current_password": _("Incorrect current password. Try again."),
        "incorrect_password": _("Incorrect password. Try again."),
        "invalid_password_reset": _("This link no longer works. Request a new one."),
        "too_many_login_attempts": _("Too many attempts. Wait a few minutes, then try again."),
        "rate_limited": _("Too many attempts. Wait a few minutes, then try again."),
    }

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        attempt = attempts.begin(request, credentials["email"])
        with attempt.taken.unless_busy():
            user = super().authenticate(request, **credentials)
        if user is not None:
            attempt.succeed()
            if attempt.own == attempts.IN_KNOWN_BROWSER:  # which a password that is hashed anew now would forget
                known_browsers.learn(request, cast(User, user))
            if user == request.user:  # who confirms the password
                keep_signed_in(cast(SignedInRequest, request), user)
        return user

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Save the password alone: hashing takes a moment, in which an operator may have deactivated the account."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def get_login_stages(self) -> list[str]:
        """Return allauth's stages with our own second step, which knows the remembered browsers."""
        own = {"allauth.mfa.stages.AuthenticateStage": "accounts.sign_in.factors.second_step.SecondStep"}
        return [own.get(stage, stage) for stage in super().get_login_stages()]

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page that the user chose to see after sign-in; a link that they followed counts more."""
        chosen = getattr(request.user, "start_page", "")
        return reverse("my_work") if chosen == StartPage.MY_WORK else super().get_login_redirect_url(request)

    def get_client_ip(self, request: HttpRequest) -> str:
        return str(request.META["REMOTE_ADDR"])

    def is_safe_url(self, url: str) -> bool:
        """Lead to this very host only: allauth takes all of ALLOWED_HOSTS, and so a service on somebody's own machine."""
        return url_has_allowed_host_and_scheme(url, {self.request.get_host()}, self.request.is_secure())

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request) and not settings.OIDC_ONLY

    def pre_login(self, request: HttpRequest, user: User, **details: Any) -> HttpResponse | None:  # type: ignore[override]
        """Let operators alone sign in here with TASKBOARD_OIDC_ONLY. Every way to sign in calls this, a reset password
        too.
        """
        refusal = super().pre_login(request, user, **details)
        if refusal is None and settings.OIDC_ONLY and not came_by_provider(request) and not user.is_staff:
            log_event(EventKind.SIGN_IN_FAILED, request, user=user, via="not the provider")
            clear_login(request)
            words = _("Sign in with %(name)s. Passwords and passkeys of this service are for operators only.")
            messages.error(request, words % {"name": settings.OIDC_NAME})
            onward = details.get("redirect_url")
            return redirect_to_login(onward) if onward else redirect("account_login")
        return refusal

    def save_user(self, request: HttpRequest, user: User, form: SignUp, commit: bool = True) -> User:  # type: ignore[override]
        user.name = form.cleaned_data["name"]
        user.language = form.cleaned_data["language"]
        user.time_zone = form.cleaned_data["time_zone"]
        user.plan_id = plan_of_newcomer()
        super().save_user(request, user, form, commit)
        log_event(EventKind.SIGNED_UP, request, user=user)
        return user

    def login(self, request: HttpRequest, user: User) -> None:  # type: ignore[override]
        is_news = is_sign_in_news(request, user)
        super().login(request, user)
        if came_by_provider(request):
            log_event(EventKind.SIGNED_IN, request, user=user, via="provider")
        else:
            log_event(EventKind.SIGNED_IN, request, user=user)
        if is_news:
            tell_of_sign_in(request, user)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        email = credentials.get("email", "").lower()
        user = get_user_model().objects.filter(email=email).first()
        log_event(EventKind.SIGN_IN_FAILED, request, user=user, email=None if user else email)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Make the confirmed address the account's only one."""
        before = email_address.user.email
        try:
            with transaction.atomic():
                confirmed = super().confirm_email(request, email_address) and self.take_over(email_address)
        except IntegrityError:  # another account took the address since the link was sent
            confirmed = False
        if not confirmed:
            messages.error(request, _("Another account uses this address. Choose a different one."))
            return False
        messages.success(request, _("Your email address is confirmed."))
        if before != email_address.email:
            log_event(
                EventKind.ADDRESS_CHANGED, request, user=email_address.user, before=before, after=email_address.email
            )
            change = {"from_email": before, "to_email": email_address.email}
            self.send_notification_mail("account/email/email_changed", email_address.user, change, email=before)
        return True

    def take_over(self, email_address: EmailAddress) -> bool:
        email_address.set_as_primary()
        type(email_address).objects.filter(user=email_address.user).exclude(pk=email_address.pk).delete()
        return True

    def get_reset_password_from_key_url(self, key: str) -> str:
        return at_base_address(super().get_reset_password_from_key_url(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        key = make_key(LinkPurpose.CONFIRM, emailconfirmation.email_address)
        return at_base_address(reverse("account_confirm_email", args=[key]))

    def send_notification_mail(  # type: ignore[override]
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        with locale_of(user):
            browser = browser_in_words(self.request)
        told = {"user": user, "browser": browser, **(context or {})}
        super().send_notification_mail(template_prefix, user, told, email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the mail in the language of its account, or else of the page.

        Some name no account, so that pages do not tell whether an address has one.
        """
        if not mailbox.takes(self.request, template_prefix, email):
            return
        user = context.get("user") or User.objects.filter(email=email.lower()).first()
        with locale_of(user) if user else nullcontext():
            message = self.render_mail(template_prefix, email, {"request": self.request, "email": email, **context})
        send_later(message)


def came_by_provider(request: HttpRequest) -> bool:
    return getattr(request, BY_PROVIDER, False)


def at_base_address(url: str) -> str:
    """Links in mails lead to the service's own address, whatever the request that caused the mail was sent to."""
    return f"{settings.BASE_URL}{urlsplit(url).path}"
