"""Names of people. A deleted account is a former member, in the language of the reader."""

from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

# What is written where a name is kept, as in the history: the same in every language, translated when it is shown.
FORMER_MEMBER = gettext_noop("Former member")
FORMER = (
    "former:"  # what the row of a deleted account has in place of an address; no address begins so, as none lacks an @
)


def display_name(name: str, email: str) -> str:
    """Return the name that others see: the account's own, or the part of its address before the @. Never empty."""
    return _(FORMER_MEMBER) if is_former(email) else name or email.partition("@")[0]


def picture_address(picture: str) -> str:
    """Return where the picture of this name is served (accounts/views/picture.py)."""
    return f"/people/{picture}"


def former_email(user_id: UUID) -> str:
    return f"{FORMER}{user_id.hex}"


def is_former(email: str) -> bool:
    return email.startswith(FORMER)


def in_words(recorded: str) -> str:
    """Return a recorded name, or several in one text, as people read it."""
    return recorded.replace(FORMER_MEMBER, _(FORMER_MEMBER))
