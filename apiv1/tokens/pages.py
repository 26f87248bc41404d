"""The page of one's tokens in the settings: create, narrow, revoke."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import ApiToken, Plan
from accounts.notices import tell_of_token
from accounts.sign_in.confirmation import password_confirmed
from accounts.tokens import (
    TokenExists,
    TokenLimitReached,
    Wider,
    count_new_token,
    create_token,
    limit_message,
    narrow_token,
    revoke_token,
)
from apiv1.tokens.boards import boards_of
from apiv1.tokens.forms import NarrowForm, NewTokenForm, Rights
from boards.models import Board
from core.http.requests import SignedInRequest, form_of_account
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
    boards = boards_of(request.user)
    form = NewTokenForm(request.POST or None, boards=boards)
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
                    bounds=form.bounds,
                )
                tell_of_token(token, request)
            form = NewTokenForm(boards=boards)
        except TokenExists:
            form, sent_before = NewTokenForm(boards=boards), True
        except TokenLimitReached as refusal:
            form.add_error(None, str(refusal))
    return render(
        request,
        "apiv1/tokens/tokens.html",
        {"form": form, "value": value, "sent_before": sent_before, **use_of_plan(request, boards)},
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def narrow(request: SignedInRequest, token_id: UUID) -> HttpResponse:
    """Let one of one's tokens do less. As nothing can be gained by it, no password is asked for."""
    token = get_object_or_404(ApiToken.objects.held(), pk=token_id, user=request.user)
    form = NarrowForm(request.POST or None, token=token, boards=boards_of(request.user))
    if request.method == "POST" and form.is_valid():
        try:
            if narrow_token(token, **form.changes):
                log_event(EventKind.TOKEN_NARROWED, request, user=request.user, name=token.name)
                messages.success(request, _("“%(name)s” was restricted.") % {"name": token.name})
            return redirect("tokens")
        except Wider as refusal:  # another tab was quicker
            form.add_error(None, str(refusal))
    return render(request, "apiv1/tokens/narrow.html", {"form": form, "token": token})


@form_of_account
def revoke(request: SignedInRequest, token_id: UUID) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=token_id, user=request.user)
    if revoke_token(token):
        log_event(EventKind.TOKEN_REVOKED, request, user=request.user, name=token.name)
    messages.success(request, _("“%(name)s” was revoked.") % {"name": token.name})
    return redirect("tokens")


def use_of_plan(request: SignedInRequest, boards: Iterable[Board]) -> dict[str, object]:
    """Return the context: tokens to list, number in use, the plan's limit, and a sentence if it is reached."""
    mine = ApiToken.objects.filter(user=request.user).held()
    used = mine.taking_a_slot().count()
    cap = Plan.objects.get(user=request.user).max_tokens
    refusal = limit_message(cap) if cap is not None and used >= cap else ""
    return {"tokens": [shown(token, boards) for token in mine], "used": used, "cap": cap, "refusal": refusal}


def shown(token: Any, boards: Iterable[Board]) -> ApiToken:
    """Return the token with what it may do in words: `rights`, and the `titles` of its chosen boards; None for all."""
    token.rights = Rights.of(token).label
    token.titles = None if token.boards is None else [board.title for board in boards if board.pk in token.boards]
    return token
