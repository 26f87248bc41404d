"""The table of every address outside the boards and the admin: its methods, and who may call each.

web/tests/test_permissions.py has the table of the boards' pages; of the admin's pages one rule holds for all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from uuid_utils.compat import uuid7

from accounts.tokens import create_token
from boards.tests.world import World
from web.tests.test_permissions import CASES

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Audience(Enum):
    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    TOKEN = "holder of a live API token"
    OPERATOR = "operator"


@dataclass(frozen=True)
class Row:
    """An address with methods that are for the same audience."""

    name: str  # of the address, or its route if it has no name
    methods: str
    audience: Audience
    address: Callable[[Any], str] | None = None  # called with the sender; None: `name` reversed, without arguments
    json: Callable[[World], dict[str, Any]] | None = None

    def path(self, sender: Any) -> str:
        return self.address(sender) if self.address else reverse(self.name)


def an_own_token(sender: Any) -> str:
    return reverse("revoke_token", args=[create_token(sender, "to revoke")[0].pk])


ANYONE, SIGNED_IN, TOKEN = Audience.ANYONE, Audience.SIGNED_IN, Audience.TOKEN
ANY_METHOD = " ".join(METHODS)
ROWS = [
    Row("healthz", "GET", ANYONE),
    Row("livez", "GET", ANYONE),
    Row("robots", "GET", ANYONE),
    Row("manifest", "GET", ANYONE),
    Row("account_login", "GET POST", ANYONE),
    Row("account_signup", "GET POST", ANYONE),
    Row("first_account", "GET POST", ANYONE, lambda me: "/first/unknown"),
    Row("account_logout", "GET POST", ANYONE),
    Row("set_language", "POST", ANYONE),
    Row("settings", "GET POST", ANYONE, lambda me: "/settings"),  # redirects to the profile
    Row("profile", "GET POST", SIGNED_IN),
    Row("account_change_password", "GET POST", SIGNED_IN),
    Row("account_set_password", "GET POST", SIGNED_IN),
    Row("sign_out_elsewhere", "POST", SIGNED_IN),
    Row("account_email", "GET POST", SIGNED_IN),
    Row("tokens", "GET POST", SIGNED_IN),
    Row("revoke_token", "POST", SIGNED_IN, an_own_token),
    Row("account_inactive", "GET", ANYONE),
    Row("account_reauthenticate", "GET POST", SIGNED_IN),
    Row("account_email_verification_sent", "GET", ANYONE),
    Row("account_confirm_email", "GET POST", ANYONE, lambda me: "/account/email/unknown"),
    Row("stop_address", "GET POST", ANYONE, lambda me: "/account/email/stop/unknown"),
    Row("account_reset_password", "GET POST", ANYONE),
    Row("account_reset_password_done", "GET", ANYONE),
    Row("account_reset_password_from_key", "GET POST", ANYONE, lambda me: "/password/reset/1-unknown"),
    Row("account_reset_password_from_key_done", "GET", ANYONE),
    Row(".well-known/change-password", "GET POST", ANYONE, lambda me: "/.well-known/change-password"),  # redirects
    Row("home", "GET", ANYONE),
    Row("new_board", "GET POST", SIGNED_IN),
    Row("archived_boards", "GET", SIGNED_IN),
    Row("my_invitations", "GET", SIGNED_IN),
    Row("cli-start", "POST", ANYONE, json=lambda w: {}),
    Row("cli-poll", "POST", ANYONE, json=lambda w: {"deviceCode": "unknown"}),
    Row("cli", "GET POST", SIGNED_IN),
    Row("mcp", "POST", TOKEN, json=lambda w: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    Row("export", "GET", SIGNED_IN),
    Row("data", "GET", SIGNED_IN),
    Row("api-me", "GET", TOKEN),
    Row("api-boards", "GET POST", TOKEN, json=lambda w: {"title": "New", "template": "blank"}),
    Row("api-cards", "POST", TOKEN, json=lambda w: {"listId": str(w.todo.pk), "title": "New"}),
    Row("api-token", "DELETE", TOKEN),
    Row("api-openapi", "GET", ANYONE),
    Row("api-docs", "GET", ANYONE),
    Row("^api/(?P<rest>.*)$", ANY_METHOD, ANYONE, lambda me: "/api/nothing"),
    Row("admin", ANY_METHOD, ANYONE, lambda me: "/admin"),  # redirects to the admin
]


@dataclass(frozen=True)
class Call:
    """One method of one address, for one audience, or for those with this role on the board."""

    name: str
    method: str
    audience: Audience | str
    path: str
    body: dict[str, Any]
    is_json: bool

    def __str__(self) -> str:
        return f"{self.method} {self.name}"


def calls(world: World, sender: Any) -> Iterator[Call]:
    """Return every call that the tables know; forms of boards are the ones that fit the sender."""
    for row in ROWS:
        for method in row.methods.split():
            body = row.json(world) if row.json else {}
            yield Call(row.name, method, row.audience, row.path(sender), body, is_json=row.json is not None)
    for case in CASES:
        body = case.form(world, sender) if case.form else {}
        yield Call(case.name, case.method, case.needs, case.address(world, sender), body, is_json=False)
    for pattern in patterns_of_the_admin():
        for method in ("GET", "POST"):
            audience = ANYONE if pattern.name == "logout" else Audience.OPERATOR
            yield Call(f"admin:{pattern.name}", method, audience, admin_path(pattern), {}, is_json=False)


def addresses() -> Iterator[str]:
    """Return the name, or else the route, of every address outside the admin."""
    for entry in flat(get_resolver().url_patterns):
        yield entry.name or str(entry.pattern)


def flat(entries: Any) -> Iterator[URLPattern]:
    for entry in entries:
        if isinstance(entry, URLPattern):
            yield entry
        elif entry.namespace != "admin":
            yield from flat(entry.url_patterns)


def patterns_of_the_admin() -> Iterator[URLPattern]:
    [admin] = [one for one in get_resolver().url_patterns if isinstance(one, URLResolver) and one.namespace == "admin"]
    yield from (pattern for pattern in in_admin(admin.url_patterns) if pattern.name)


def in_admin(entries: Any) -> Iterator[URLPattern]:
    for entry in entries:
        if isinstance(entry, URLPattern):
            yield entry
        else:
            yield from in_admin(entry.url_patterns)


def admin_path(pattern: URLPattern) -> str:
    ids = dict.fromkeys(pattern.pattern.regex.groupindex, str(uuid7()))
    if "app_label" in ids:
        ids["app_label"] = "boards"
    return reverse(f"admin:{pattern.name}", kwargs=ids or None)
