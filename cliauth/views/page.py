"""The page /cli, on which a user compares the code that their command line shows, and approves or denies it."""

from datetime import timedelta
from typing import cast

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import ApiToken, User
from accounts.sign_in.confirmation import password_confirmed
from accounts.tokens import TokenLimitReached, count_new_token
from apiv1.tokens.boards import boards_of
from apiv1.tokens.forms import WishesForm
from cliauth import grants
from cliauth.grants import Gone
from cliauth.models import Grant
from core.http.addresses import network_of
from core.ids import parse_id
from security import limits
from security.events import log_event
from security.models import EventKind


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
    network = network_of(request.META["REMOTE_ADDR"])
    attempt = limits.take(request, ("cli-wrong", str(request.user.pk)), ("cli-wrong-address", network))
    try:
        grant = grants.find_waiting(typed)
        attempt.take_back()
        return decide(request, grant)
    except Gone:  # there is no such code, or somebody was quicker
        return answered_before(request, typed) or no_such_code(request, typed)


def decide(request: HttpRequest, grant: Grant) -> HttpResponse:
    user = cast(User, request.user)
    match request.POST.get("answer"):
        case "approve":
            return approved(request, grant, user)
        case "deny":
            grants.deny(grant, user)
            log_event(EventKind.DEVICE_DENIED, request, user=user, name=grant.client_name)
            return render(request, "cliauth/denied.html", {"grant": grant})
    return ask(request, grant)


@password_confirmed
def approved(request: HttpRequest, grant: Grant, user: User) -> HttpResponse:
    form = WishesForm(request.POST, wishes=grant.wishes, boards=boards_of(user))
    if not form.is_valid():
        return ask(request, grant, form=form)
    count_new_token(request)
    try:
        with transaction.atomic():
            revoked = grants.approve(
                grant,
                user,
                bounds=form.bounds,
                expires_at=form.expires_at,
                instead_of=parse_id(request.POST.get("revoke")),
            )
            if revoked:
                log_event(EventKind.TOKEN_REVOKED, request, user=user, name=revoked.name)
            log_event(EventKind.DEVICE_APPROVED, request, user=user, name=grant.client_name, device=grant.address)
    except TokenLimitReached as refusal:
        grants.tell_of_no_slot(grant)
        return ask(request, grant, str(refusal), form)
    return render(request, "cliauth/approved.html", {"grant": grant})


def answered_before(request: HttpRequest, typed: str) -> HttpResponse | None:
    """Answer a second click as the first."""
    pages = {"approve": "cliauth/approved.html", "deny": "cliauth/denied.html"}
    answer = request.POST.get("answer", "")
    if answer not in pages:
        return None
    grant = grants.find_decided(typed, cast(User, request.user), approved=answer == "approve")
    return render(request, pages[answer], {"grant": grant}) if grant else None


def ask(request: HttpRequest, grant: Grant, refusal: str = "", form: WishesForm | None = None) -> HttpResponse:
    user = cast(User, request.user)
    form = form or WishesForm(None, wishes=grant.wishes, boards=boards_of(user))
    here = request.META["REMOTE_ADDR"]
    context = {
        "form": form,
        "chosen": form.sent() if refusal else (),
        "grant": grant,
        "just_now": timezone.now() - grant.created_at < timedelta(minutes=1),
        "same_address": grant.address == here,
        "elsewhere": network_of(grant.address) != network_of(here),
        "refusal": refusal,
        "tokens": ApiToken.objects.filter(user=user).taking_a_slot() if refusal else (),
    }
    return render(request, "cliauth/ask.html", context)


def no_such_code(request: HttpRequest, typed: str) -> HttpResponse:
    sentence = _("This code is wrong, already used or expired. Compare it with your command line, or start again.")
    return render(request, "cliauth/code.html", {"error": sentence, "typed": typed[:20]}, status=404)
