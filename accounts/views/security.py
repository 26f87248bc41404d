"""The page /settings/security: the user's password, factors and remembered browsers."""

import json
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from uuid import UUID

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods
from qrcode.image.svg import SvgPathImage
from qrcode.main import make as make_qr_code

from accounts.forms import AppForm, PasskeyNameForm
from accounts.models import TrustedBrowser
from accounts.sign_in.confirmation import PASSKEY_REFUSED, password_confirmed
from accounts.sign_in.factors import changes, passkeys
from accounts.sign_in.factors.changes import FactorRefused
from accounts.sign_in.factors.codes import codes_left, matching_step
from accounts.sign_in.factors.demand import way_on
from accounts.sign_in.factors.held import factors_of, owes_factor
from accounts.sign_in.factors.trusted_browsers import find, forget_all
from accounts.sign_in.provider.links import link_of
from accounts.sign_in.provider.metadata import is_used, may_lead_there
from accounts.sign_in.sessions.browser_sessions import sessions_of
from accounts.views.ways_removed import removed
from core.http.requests import SignedInRequest, form_of_account
from security.browsers import name_of_browser
from security.cipher import Cipher, Unreadable
from security.events import log_event
from security.models import BrowserSession, EventKind

# The secret of an app that is being set up is in the form, encrypted. In the session another holder of the same cookie
# could put their own in its place.
SET_UP = Cipher("app that is being set up")
SET_UP_LASTS = timedelta(hours=1)


@login_required
@require_GET
def security(request: SignedInRequest) -> HttpResponse:
    held = factors_of(request.user)
    here = find(request, request.user)
    context = {
        "factors": held,
        "codes_left": codes_left(held.codes) if held.codes else 0,
        "passkeys": [described(one) for one in held.passkeys],
        "passkeys_work": passkeys.can_be_used(request),
        "passkeys_at": passkeys.address_with_passkeys(request),
        "browsers": TrustedBrowser.objects.filter(user=request.user),
        "this_session": request.session.session_key,
        "this_browser": here.pk if here else None,
        "sessions": listed(request),
        "owes_factor": owes_factor(request.user, request.session),
        "provider": settings.OIDC_NAME if is_used() else "",
        "link": link_of(request.user),
    }
    return may_lead_there(render(request, "accounts/security.html", context))


def listed(request: SignedInRequest) -> list[BrowserSession]:
    """Return the sessions of the account, that of this browser first."""
    here = request.session.session_key
    return sorted(sessions_of(request.user), key=lambda one: one.session_id != here)


def described(passkey: Authenticator) -> dict[str, object]:
    return {
        "pk": passkey.pk,
        "name": passkey.data["name"],
        "created_at": passkey.created_at,
        "last_used_at": passkey.last_used_at,
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("code", "key")
@password_confirmed
def set_up_app(request: SignedInRequest) -> HttpResponse:
    """Show the secret for an authenticator app, and take the first code that the app shows."""
    if request.method != "POST":
        return redirect("security")
    secret = secret_in(request) or generate_totp_secret()
    form = AppForm(request.POST if "code" in request.POST else None)
    if "code" in request.POST and secret_in(request) is None:
        form = AppForm()
        messages.info(request, _("This page was open for too long. Scan the new code."))
    elif form.is_valid():
        step = matching_step(secret, form.cleaned_data["code"])
        if step is None:
            form.add_error(
                "code", _("Incorrect code. Enter the one that the app shows now, and check your phone's clock.")
            )
        else:
            return added(request, lambda: changes.add_app(request, secret, step), _("Authenticator app added."))
    context = {
        "form": form,
        "key": SET_UP.encrypt(json.dumps([str(request.user.pk), secret])),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "picture": picture_of(get_adapter().build_totp_url(request.user, secret)),
        "ended": ended_by_a_factor(request),
    }
    return render(request, "accounts/set_up_app.html", context, status=422 if form.errors else 200)


def ended_by_a_factor(request: SignedInRequest) -> int:
    """Return how many other sessions a new factor ends: it is the first one that ends them."""
    return 0 if factors_of(request.user).have_second_step else len(sessions_of(request.user)) - 1


def secret_in(request: SignedInRequest) -> str | None:
    """Return the secret that the form was shown with, if it was to this user and not too long ago."""
    try:
        owner, secret = json.loads(SET_UP.decrypt(request.POST.get("key", ""), max_age=SET_UP_LASTS))
    except Unreadable:
        return None
    return secret if owner == str(request.user.pk) else None


def picture_of(text: str) -> str:
    """Return a QR code as the address of an image, which holds all of it."""
    file = BytesIO()
    make_qr_code(text, image_factory=SvgPathImage).save(file)
    return f"data:image/svg+xml;base64,{b64encode(file.getvalue()).decode()}"


@form_of_account
@password_confirmed
def remove_app(request: SignedInRequest) -> HttpResponse:
    return removed(request, changes.remove_app, _("Authenticator app removed."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@password_confirmed
def recovery_codes(request: SignedInRequest) -> HttpResponse:
    """Make new recovery codes. Only this answer shows them."""
    if request.method != "POST":
        return redirect("security")
    return added(request, lambda: changes.make_codes(request), "")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("credential")
@password_confirmed
def new_passkey(request: SignedInRequest) -> HttpResponse:
    """Show the page that lets the browser make a passkey; take what it made."""
    if request.method != "POST":
        return redirect("security")
    form = PasskeyNameForm(
        request.POST if "credential" in request.POST else None,
        initial={"name": name_of_browser(request.headers.get("User-Agent", ""))},
    )
    refusal = ""
    if form.is_valid():
        try:
            credential = passkeys.read_new(request, request.user, request.POST["credential"])
            name = form.cleaned_data["name"]
            return added(request, lambda: changes.add_passkey(request, name, credential), _("Passkey added."))
        except passkeys.PasskeyRefused:
            refusal = str(PASSKEY_REFUSED)
    works = passkeys.can_be_used(request)
    held = factors_of(request.user).passkeys
    options = passkeys.options_to_add(request, request.user, held) if works else None
    context = {
        "form": form,
        "options": json.dumps(options) if options else "",
        "refusal": refusal,
        "passkeys_at": passkeys.address_with_passkeys(request),
        "ended": ended_by_a_factor(request),
    }
    return render(request, "accounts/new_passkey.html", context, status=422 if refusal or form.errors else 200)


def added(request: SignedInRequest, add: Callable[[], list[str]], said: str) -> HttpResponse:
    """Add a factor. Show the recovery codes that came with it, once, or go back to the list.

    Who had to add it goes on from there to the page that they wanted.
    """
    try:
        codes = add()
    except FactorRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("security")
    if said:
        messages.success(request, said)
    onward = way_on(request.session) or reverse("security")
    shown = {"codes": codes, "onward": onward}
    return render(request, "accounts/recovery_codes.html", shown) if codes else redirect(onward)


@form_of_account
def rename_passkey(request: SignedInRequest, passkey: int) -> HttpResponse:
    form = PasskeyNameForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["name"][0]))
    elif not changes.rename_passkey(request.user, passkey, form.cleaned_data["name"]):
        raise Http404
    return redirect("security")


@form_of_account
@password_confirmed
def remove_passkey(request: SignedInRequest, passkey: int) -> HttpResponse:
    try:
        name = changes.remove_passkey(request, passkey)
    except FactorRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("security")
    if name is None:
        raise Http404
    messages.success(request, _("“%(name)s” was removed.") % {"name": name})
    return redirect("security")


@form_of_account
def forget_browser(request: SignedInRequest, browser: UUID) -> HttpResponse:
    found = TrustedBrowser.objects.filter(user=request.user, pk=browser).first()
    if found is None:
        raise Http404
    found.delete()
    log_event(EventKind.TRUST_WITHDRAWN, request, user=request.user, browser=found.name)
    messages.success(request, _("“%(name)s” is no longer remembered.") % {"name": found.name})
    return redirect("security")


@form_of_account
def forget_browsers(request: SignedInRequest) -> HttpResponse:
    if forget_all(request.user):
        log_event(EventKind.TRUST_WITHDRAWN, request, user=request.user, browser="all")
    messages.success(request, _("All remembered browsers were forgotten."))
    return redirect("security")
