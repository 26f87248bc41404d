"""Codes of authenticator apps (RFC 6238) and recovery codes. Each is accepted once."""

import logging
import time
import unicodedata
from secrets import compare_digest
from typing import TYPE_CHECKING

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.db import transaction
from django.utils import timezone

from accounts.sign_in.factors.adapter import STORED
from accounts.sign_in.factors.held import Type
from security.cipher import Unreadable

if TYPE_CHECKING:
    from django.contrib.auth.models import _User

PERIOD = 30  # seconds for which an app shows a code
DRIFT = 1  # periods by which the clock of a phone may be wrong, either way
DIGITS = 6
LAST_STEP = "last_step"  # in the data of an app: the period of the newest code that was accepted
SECRETS = {Type.TOTP: "secret", Type.RECOVERY_CODES: "seed"}  # where the data has what is encrypted
log = logging.getLogger(__name__)


def plain(code: str) -> str:
    """Return the digits of what somebody typed: with spaces and dashes, or in the wide digits of a Japanese keyboard."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", code) if sign.isalnum())


def matching_step(secret: str, code: str, after: int = 0) -> int | None:
    """Return the period whose code this is, if it is near enough and later than `after`."""
    now = int(time.time()) // PERIOD
    steps = [step for step in range(now - DRIFT, now + DRIFT + 1) if step > after]
    given = plain(code).encode()
    return next((step for step in steps if compare_digest(_code_at(secret, step), given)), None)


def use_code(user: "_User", code: str, *, recovery: bool = True) -> Authenticator | None:
    """Use up a code of the user's app or, if `recovery`, a recovery code. Return whose code it was, or None."""
    wanted = Type.TOTP if len(plain(code)) == DIGITS else Type.RECOVERY_CODES
    if wanted == Type.RECOVERY_CODES and not recovery:
        return None
    with transaction.atomic():
        found = Authenticator.objects.select_for_update().filter(user_id=user.pk, type=wanted).first()
        try:
            is_right = found is not None and (_uses_app if wanted == Type.TOTP else _uses_recovery)(found, code)
        except Unreadable:
            log.exception("The factors of account %s cannot be decrypted: is a former secret key missing?", user.pk)
            return None
        if found is None or not is_right:
            return None
        found.last_used_at = timezone.now()
        reencrypt(found)
        found.save(update_fields=["data", "last_used_at"])
    return found


def codes_left(authenticator: Authenticator) -> int:
    """Return how many recovery codes are not used. Nothing is decrypted."""
    return app_settings.RECOVERY_CODE_COUNT - int(authenticator.data["used_mask"]).bit_count()


def shown_codes(authenticator: Authenticator) -> list[str]:
    """Return the recovery codes as people read them, in two groups."""
    codes = RecoveryCodes(authenticator).generate_codes()
    return [f"{code[:5]} {code[5:]}" for code in codes]


def reencrypt(authenticator: Authenticator) -> bool:
    """Encrypt the secret with the newest key, if another one did. Return whether. Saves nothing."""
    name = SECRETS.get(Type(authenticator.type))
    if name is None or STORED.is_current(authenticator.data[name]):
        return False
    authenticator.data[name] = STORED.encrypt(STORED.decrypt(authenticator.data[name]))
    return True


def _uses_app(found: Authenticator, code: str) -> bool:
    step = matching_step(STORED.decrypt(found.data["secret"]), code, after=found.data.get(LAST_STEP, 0))
    if step is not None:
        found.data[LAST_STEP] = step
    return step is not None


def _uses_recovery(found: Authenticator, code: str) -> bool:
    given = plain(code).encode()
    for number, one in enumerate(RecoveryCodes(found).generate_codes()):
        is_used = int(found.data["used_mask"]) >> number & 1
        if not is_used and compare_digest(one.encode(), given):
            found.data["used_mask"] = int(found.data["used_mask"]) | 1 << number
            return True
    return False


def _code_at(secret: str, step: int) -> bytes:
    return totp.format_hotp_value(totp.hotp_value(secret, step)).encode()
