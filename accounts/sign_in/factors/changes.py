"""Add and remove an account's factors. Each change is logged, mailed, and ends remembered browsers; the first factor,
and the removal of one, also end other sessions.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.links import make_factor_key
from accounts.locks import lock_account
from accounts.models import User
from accounts.notices import tell
from accounts.recovery import end_leftovers, end_sessions
from accounts.sign_in.factors.adapter import STORED
from accounts.sign_in.factors.codes import LAST_STEP, shown_codes
from accounts.sign_in.factors.held import HAS_FACTOR, RECENT, Factors, Type, factors_of, must_have_factor
from accounts.sign_in.factors.recent import LOGGED_AS
from accounts.sign_in.factors.trusted_browsers import forget_all
from accounts.sign_in.provider.links import link_of
from core.http.requests import SignedInRequest
from security.events import log_event
from security.models import EventKind

MOST_PASSKEYS = 20


class FactorRefused(Exception):
    """The change is not possible. str() is a sentence for people."""


def add_app(request: SignedInRequest, secret: str, step: int) -> list[str]:
    """Add the authenticator app that showed the code of this period. Return new recovery codes, or none."""
    with transaction.atomic():
        held = _locked_factors(request.user)
        if held.app is not None:
            raise FactorRefused(_("An authenticator app is already set up. Remove it first to set up another."))
        data = {"secret": STORED.encrypt(secret), LAST_STEP: step}
        app = Authenticator.objects.create(user=request.user, type=Type.TOTP, data=data)
        return _added(request, held, app, "app")


def add_passkey(request: SignedInRequest, name: str, credential: dict[str, Any]) -> list[str]:
    """Add a passkey. Return new recovery codes, or none."""
    with transaction.atomic():
        held = _locked_factors(request.user)
        if len(held.passkeys) >= MOST_PASSKEYS:
            raise FactorRefused(
                _("You have reached the limit of %(most)s passkeys. Remove one first.") % {"most": MOST_PASSKEYS}
            )
        data = {"name": name, "credential": credential}
        passkey = Authenticator.objects.create(user=request.user, type=Type.WEBAUTHN, data=data)
        return _added(request, held, passkey, "passkey", name=name)


def rename_passkey(user: User, pk: int, name: str) -> bool:
    with transaction.atomic():
        found = Authenticator.objects.select_for_update().filter(user=user, type=Type.WEBAUTHN, pk=pk).first()
        if found is None:
            return False
        found.data["name"] = name
        found.save(update_fields=["data"])
    return True


def remove_app(request: SignedInRequest) -> bool:
    with transaction.atomic():
        held = _locked_factors(request.user)
        if held.app is None:
            return False
        _remove(request, held, held.app, "app")
    return True


def remove_passkey(request: SignedInRequest, pk: int) -> str | None:
    """Return the name of the passkey, None if there is none. Raise FactorRefused for the last way in."""
    with transaction.atomic():
        held = _locked_factors(request.user)
        found = next((one for one in held.passkeys if one.pk == pk), None)
        if found is None:
            return None
        has_other_way = request.user.has_usable_password() or link_of(request.user) is not None
        if len(held.passkeys) == 1 and not has_other_way:
            raise FactorRefused(_("This passkey is the only way to sign in to your account. Set a password first."))
        name = found.data["name"]
        _remove(request, held, found, "passkey", name=name)
    return name


def make_codes(request: SignedInRequest) -> list[str]:
    """Replace the recovery codes. Return the new ones. Raise FactorRefused where there is no second step."""
    with transaction.atomic():
        held = _locked_factors(request.user)
        if not held.have_second_step:
            raise FactorRefused(_("Set up an authenticator app or a passkey first."))
        if held.codes is not None:
            held.codes.delete()
        forget_all(request.user)
        log_event(EventKind.CODES_MADE, request, user=request.user)
        tell(request.user, "recovery_codes_made", request)
        return _new_codes(request.user)


def remove_all(user: User, *, by: Any = None, request: HttpRequest | None = None) -> bool:
    """Remove all factors of an account that lost them, as the operator. Return whether there were any.

    Only the password is left, so all sessions end.
    """
    with transaction.atomic():
        lock_account(user)
        removed, _by_model = Authenticator.objects.filter(user=user).delete()
        if not removed:
            return False
        end_sessions(user)
        log_event(EventKind.FACTOR_REMOVED, request, user=user, by=by, factor="all")
        tell(user, "factors_removed", None)
    return True


def disown(factor: Authenticator, request: HttpRequest) -> bool:
    """Remove a factor that the owner of its account did not add, for a reader of the mail about it.

    End what its intruder may have besides: sessions, API tokens, a waiting address, and the recovery codes made since,
    which they have seen. Return False if the factor is gone already.
    """
    with transaction.atomic():
        # Not `lock_account`: the link outlives a password that the intruder changes meanwhile.
        user = User.objects.select_for_update(no_key=True).get(pk=factor.user_id)
        held = factors_of(user)
        if factor not in held.passkeys and factor != held.app:
            return False
        factor.delete()
        if held.codes and (is_last(held) or held.codes.created_at >= factor.created_at):
            held.codes.delete()
        revoked = end_leftovers(user)
        end_sessions(user)
        kind, name = LOGGED_AS[Type(factor.type)], factor.data.get("name")
        log_event(EventKind.FACTOR_REMOVED, request, user=user, factor=kind, name=name, tokens_revoked=revoked)
        tell(user, f"{kind}_removed", request, name=name)
    return True


def _locked_factors(user: User) -> Factors:
    lock_account(user)
    return factors_of(user)


def _added(request: SignedInRequest, held: Factors, factor: Authenticator, kind: str, **named: Any) -> list[str]:
    """Do what follows a new factor. `held` is what the account had before."""
    codes = _new_codes(request.user) if held.codes is None else []
    forget_all(request.user)
    if not held.have_second_step:
        end_other_sessions(request)
    log_event(EventKind.FACTOR_ADDED, request, user=request.user, factor=kind, **named)
    if codes:
        log_event(EventKind.CODES_MADE, request, user=request.user)
    link = reverse("remove_factor", args=[make_factor_key(factor)])
    tell(request.user, f"{kind}_added", request, remove_url=f"{settings.BASE_URL}{link}", days=RECENT.days, **named)
    return codes


def _remove(request: SignedInRequest, held: Factors, factor: Authenticator, kind: str, **named: Any) -> None:
    if is_last(held) and must_have_factor(request.user):
        raise FactorRefused(
            _("This service requires two-step sign-in. Set up another way first, then remove this one.")
        )
    factor.delete()
    if is_last(held) and held.codes is not None:
        held.codes.delete()
    end_other_sessions(request)
    request.session.pop(HAS_FACTOR, None)
    log_event(EventKind.FACTOR_REMOVED, request, user=request.user, factor=kind, **named)
    tell(request.user, f"{kind}_removed", request, **named)


def is_last(held: Factors) -> bool:
    return len(held.passkeys) + (held.app is not None) == 1


def end_other_sessions(request: SignedInRequest) -> None:
    end_sessions(request.user, but=request.session.session_key)
    update_session_auth_hash(request, request.user)


def _new_codes(user: User) -> list[str]:
    return shown_codes(RecoveryCodes.activate(user).instance)
