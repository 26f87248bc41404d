"""Start for the first time on the data folder and the database that the environment names, and add the cast.

python -m taskboard.tests.settle

It prints the tokens and sessions of the cast as JSON.
"""

import json
import os
import time

import django

PASSWORD = "correct horse battery"
CAST = ("olga", "ed", "vera", "stan", "dora", "otto", "pia", "paula", "broken")
A_RUN = 24 * 3600  # seconds
MANY_TOKENS = ("paula", "broken")


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings"
    django.setup()
    from django.contrib.auth.hashers import make_password
    from django.db import connection

    from taskboard.serving.database import prepare_database
    from taskboard.serving.static_files import prepare_static_files

    prepare_database()
    password = make_password(PASSWORD)  # one for all, as hashing is slow on purpose
    print(json.dumps({name: settle(name, password) for name in CAST}))  # noqa: T201
    connection.close()
    prepare_static_files()


def settle(name: str, password: str) -> dict[str, object]:
    from accounts.models import ApiToken, User
    from accounts.tokens import create_token

    user = User.objects.create(
        email=f"{name}@example.com",
        name=name.capitalize(),
        plan_id="pro",
        password=password,
        language="de" if name == "dora" else "en",
        is_superuser=name == "otto",
        is_staff=name == "otto",
    )
    tokens = [create_token(user, str(number))[1] for number in range(10 if name in MANY_TOKENS else 1)]
    if name == "broken":  # no form accepts this: reading it crashes a view
        ApiToken.objects.filter(user=user).update(board_ids=["no id"])
    return {"id": str(user.pk), "email": user.email, "tokens": tokens, "session": signed_in(user)}


def signed_in(user) -> str:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.sign_in.confirmation import CONFIRMED_AT

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[CONFIRMED_AT] = time.time() + A_RUN  # which lasts longer than a confirmation
    session.save()
    return session.session_key


if __name__ == "__main__":
    main()
