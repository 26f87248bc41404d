"""The words that `bin/serve` prints for the person who started it."""

from django.conf import settings
from django.contrib.auth import get_user_model

from accounts.first_account import make_link
from accounts.plans import nobody_has_an_account
from taskboard.serving.address import EVERY_ADDRESS

OWN_NAMES = {"localhost", "127.0.0.1", "[::1]"}


def greeting() -> str:
    ready = f"Taskboard is ready at {settings.BASE_URL}"
    first = make_link()  # also loads every page now, not during the first request
    if not nobody_has_an_account():
        return ready
    return f"{ready}\nNobody{' but the demo' if get_user_model().objects.exists() else ''} has an account yet. Create yours, the operator's, with this link (once, for a day): {first}"


def warning(host: str) -> str:
    """Return a warning if other machines can reach the service but are all refused; otherwise an empty string."""
    if host not in EVERY_ADDRESS or not set(settings.ALLOWED_HOSTS) <= OWN_NAMES:
        return ""
    return (
        "Listening on every address, but answering only to this machine. Set TASKBOARD_ALLOWED_HOSTS to the names that "
        "people will type, as in boards.example.com,192.168.1.5, and TASKBOARD_BASE_URL to the address of the service."
    )
