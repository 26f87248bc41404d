"""Helpers for tests that send requests as a browser and read the pages."""

import re
from copy import copy, deepcopy
from html import unescape
from typing import Any

from django.test import Client

from accounts.models import User

SCRIPTED = {"HTTP_HX_REQUEST": "true"}


def browser(user: User | None = None, **options: Any) -> Client:
    client = Client(**options)
    if user is not None:
        client.force_login(user)
    return client


def copy_of(client: Client) -> Client:
    """Return a client with the same cookies and headers, so that one call does not sign out the next."""
    copied = copy(client)
    copied.cookies = deepcopy(client.cookies)
    return copied


def text_of(response: Any) -> str:
    """Return the text of the page without markup, in one line."""
    words = re.sub(r"<(script|style|template).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(words).split())


def without_tokens(response: Any) -> str:
    """Return the page without its CSRF tokens, which differ each time."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
