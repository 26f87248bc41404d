"""The first account, and changes to allauth's pages: sign-ups with one address at once, a password typed again."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.internal.stagekit import stash_login
from allauth.account.stages import LoginStage
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import LoginView, SignupView
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.first_account import is_open, make_first_account
from accounts.forms import FirstSignUp
from accounts.sign_in.confirmation import CODE, PASSKEY, PASSWORD, Asking, confirm
from accounts.sign_in.factors.passkeys import can_be_used
from accounts.sign_in.provider.metadata import is_away, is_used, may_lead_there
from core.http.requests import SignedInRequest


class SignUpView(SignupView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), **button()}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.OIDC_ONLY:  # there a first sign-in is the sign-up
            return redirect("account_login")
        return may_lead_there(super().dispatch(request, *args, **kwargs))

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # somebody else took the address a moment ago
            if settings.MAIL:
                form.account_already_exists = True
                return super().form_valid(form)
            form.add_error("email", get_adapter().validation_error("email_taken"))
            return self.form_invalid(form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters(PASSWORD, CODE, PASSKEY)
def reauthenticate(request: SignedInRequest) -> HttpResponse:
    """The page to confirm who one is where a script sent a form. It leads back to the page with that form."""
    asking, onward = Asking(request), get_next_redirect_url(request)
    if not asking.is_possible():
        return redirect(onward or "home")
    if request.method == "POST" and asking.is_answered():
        confirm(request)
        return redirect(onward or "home")
    return asking.page(status=200, hidden=[("next", onward)] if onward else [])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_account(request: HttpRequest, key: str) -> HttpResponse:
    """The page of the link that bin/serve prints while nobody has an account. It works where sign-up is closed too."""
    if not is_open(key):
        return render(request, "accounts/first_account.html", status=404)
    form = FirstSignUp(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/first_account.html", {"form": form})
    user = make_first_account(request, form)
    if user is None:
        return render(request, "accounts/first_account.html", status=404)
    get_adapter().login(request, user)
    return redirect("home")


class SignInView(LoginView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            **super().get_context_data(**kwargs),
            **button(),
            "passkeys_work": can_be_used(self.request),
            "others_shown": not settings.OIDC_ONLY or "password" in self.request.GET or self.request.method == "POST",
        }

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return may_lead_there(super().dispatch(request, *args, **kwargs))

    def _redirect_to_pending_stage(self, request: HttpRequest, stage: LoginStage) -> HttpResponseRedirect | None:
        """Lead to the step that waits, and from there where one wants to go now."""
        if onward := self.get_next_url():
            stage.login.redirect_url = onward
            stash_login(request, stage.login)
        return super()._redirect_to_pending_stage(request, stage)


def button() -> dict[str, object]:
    """Return what the button of single sign-on needs, without asking the provider."""
    name = settings.OIDC_NAME if is_used() else ""
    return {"provider": name, "provider_is_away": is_used() and is_away(), "others_shown": True}
