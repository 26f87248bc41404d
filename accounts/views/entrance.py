"""The first account, and changes to allauth's pages: sign-ups with one address at once, a password typed again."""

from typing import cast

from allauth.account.adapter import get_adapter
from allauth.account.forms import ReauthenticateForm, SignupForm
from allauth.account.views import ReauthenticateView, SignupView
from django.conf import settings
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.first_account import is_open, make_first_account
from accounts.forms import SignUp
from core.http import SignedInRequest
from security.confirmation import confirm


class SignUpView(SignupView):
    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # somebody else took the address a moment ago
            if settings.MAIL:
                form.account_already_exists = True
                return super().form_valid(form)
            form.add_error("email", get_adapter().validation_error("email_taken"))
            return self.form_invalid(form)


class ReauthenticationView(ReauthenticateView):
    def form_valid(self, form: ReauthenticateForm) -> HttpResponse:
        confirm(cast(SignedInRequest, self.request))
        return super().form_valid(form)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_account(request: HttpRequest, key: str) -> HttpResponse:
    """The page of the link that bin/serve prints while nobody has an account. It works where sign-up is closed too."""
    if not is_open(key):
        return render(request, "accounts/first_account.html", status=404)
    form = SignUp(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/first_account.html", {"form": form})
    user = make_first_account(request, form)
    if user is None:
        return render(request, "accounts/first_account.html", status=404)
    get_adapter().login(request, user)
    return redirect("home")
