"""Whether sign-up is open: to everybody, to nobody, or to holders of an invitation link, as the operator has set it.

accounts calls the functions in `INVITED`, and web adds its own, so that neither imports the other.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest

# Callables that tell whether the browser of this request has followed a link that still works.
INVITED: list[Callable[[HttpRequest], bool]] = []


def may_sign_up(request: HttpRequest) -> bool:
    if settings.SIGNUP_OPEN or not settings.SIGNUP_BY_LINK:
        return settings.SIGNUP_OPEN
    return any(is_invited(request) for is_invited in INVITED)
