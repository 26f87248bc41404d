"""The page of the link that stops mails about invitations. Looking at it changes nothing."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notifications.mail.invitation_stops import address_in, stop


@csrf_exempt  # mail programs send it by themselves (RFC 8058); the signed key is the proof
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_stop(request: HttpRequest, key: str) -> HttpResponse:
    email = address_in(key)
    if request.method == "POST" and email:
        stop(email)
    context = {"email": email, "stopped": request.method == "POST"}
    return render(request, "web/invitation_stop.html", context, status=200 if email else 404)
