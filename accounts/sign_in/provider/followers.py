"""The functions that get the groups of a user who comes from the OpenID provider. accounts calls them, and web adds its
own to `FOLLOWERS`, so that neither imports the other.
"""

from collections.abc import Callable, Collection
from typing import Any

from django.http import HttpRequest

# Callables that are given the request, the user, and all groups that the user is in now.
FOLLOWERS: list[Callable[[HttpRequest, Any, Collection[str]], None]] = []


def tell_groups(request: HttpRequest, user: Any, groups: Collection[str]) -> None:
    for follow in FOLLOWERS:
        follow(request, user, groups)
