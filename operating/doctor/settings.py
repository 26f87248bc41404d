"""Check settings that are valid, but unsafe for a service that others reach. Invalid ones stop every command."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

from operating.doctor.finding import Finding, note, ok, wrong
from taskboard import variables

LOCAL = ("localhost", "127.0.0.1", "[::1]")


def check_settings() -> Iterator[Finding]:
    yield from check_config_file()
    yield ok(
        "The secret key comes from TASKBOARD_SECRET_KEY."
        if variables.text("TASKBOARD_SECRET_KEY")
        else f"The secret key is in {settings.DATA / 'secret_key'}."
    )
    if settings.SECRET_KEY_FALLBACKS:
        yield note("A former secret key is still read.", "Leave it out four days after the change.")
    if settings.DEBUG:
        yield wrong(
            "TASKBOARD_DEBUG is on: errors show settings and code to everybody.", "Set it to 0, or leave it out."
        )
    if settings.LIMITS is None:
        yield wrong("TASKBOARD_LIMITS is off: passwords can be tried without end.", "Leave it out.")
    yield from check_address()


def check_config_file() -> Iterator[Finding]:
    file = settings.CONFIG_FILE
    if file is None:
        yield ok(f"Settings come from the environment alone: there is no {settings.DATA / variables.FILE}.")
    elif file.shows_secrets:
        yield wrong(f"Every user of this machine can read the secrets in {file.path}.", f"Run: chmod o-r {file.path}")
    else:
        yield ok(f"Settings come from {file.path}, and from the environment, which overrides them.")


def check_address() -> Iterator[Finding]:
    parts = urlsplit(settings.BASE_URL)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    if not validate_host(host, settings.ALLOWED_HOSTS):
        yield wrong(
            f"{host}, the host of TASKBOARD_BASE_URL, is not in TASKBOARD_ALLOWED_HOSTS: it is answered with 400.",
            "Add it.",
        )
    elif "*" in settings.ALLOWED_HOSTS:
        yield wrong("TASKBOARD_ALLOWED_HOSTS has *: any host name is answered.", "Name the hosts that people type.")
    elif host in LOCAL:
        yield note(
            f"The address is {settings.BASE_URL}: only this machine can use it.",
            "For others to reach it set TASKBOARD_BASE_URL.",
        )
    elif not settings.HTTPS:
        yield note(
            f"The address is {settings.BASE_URL}: passwords cross the network in clear.",
            "Outside a network you trust, put a proxy with https before it and write https in TASKBOARD_BASE_URL.",
        )
    else:
        yield ok(f"The address is {settings.BASE_URL}.")
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        yield wrong(
            "TASKBOARD_BASE_URL is https, but no proxy is trusted: all people share the proxy's limits.",
            "Set TASKBOARD_TRUSTED_PROXIES to the number of your proxies.",
        )
