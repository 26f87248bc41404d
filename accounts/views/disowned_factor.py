"""The page of the link in the mail about a new factor: remove it, for an owner who did not add it and cannot sign in."""

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.links import find_factor
from accounts.sign_in.factors.changes import disown
from accounts.sign_in.factors.held import RECENT


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def remove_factor(request: HttpRequest, key: str) -> HttpResponse:
    """Looking at the page changes nothing: programs that scan mails open their links."""
    factor = find_factor(key)
    removed = request.method == "POST" and factor is not None and disown(factor, request)
    if removed and factor is not None and request.user == factor.user:
        logout(request)
    if request.method == "POST" and not removed:
        factor = None
    context = {"factor": factor, "is_removed": removed, "days": RECENT.days}
    return render(request, "accounts/remove_factor.html", context)
