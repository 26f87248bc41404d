"""Single sign-on: the forms that lead to the OpenID provider, and the address to which it sends people back."""

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.account.utils import get_login_redirect_url, get_next_redirect_url
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods

from accounts.adapter import BY_PROVIDER
from accounts.models import User
from accounts.sign_in.confirmation import confirm, password_confirmed
from accounts.sign_in.factors.held import HAS_FACTOR
from accounts.sign_in.provider import journey, single_sign_on
from accounts.sign_in.provider.groups import apply_groups
from accounts.sign_in.provider.journey import Journey, Person, ProviderPurpose, ProviderRefused
from accounts.sign_in.provider.links import link_of, uid_of
from accounts.sign_in.provider.metadata import is_used, origin_of, origins
from accounts.views.ways_removed import removed
from core.http.addresses import network_of
from core.http.requests import SignedInRequest, form_of_account
from security.events import log_event
from security.limits import count
from security.models import EventKind


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin_sign_in(request: HttpRequest) -> HttpResponse:
    if request.method != "POST" or request.user.is_authenticated or not is_used():
        return redirect("account_login")
    return lead_there(request, ProviderPurpose.SIGN_IN, get_next_redirect_url(request) or "")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@password_confirmed
def link(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST" or not is_used():
        return redirect("security")
    return lead_there(request, ProviderPurpose.LINK, reverse("security"))


@form_of_account
@password_confirmed
def unlink(request: SignedInRequest) -> HttpResponse:
    return removed(request, single_sign_on.unlink, _("Your account is no longer linked."))


@never_cache
@form_of_account
def begin_confirmation(request: SignedInRequest) -> HttpResponse:
    if link_of(request.user) is None:
        return redirect("security")
    return lead_there(request, ProviderPurpose.CONFIRM, get_next_redirect_url(request) or "")


def lead_there(request: HttpRequest, purpose: ProviderPurpose, onward: str) -> HttpResponse:
    """Send the browser to the provider; where the page before could not name its origin, by a page with a link."""
    try:
        address = journey.begin(request, purpose, onward)
    except ProviderRefused as refusal:
        return refused(request, refusal, status=503, onward=onward)
    if origin_of(address) in origins():
        return redirect(address)
    return render(request, "account/provider_onward.html", {"address": address})


@never_cache
@require_GET
@sensitive_variables("person")
def callback(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        count(request, "entrance", network_of(request.META["REMOTE_ADDR"]))
    begun = journey.take(request) if is_used() else None
    if begun is None:
        words = _("This sign-in was started in another browser, or has expired. Start again.")
        return refused(request, ProviderRefused(words, "state"), status=400, onward=journey.way_on(request))
    try:
        person = journey.finish(request, begun)
        match begun.purpose:
            case ProviderPurpose.LINK:
                return finish_link(request, person)  # type: ignore[arg-type]  # the journey was begun by this user
            case ProviderPurpose.CONFIRM:
                return finish_confirmation(request, begun, person)  # type: ignore[arg-type]
        return sign_in(request, begun, person)
    except ProviderRefused as refusal:
        return refused(request, refusal, status=403, onward=begun.onward)


def sign_in(request: HttpRequest, begun: Journey, person: Person) -> HttpResponse:
    user = single_sign_on.account_of(request, person)
    apply_groups(request, user, person)
    setattr(request, BY_PROVIDER, True)
    response = perform_login(request, Login(user=user, redirect_url=begun.onward or None))
    if person.has_second_factor and request.user == user:
        request.session[HAS_FACTOR] = True
    return response


def finish_link(request: SignedInRequest, person: Person) -> HttpResponse:
    user: User = request.user  # type: ignore[assignment]
    single_sign_on.link(request, user, person)
    messages.success(request, _("Your account is linked."))
    return redirect("security")


def finish_confirmation(request: SignedInRequest, begun: Journey, person: Person) -> HttpResponse:
    known = link_of(request.user)
    if known is None or known.uid != uid_of(person.subject):
        raise ProviderRefused(_("You signed in there with another account. Nothing was confirmed."), "another subject")
    confirm(request)
    messages.success(request, _("Your identity is confirmed. Now repeat the last step."))
    return redirect(begun.onward or get_login_redirect_url(request))


def refused(request: HttpRequest, refusal: ProviderRefused, *, status: int, onward: str = "") -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    if status != 400:  # what nobody began is not logged: anybody can open the address, as often as they like
        log_event(EventKind.SIGN_IN_FAILED, request, user=user, via="provider", why=refusal.why)
    context = {"refusal": str(refusal), "onward": onward}
    page = render(request, "account/provider_refused.html", context, status=status)
    page["Cache-Control"] = "no-store"
    return page
