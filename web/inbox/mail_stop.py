"""The page of the link that stops mails about notifications. Looking at it changes nothing; nobody has to sign in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from notifications.kinds import Kind, Mail
from notifications.mail.stops import account_in
from notifications.ways import habits_of, keep_mails_of, switch_mails, ways_of
from web.inbox.grid import OFFERED


@csrf_exempt  # mail programs send it by themselves (RFC 8058); the signed key is the proof
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notification_mails(request: HttpRequest, key: str) -> HttpResponse:
    """POST: `do` nothing in particular stops all mails, "resume" takes that back, "keep" goes on with each `kind` alone."""
    user = account_in(key)
    if user is None:
        return render(request, "web/notification_mails.html", {"account": None}, status=404)
    if request.method == "POST":
        _do(user, request)
    wanted = [kind for kind, way in ways_of(user).items() if kind in OFFERED and way.mail != Mail.OFF]
    context = {"account": user, "is_on": habits_of(user).mails, "kinds": wanted}
    return render(request, "web/notification_mails.html", context)


def _do(user: User, request: HttpRequest) -> None:
    match request.POST.get("do"):
        case "resume":
            switch_mails(user, on=True)
        case "keep":
            kinds = [Kind(kind) for kind in request.POST.getlist("kind") if kind in Kind.values]
            if kinds:
                keep_mails_of(user, kinds)
                switch_mails(user, on=True)
        case _:
            switch_mails(user, on=False)
