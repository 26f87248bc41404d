"""Remove a way to sign in on /settings/security, with everything that depends on it."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.sign_in.factors.changes import FactorRefused
from core.http.requests import SignedInRequest


def removed(request: SignedInRequest, remove: Callable[[SignedInRequest], bool], said: str) -> HttpResponse:
    """Remove it and say so, or why not. `remove` returns whether there was anything to remove."""
    try:
        if remove(request):
            messages.success(request, said)
    except FactorRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("security")
