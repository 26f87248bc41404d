"""Fetches JSON from the OpenID provider, without redirects. The operator names the provider: it may have a private address."""

import json
from typing import Any
from urllib.parse import urlencode, urlsplit

from core.http import outgoing
from core.http.outgoing import Unreachable, origin

SECONDS = 10.0
MOST_BYTES = 512 * 1024


class ProviderAway(Exception):
    """The provider does not answer, or answers with something else than JSON."""


class Answered(Exception):
    """The provider refused the request. `error` is its code, such as invalid_grant."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def fetch(url: str, *, form: dict[str, str] | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """GET the address, or POST the form to it. Raise ProviderAway or Answered."""
    host = urlsplit(url).hostname
    if not is_allowed(url):
        raise ProviderAway(f"{host} is not reached over https")
    sent = {"Accept": "application/json", **(headers or {})}
    if form is not None:
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    body = None if form is None else urlencode(form).encode()
    try:
        with outgoing.fetch(
            url, body=body, headers=sent, most=MOST_BYTES, seconds=SECONDS, servers=[origin(url)]
        ) as answer:
            status, text = answer.status, answer.body.read()
    except Unreachable as error:
        raise ProviderAway(str(error)) from error
    if status in (400, 401, 403):
        raise Answered(code_in(text))
    if not 200 <= status < 300:
        raise ProviderAway(f"{status} from {host}")
    try:
        return parsed(text)
    except ValueError as error:
        raise ProviderAway(f"{host}: {type(error).__name__}") from error


def is_allowed(url: str) -> bool:
    """Return whether the address is one of https, or of this machine, where people try things out."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1"))


def parsed(body: bytes) -> dict[str, Any]:
    found = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def code_in(body: bytes) -> str:
    try:
        return str(parsed(body).get("error", ""))[:40]
    except ValueError:
        return ""
