"""Cap the mails that strangers can cause for one mailbox. Mails that tell of a change are never held back."""

from django.http import HttpRequest

from security.limits import TooMany, count, require_room

RESET = ["mail-reset"]
CONFIRM = ["mail-confirm", "mail-confirm-day"]
# By template. An address without an account has the limit of a reset too, so that the answers take as long.
LIMITS = {
    "account/email/password_reset_key": RESET,
    "account/email/unknown_account": [*RESET, "mail-unknown-day"],
    "account/email/email_confirmation": CONFIRM,
    "account/email/email_confirmation_signup": CONFIRM,
    "account/email/account_already_exists": CONFIRM,
}


def takes(request: HttpRequest, template: str, email: str) -> bool:
    """Count a mail that is about to be sent. Return False if the mailbox has had several like it."""
    try:
        for limit in LIMITS.get(template, []):
            count(request, limit, email.lower())
    except TooMany:
        return False
    return True


def is_full(email: str) -> bool:
    """Return whether a mail to confirm this address would be held back. Counts nothing."""
    try:
        for limit in CONFIRM:
            require_room(limit, email.lower())
    except TooMany:
        return True
    return False
