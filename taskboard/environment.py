"""Reading settings from the environment: a missing variable has a default, a wrong one stops the start."""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is {value!r}: write 0 or 1.")
    return value == "1"


def number(name: str, default: int, least: int = 0, most: int = 1_000_000) -> int:
    value = text(name, str(default))
    if not value.isdecimal() or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name} is {value!r}: write a whole number from {least} to {most}.")
    return int(value)


def choice(name: str, *allowed: str) -> str:
    """One of `allowed`; the first is the default."""
    value = text(name, allowed[0])
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}: write one of {', '.join(allowed)}.")
    return value


def names(name: str) -> list[str]:
    return [part.strip() for part in text(name).split(",") if part.strip()]


def address(name: str, default: str) -> str:
    """An http(s) address without a path, as in `https://boards.example.com`."""
    value = text(name, default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
        raise ImproperlyConfigured(f"{name} is {value!r}: write an address such as https://boards.example.com.")
    return value


def parsed(name: str, reader: Callable[[str], dict], example: str) -> dict:
    """A URL that django-environ reads (database, mail server); {} when the variable is not set."""
    value = text(name)
    if not value:
        return {}
    try:
        return reader(value)
    except Exception as error:
        raise ImproperlyConfigured(f"{name} cannot be read ({error}): write it like {example}.") from error


def database(default: Path) -> dict:
    """Django's settings of the one database: PostgreSQL where DATABASE_URL names one, else a SQLite file."""
    found = parsed("DATABASE_URL", environ.Env.db_url_config, "postgres://user:password@host:5432/name")
    return found or {"ENGINE": "django.db.backends.sqlite3", "NAME": default}


def limits(name: str, defaults: dict[str, str]) -> dict[str, str] | None:
    """Rates by endpoint, `me=120/m,cards=30/m` laid over `defaults`; None for `off`."""
    if text(name) == "off":
        return None
    rates = dict(defaults)
    for part in names(name):
        key, _, rate = part.partition("=")
        amount, _, period = rate.partition("/")
        if key not in defaults or not amount.isdecimal() or period not in ("s", "m", "h", "d"):
            raise ImproperlyConfigured(
                f"{name}: {part!r} is not understood: write off, or NAME=NUMBER/m with a NAME of {', '.join(defaults)}."
            )
        rates[key] = rate
    return rates


def secret(name: str, kept_in: Path) -> str:
    """The secret key: from the environment, else made on first start and kept in the data folder."""
    value = text(name)
    if value:
        if len(value) < 32:
            raise ImproperlyConfigured(f"{name} is too short: write at least 32 random characters.")
        return value
    if not kept_in.exists():
        kept_in.parent.mkdir(parents=True, exist_ok=True)
        draft = kept_in.with_name(f"{kept_in.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        with contextlib.suppress(FileExistsError):  # another process of the same first start was quicker
            os.link(draft, kept_in)
        draft.unlink()
    return kept_in.read_text().strip()
