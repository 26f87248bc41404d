"""The page to change the email address, and the links in the mails about it.

A new address replaces the old one when its owner opens the link sent to it. The old one gets a link to stop that.
"""

from uuid import UUID

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.views import ConfirmEmailView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import mailbox
from accounts.forms import AddressForm
from accounts.links import LinkPurpose, find_address, make_key
from accounts.locks import lock_account, lock_undeleted_account
from accounts.models import User
from accounts.notices import tell
from accounts.recovery import waiting_addresses
from accounts.sign_in.confirmation import keep_signed_in, password_confirmed
from accounts.sign_in.factors.second_step import way_on
from core.http.requests import SignedInRequest
from security.events import log_event
from security.models import EventKind


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def email_address(request: SignedInRequest) -> HttpResponse:
    if not settings.MAIL:
        return render(request, "accounts/email_by_operator.html")
    change = change_address if request.user.has_usable_password() else password_confirmed(change_address)
    return change(request)


def change_address(request: SignedInRequest) -> HttpResponse:
    """The page of an account. Its form asks for the password; without one, who it is is confirmed before."""
    form = AddressForm(request.POST if "email" in request.POST else None, user=request.user)
    is_valid = form.is_valid()
    if form.is_bound:
        keep_signed_in(request, request.user)
    if is_valid:
        replace_with(request, form.cleaned_data["email"])
        return redirect("account_email")
    if request.method == "POST" and not form.is_bound:
        act(request)
        return redirect("account_email")
    return render(request, "accounts/email_address.html", {"form": form, **addresses(request.user)})


@transaction.atomic
def act(request: SignedInRequest) -> None:
    """Handle the buttons without fields: forget the new address, send the link again."""
    account = lock_account(request.user)
    new = waiting_addresses(account).first()  # none, if it was confirmed at the same moment
    if "forget" in request.POST and new:
        new.delete()
        log_event(EventKind.ADDRESS_STOPPED, request, user=request.user, email=new.email)
    elif "send_again" in request.POST:
        send_link(request, new.email if new else account.email)


@transaction.atomic
def replace_with(request: SignedInRequest, email: str) -> None:
    lock_account(request.user)
    waiting_addresses(request.user).exclude(email=email).delete()
    send_link(request, email)


def send_link(request: SignedInRequest, email: str) -> None:
    """Send the link, and tell the old address of a new one.

    The page is the same if another account has the address. The mail then says so, and holds no link to confirm.
    """
    address, _created = EmailAddress.objects.get_or_create(user=request.user, email=email)
    if mailbox.is_full(email):
        messages.info(
            request, _("We already sent several links to this address. Open the latest one, or try again later.")
        )
        return
    receiver = EmailAddress(email=email) if is_taken(address) else address
    send_verification_email_to_address(request, receiver, signup=receiver.user_id is None)
    if email != request.user.email:
        log_event(EventKind.ADDRESS_REQUESTED, request, user=request.user, email=email)
        stop = reverse("stop_address", args=[make_key(LinkPurpose.STOP, address)])
        tell(request.user, "address_requested", request, to_email=email, stop_url=f"{settings.BASE_URL}{stop}")


def is_taken(address: EmailAddress) -> bool:
    others = User.objects.filter(email=address.email).exclude(pk=address.user_id)
    return not address.can_set_verified() or others.exists()


def addresses(user: User) -> dict[str, object]:
    return {
        "is_confirmed": EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists(),
        "waiting": waiting_addresses(user).first(),
    }


@method_decorator(never_cache, name="dispatch")
class ConfirmView(ConfirmEmailView):
    """The page of the link to a new address. Looking at it changes nothing."""

    onward: str | None = None

    def get_object(self, queryset: object = None) -> EmailConfirmationHMAC:
        address = find_address(LinkPurpose.CONFIRM, self.kwargs["key"])
        if address is None:
            raise Http404
        return EmailConfirmationHMAC(address)

    @transaction.atomic
    def post(self, *args: object, **kwargs: object) -> HttpResponse:
        lock_account(self.get_object().email_address.user)
        self.onward = way_on(self.request)  # before a sign-up that has run out is forgotten
        return super().post(*args, **kwargs)

    def get_redirect_url(self) -> str:
        """Lead to the sign-in, and from there where one wanted to go with the sign-up of this browser."""
        if self.onward and not self.request.user.is_authenticated:
            return redirect_to_login(self.onward).url
        return super().get_redirect_url()

    def logout_other_user(self, confirmation: EmailConfirmationHMAC) -> None:
        if self.request.method == "POST":
            super().logout_other_user(confirmation)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_address(request: HttpRequest, key: str) -> HttpResponse:
    """The page of the link to the old address, whose readers can end the change."""
    address = find_address(LinkPurpose.STOP, key)
    stopped = None
    if request.method == "POST" and address is not None:
        stopped = address = _stop(request, address.user_id, key)
    context = {"address": address, "stopped": stopped}
    return render(request, "accounts/stop_address.html", context)


@transaction.atomic
def _stop(request: HttpRequest, user_id: UUID, key: str) -> EmailAddress | None:
    """Forget the new address, and return it. None if it was confirmed at the same moment."""
    lock_undeleted_account(user_id)
    address = find_address(LinkPurpose.STOP, key)
    if address is not None:
        address.delete()
        log_event(EventKind.ADDRESS_STOPPED, request, user=address.user, email=address.email)
    return address
