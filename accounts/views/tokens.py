from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import NewTokenForm
from accounts.models import ApiToken, Plan
from accounts.notices import tell_of_token
from accounts.sign_in.confirmation import password_confirmed
from accounts.tokens import (
    TokenExists,
    TokenLimitReached,
    count_new_token,
    create_token,
    limit_message,
    revoke_token,
)
from core.http.requests import SignedInRequest
from security.events import log_event
from security.models import EventKind


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@password_confirmed
def tokens(request: SignedInRequest) -> HttpResponse:
    """List and create tokens. Only the answer to the POST that creates a token holds its value; it is not stored.

    Reloading that answer sends the form again, which creates nothing: the answer to that says so.
    """
    form = NewTokenForm(request.POST or None)
    value, sent_before = None, False
    if request.method == "POST" and form.is_valid():
        count_new_token(request)
        try:
            with transaction.atomic():
                token, value = create_token(
                    request.user,
                    form.cleaned_data["name"],
                    expires_at=form.expires_at,
                    token_id=form.cleaned_data["form_id"],
                )
                tell_of_token(token, request)
            form = NewTokenForm()
        except TokenExists:
            form, sent_before = NewTokenForm(), True
        except TokenLimitReached as refusal:
            form.add_error(None, str(refusal))
    return render(
        request,
        "accounts/tokens.html",
        {"form": form, "value": value, "sent_before": sent_before, **use_of_plan(request)},
    )


@login_required
@require_POST
def revoke(request: SignedInRequest, token_id: UUID) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=token_id, user=request.user)
    if revoke_token(token):
        log_event(EventKind.TOKEN_REVOKED, request, user=request.user, name=token.name)
    messages.success(request, _("“%(name)s” was revoked.") % {"name": token.name})
    return redirect("tokens")


def use_of_plan(request: SignedInRequest) -> dict[str, object]:
    """Return the context: tokens to list, number in use, the plan's limit, and a sentence if it is reached."""
    mine = ApiToken.objects.filter(user=request.user).held()
    used = mine.taking_a_slot().count()
    cap = Plan.objects.get(user=request.user).max_tokens
    refusal = limit_message(cap) if cap is not None and used >= cap else ""
    return {"tokens": mine, "used": used, "cap": cap, "refusal": refusal}
