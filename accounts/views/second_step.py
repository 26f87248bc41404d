"""The pages of signing in that come beside the password: a passkey in its place, a code or a passkey after it."""

import json

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.account.utils import get_login_redirect_url, get_next_redirect_url
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import SecondStepForm
from accounts.models import User
from accounts.notices import tell
from accounts.sign_in.confirmation import INCORRECT_CODE, PASSKEY_REFUSED
from accounts.sign_in.factors import passkeys, signed_challenge
from accounts.sign_in.factors.codes import codes_left, use_code
from accounts.sign_in.factors.held import Type, factors_of
from accounts.sign_in.factors.passkeys import PasskeyPurpose
from accounts.sign_in.factors.second_step import BY_PASSKEY, SecondStep, begin_attempt, pending, way_on
from accounts.sign_in.factors.trusted_browsers import remember
from security.events import log_event
from security.models import EventKind


@never_cache
@require_POST
def passkey_options(request: HttpRequest) -> HttpResponse:
    """Answer with what the browser needs to offer its passkeys. It is the same for everybody."""
    if not passkeys.can_be_used(request):
        return JsonResponse({}, status=404)
    options, state = passkeys.options_to_sign_in(request)
    response = JsonResponse(options)
    signed_challenge.give(response, state)
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("credential")
def sign_in_by_passkey(request: HttpRequest) -> HttpResponse:
    if request.method != "POST" or request.user.is_authenticated:
        return redirect("account_login")
    answer, user = request.POST.get("credential", ""), None
    try:
        user = User.objects.filter(pk=passkeys.user_named_in(answer)).first()
        passkeys.use_passkey(request, PasskeyPurpose.SIGN_IN, user, answer)
    except passkeys.PasskeyRefused:
        log_event(EventKind.SIGN_IN_FAILED, request, user=user, via="passkey")
        messages.error(request, _("That passkey was not accepted. Try again, or sign in with your password."))
        response = begin_again(get_next_redirect_url(request))
    else:
        login = Login(user=user, redirect_url=get_next_redirect_url(request), state={BY_PASSKEY: True})
        response = perform_login(request, login)
    signed_challenge.forget(response)
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("code", "credential")
def second_step(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(get_login_redirect_url(request))
    onward = way_on(request)  # before `pending` forgets a step that has run out
    step = pending(request)
    if step is None:
        return begin_again(onward)
    if request.method == "POST" and "cancel" in request.POST:
        step.abort()
        return begin_again(onward)
    user: User = step.login.user  # type: ignore[assignment]
    form = SecondStepForm(request.POST if "code" in request.POST else None)
    refusal = ""
    if request.method == "POST":
        attempt = None
        if "credential" in request.POST:
            attempt = begin_attempt(request, user)
            if is_right_passkey(request, user):
                attempt.succeed()
                return finish(request, step, user)
            refusal = str(PASSKEY_REFUSED)
        elif form.is_valid():
            attempt = begin_attempt(request, user)
            if is_right_code(request, user, form.cleaned_data["code"]):
                attempt.succeed()
                return finish(request, step, user)
            form.add_error("code", INCORRECT_CODE)
    return ask(request, user, form, refusal)


def begin_again(onward: str | None) -> HttpResponse:
    """Lead to the page for signing in, and from there where one wanted to go."""
    return redirect_to_login(onward) if onward else redirect("account_login")


def ask(request: HttpRequest, user: User, form: SecondStepForm, refusal: str) -> HttpResponse:
    held = factors_of(user)
    options = None
    if held.passkeys and passkeys.can_be_used(request):
        options = passkeys.options_for(request, PasskeyPurpose.SECOND_STEP, user, held.passkeys)
    context = {
        "form": form,
        "has_app": held.app is not None,
        "has_codes": held.codes is not None,
        "passkey_options": json.dumps(options) if options else "",
        "refusal": refusal,
    }
    return render(request, "account/second_step.html", context, status=422 if refusal or form.errors else 200)


def is_right_code(request: HttpRequest, user: User, code: str) -> bool:
    used = use_code(user, code)
    if used is None:
        log_event(EventKind.SECOND_STEP_FAILED, request, user=user, via="code")
        return False
    if used.type == Type.RECOVERY_CODES:
        left = codes_left(used)
        log_event(EventKind.CODE_USED, request, user=user, left=left)
        tell(user, "recovery_code_used", request, left=left)
        messages.info(
            request, _("You used a recovery code. It does not work again. You have %(left)s left.") % {"left": left}
        )
    return True


def is_right_passkey(request: HttpRequest, user: User) -> bool:
    try:
        passkeys.use_passkey(request, PasskeyPurpose.SECOND_STEP, user, request.POST["credential"])
    except passkeys.PasskeyRefused:
        log_event(EventKind.SECOND_STEP_FAILED, request, user=user, via="passkey")
        return False
    return True


def finish(request: HttpRequest, step: SecondStep, user: User) -> HttpResponse:
    response = step.exit()
    if request.user.is_authenticated and "remember" in request.POST:
        remember(request, response, user)
    return response
