"""Makes accounts in the database that the environment names and prints what their scripts and browsers hold, as JSON.

python -m taskboard.tests.settle olga ed
"""

import json
import os
import sys

import django

PASSWORD = "correct horse battery"


def main(names: list[str]) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings"
    django.setup()
    print(json.dumps({name: settle(name) for name in names}))  # noqa: T201


def settle(name: str) -> dict[str, str]:
    from accounts.models import User
    from accounts.tokens import create_token

    user = User.objects.create(
        email=f"{name}@example.com",
        name=name.capitalize(),
        plan_id="pro",
        password=password_hash(),
        language="de" if name == "dora" else "en",
        is_superuser=name == "otto",
        is_staff=name == "otto",
    )
    _token, value = create_token(user, "test")
    return {"id": str(user.pk), "email": user.email, "token": value, "session": signed_in(user)}


def password_hash() -> str:
    """One for all: making it takes long on purpose."""
    from django.contrib.auth.hashers import make_password

    password_hash.made = getattr(password_hash, "made", None) or make_password(PASSWORD)
    return password_hash.made


def signed_in(user) -> str:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session.session_key


if __name__ == "__main__":
    main(sys.argv[1:])
