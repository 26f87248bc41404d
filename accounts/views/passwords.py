"""allauth's pages for a new password, which end sessions, tokens and links of the old one."""

from allauth.account.forms import ResetPasswordKeyForm, SetPasswordForm
from allauth.account.models import EmailAddress
from allauth.account.views import PasswordChangeView, PasswordResetFromKeyView, PasswordResetView, PasswordSetView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.forms import ChangePassword, ResetPassword
from accounts.models import User
from accounts.recovery import end_leftovers, recover
from accounts.sign_in.confirmation import keep_signed_in, password_confirmed
from accounts.sign_in.factors.held import RECENT
from accounts.sign_in.factors.recent import RemovedFactor
from accounts.sign_in.sessions.browser_sessions import end_all
from core.http.requests import SignedInRequest
from core.text.lists import join_items
from security.events import log_event
from security.models import EventKind


class ChangeView(PasswordChangeView):
    form_class = ChangePassword
    request: SignedInRequest

    @transaction.atomic
    def form_valid(self, form: ChangePassword) -> HttpResponse:
        revoked = end_leftovers(self.request.user, tokens=form.cleaned_data["revoke_tokens"])
        end_all(self.request.user, but=self.request.session.session_key)
        log_event(EventKind.PASSWORD_CHANGED, self.request, user=self.request.user, tokens_revoked=revoked)
        return super().form_valid(form)

    def form_invalid(self, form: ChangePassword) -> HttpResponse:
        keep_signed_in(self.request, self.request.user)  # the old one may have been right
        return super().form_invalid(form)


class SetView(PasswordSetView):
    request: SignedInRequest

    @transaction.atomic
    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        end_leftovers(self.request.user, tokens=False)
        end_all(self.request.user, but=self.request.session.session_key)
        log_event(EventKind.PASSWORD_CHANGED, self.request, user=self.request.user)
        return super().form_valid(form)


set_password = login_required(password_confirmed(SetView.as_view()))  # type: ignore[arg-type]  # as allauth has it


def reset_password(request: HttpRequest) -> HttpResponseBase:
    if not settings.MAIL:
        return render(request, "accounts/reset_by_operator.html")
    return PasswordResetView.as_view(form_class=ResetPassword)(request)


class ResetView(PasswordResetFromKeyView):
    """The page of the link in the mail. A reset recovers the account (accounts/recovery.py)."""

    reset_user: User

    @transaction.atomic
    def form_valid(self, form: ResetPasswordKeyForm) -> HttpResponse:
        if self.request.user.is_authenticated:
            logout(self.request)  # the second step waits in the session, which must not be one that ends here
        ended = recover(self.reset_user, self.request)
        end_all(self.reset_user)
        log_event(EventKind.PASSWORD_RESET, self.request, user=self.reset_user, tokens_revoked=ended.tokens)
        confirm_address(self.reset_user)
        if ended.factors:
            messages.warning(self.request, said_of(ended.factors))
        return super().form_valid(form)


def said_of(factors: list[RemovedFactor]) -> str:
    words = _(
        "These sign-in methods were added in the last %(days)s days, maybe by someone else, so they were removed: "
        "%(factors)s. If they were yours, add them again under Settings, Security."
    )
    return words % {"days": RECENT.days, "factors": join_items(factors)}


def confirm_address(user: User) -> None:
    """Confirm the account's address: opening the link proves that one reads its mails."""
    address, _created = EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True})
    address.set_verified()
