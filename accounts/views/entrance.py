"""Changes to allauth's pages: two sign-ups with one address at once, and services without a mail server."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.views import PasswordResetView, SignupView
from django.conf import settings
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render


class SignUpView(SignupView):
    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # somebody else took the address a moment ago
            form.add_error("email", get_adapter().validation_error("email_taken"))
            return self.form_invalid(form)


def reset_password(request: HttpRequest) -> HttpResponseBase:
    if not settings.MAIL:
        return render(request, "accounts/reset_by_operator.html")
    return PasswordResetView.as_view()(request)
