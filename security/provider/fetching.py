"""Fetches JSON from the OpenID provider: over https, without redirects, with an end in time and size."""

import json
import time
from typing import Any
from urllib.parse import urlencode, urlsplit

SECONDS = 5  # for each step of a connection
SECONDS_IN_ALL = 10
MOST_BYTES = 512 * 1024


class Away(Exception):
    """The provider does not answer, or answers with something else than JSON."""


class Answered(Exception):
    """The provider refused the request. `error` is its code, such as invalid_grant."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def fetch(url: str, *, form: dict[str, str] | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """GET the address, or POST the form to it. Raise Away or Answered."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class NoRedirects(HTTPRedirectHandler):
        def redirect_request(self, *answer: Any) -> None:
            return None  # the answer becomes an HTTPError

    if not is_allowed(url):
        raise Away(f"{urlsplit(url).hostname} is not reached over https")
    body = urlencode(form).encode() if form is not None else None
    request = Request(url, data=body, headers={"Accept": "application/json", **(headers or {})})  # noqa: S310
    began = time.monotonic()
    try:
        with build_opener(NoRedirects).open(request, timeout=SECONDS) as answer:
            return parsed(read(answer, began))
    except HTTPError as error:
        with error:
            if error.code not in (400, 401, 403):
                raise Away(f"{error.code} from {urlsplit(url).hostname}") from error
            raise Answered(code_in(error)) from error
    except (OSError, HTTPException, ValueError) as error:  # no connection, no HTTP, no JSON
        raise Away(f"{urlsplit(url).hostname}: {type(error).__name__}") from error


def is_allowed(url: str) -> bool:
    """Return whether the address is one of https, or of this machine, where people try things out."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1"))


def read(answer: Any, began: float) -> bytes:
    body = b""
    while piece := answer.read1(65_536):
        body += piece
        if len(body) > MOST_BYTES or time.monotonic() - began > SECONDS_IN_ALL:
            raise ValueError("too much, or too slow")
    return body


def parsed(body: bytes) -> dict[str, Any]:
    found = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def code_in(error: Any) -> str:
    try:
        return str(parsed(error.read(10_000)).get("error", ""))[:40]
    except (OSError, ValueError):
        return ""
