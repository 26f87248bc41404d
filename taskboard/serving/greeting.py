"""What `bin/serve` prints for the person who started it."""

from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse

from taskboard.serving.address import EVERY_ADDRESS

OWN_NAMES = {"localhost", "127.0.0.1", "[::1]"}


def greeting() -> str:
    ready = f"Taskboard is ready at {settings.BASE_URL}"
    sign_up = settings.BASE_URL + reverse("account_signup")  # also loads every page now, not during the first request
    if get_user_model().objects.exists():
        return ready
    if settings.SIGNUP_OPEN:
        return f"{ready}\nNobody has an account yet: make one at {sign_up}"
    return f"{ready}\nNobody has an account yet: make one with bin/manage adduser olga@example.com --operator"


def warning(host: str) -> str:
    """Return a warning if other machines can reach the service but are all refused; otherwise an empty string."""
    if host not in EVERY_ADDRESS or not set(settings.ALLOWED_HOSTS) <= OWN_NAMES:
        return ""
    return (
        "Listening on every address, but answering only to this machine. Set TASKBOARD_ALLOWED_HOSTS to the names that "
        "people will type, as in boards.example.com,192.168.1.5, and TASKBOARD_BASE_URL to the address of the service."
    )
