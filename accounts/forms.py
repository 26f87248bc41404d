"""Forms of the account pages."""

from django import forms
from django.http import HttpRequest

from accounts.models import User


class SignupExtra(forms.Form):
    """What the sign-up page asks beyond address and password; allauth calls `signup` with the new account."""

    def signup(self, request: HttpRequest, user: User) -> None:
        pass
