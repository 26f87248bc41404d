"""The page to change the email address. A new address replaces the old one when its owner opens the link sent to it."""

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from allauth.decorators import rate_limit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.forms import AddressForm
from accounts.models import User
from core.http import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="manage_email")  # type: ignore[no-untyped-call]
def email_address(request: SignedInRequest) -> HttpResponse:
    if not settings.MAIL:
        return render(request, "accounts/email_by_operator.html")
    form = AddressForm(request.POST if "email" in request.POST else None, user=request.user)
    if form.is_valid():
        replace_with(request, form.cleaned_data["email"])
        return redirect("account_email")
    if request.method == "POST" and not form.is_bound:
        act(request)
        return redirect("account_email")
    return render(request, "accounts/email_address.html", {"form": form, **addresses(request.user)})


def act(request: SignedInRequest) -> None:
    """Handle the buttons without fields: forget the new address, send the link again."""
    new = waiting(request.user).first()
    if "forget" in request.POST:
        waiting(request.user).delete()
    elif "send_again" in request.POST:
        send_link(request, new.email if new else request.user.email)


def replace_with(request: SignedInRequest, email: str) -> None:
    waiting(request.user).exclude(email=email).delete()
    send_link(request, email)


def send_link(request: SignedInRequest, email: str) -> None:
    address, _created = EmailAddress.objects.get_or_create(user=request.user, email=email)
    if not send_verification_email_to_address(request, address):
        messages.info(request, _("We sent you a link a moment ago. Wait a few minutes before you request another."))


def addresses(user: User) -> dict[str, object]:
    return {
        "is_confirmed": EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists(),
        "waiting": waiting(user).first(),
    }


def waiting(user: User) -> QuerySet[EmailAddress]:
    """Return the new addresses that are not confirmed yet."""
    return EmailAddress.objects.filter(user=user, verified=False).exclude(email=user.email)
