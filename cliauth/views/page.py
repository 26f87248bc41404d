"""The page /cli, on which a user compares the code that their command line shows, and approves or denies it."""

from datetime import timedelta
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.tokens import TokenLimitReached
from apiv1 import limits
from cliauth import grants
from cliauth.grants import Gone
from cliauth.models import Grant

WRONG_CODES = (("cli-wrong", "account"), ("cli-wrong-address", "address"))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cli(request: HttpRequest) -> HttpResponse:
    """GET: ask for a code, or show the command line of `?code=` with both buttons. POST: approve or deny.

    Only wrong codes are counted. A user who has sent too many is refused right ones too.
    """
    typed = (request.POST if request.method == "POST" else request.GET).get("code", "")
    if not typed.strip():
        return redirect("cli") if request.method == "POST" else render(request, "cliauth/code.html")
    who = {"account": str(request.user.pk), "address": request.META["REMOTE_ADDR"]}
    try:
        for name, key in WRONG_CODES:
            limits.require_room(request, name, who[key])
        try:
            return decide(request, grants.find_waiting(typed))
        except Gone:
            for name, key in WRONG_CODES:
                limits.count(request, name, who[key])
            return no_such_code(request, typed)
    except limits.TooMany as refusal:
        page = render(request, "429.html", status=429)
        page["Retry-After"] = refusal.headers["Retry-After"]
        return page


def decide(request: HttpRequest, grant: Grant) -> HttpResponse:
    user = cast(User, request.user)
    match request.POST.get("answer"):
        case "approve":
            return approved(request, grant, user)
        case "deny":
            grants.deny(grant, user)
            return render(request, "cliauth/denied.html", {"grant": grant})
    return ask(request, grant)


def approved(request: HttpRequest, grant: Grant, user: User) -> HttpResponse:
    try:
        grants.approve(grant, user)
    except TokenLimitReached as refusal:
        return ask(request, grant, str(refusal))
    return render(request, "cliauth/approved.html", {"grant": grant})


def ask(request: HttpRequest, grant: Grant, refusal: str = "") -> HttpResponse:
    context = {
        "grant": grant,
        "just_now": timezone.now() - grant.created_at < timedelta(minutes=1),
        "elsewhere": grant.address != request.META["REMOTE_ADDR"],
        "refusal": refusal,
    }
    return render(request, "cliauth/ask.html", context)


def no_such_code(request: HttpRequest, typed: str) -> HttpResponse:
    sentence = _("This code is wrong, already used or expired. Compare it with your command line, or start again.")
    return render(request, "cliauth/code.html", {"error": sentence, "typed": typed[:20]}, status=404)
