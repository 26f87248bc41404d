"""The table of every address outside the boards and the admin: its methods, and who may call each.

web/tests/test_permissions.py has the table of the boards' pages; of the admin's pages one rule holds for all.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.models import TrustedBrowser
from accounts.models.trusted_browser import LIFETIME
from accounts.pictures import set_picture
from accounts.sign_in.sessions.store import SessionStore
from accounts.tokens import create_token
from boards.models import PublicLink
from boards.tests.world import World, template_of
from exporter.models import Export
from importer.models import Import, ImportState
from notifications.kinds import Kind
from notifications.models import Notification, PushBrowser
from security.models import BrowserSession
from taskboard.tests.authenticator import Device
from web.tests.test_permissions import CASES

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Audience(Enum):
    ANYONE = "anyone"
    ENTERING = "anyone, and led to the page for signing in"
    SIGNED_IN = "signed in"
    TOKEN = "holder of a live API token"
    EITHER = "signed in, or holder of a live API token"
    OPERATOR = "operator"
    MONITORING = "holder of TASKBOARD_METRICS_TOKEN, whoever is signed in"


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


def public(rest: str = "") -> Callable[[Any], str]:
    return lambda me: f"/public/{PublicLink.objects.get().key}{rest}"


def an_own_token(name: str) -> Callable[[Any], str]:
    return lambda sender: reverse(name, args=[create_token(sender, name)[0].pk])


def an_own_notification(sender: Any) -> str:
    row = Notification.objects.create(user=sender, kind=Kind.TOKEN, group_key=str(uuid7()))
    return reverse("notification", args=[row.pk])


def an_own_import(name: str) -> Callable[[Any], str]:
    def address(sender: Any) -> str:
        row, _is_new = Import.objects.get_or_create(
            user=sender, state=ImportState.DONE, format="own", file_name="a.json", salt=b""
        )
        return reverse(name, args=[row.pk])

    return address


def an_own_passkey(name: str) -> Callable[[Any], str]:
    options = {"user": {"id": ""}, "rp": {"id": "localhost"}, "challenge": ""}
    registration = json.loads(Device().create(options))

    def address(sender: Any) -> str:
        data = {"name": "laptop", "credential": registration}
        made, _is_new = Authenticator.objects.get_or_create(user=sender, type="webauthn", defaults={"data": data})
        return reverse(name, args=[made.pk])

    return address


def an_own_browser(sender: Any) -> str:
    browser = TrustedBrowser.objects.create(user=sender, digest=str(uuid7()), expires_at=timezone.now() + LIFETIME)
    return reverse("forget_browser", args=[browser.pk])


def an_own_session(sender: Any) -> str:
    store = SessionStore()
    store.create()
    row = BrowserSession.objects.create(user=sender, session_id=store.session_key, used_at=timezone.now())
    return reverse("end_session", args=[row.pk])


def an_own_push_browser(sender: Any) -> str:
    store = SessionStore()
    store.create()
    session = BrowserSession.objects.create(user=sender, session_id=store.session_key, used_at=timezone.now())
    made = PushBrowser.objects.create(user=sender, session=session, digest=str(uuid7()), point=b"", secret=b"")
    return reverse("push_withdrawal", args=[made.pk])


def an_own_template(sender: Any, name: str) -> str:
    return reverse(name, args=[template_of(sender).pk])


def a_picture(sender: Any) -> str:
    set_picture(sender, b"a picture")
    return f"/people/{sender.picture}"


def an_own_export(name: str) -> Callable[[Any], str]:
    def address(sender: Any) -> str:
        row = Export(user=sender, form="json", state="done", name=str(uuid7()), expires_at=timezone.now() + LIFETIME)
        default_storage.save(row.path, ContentFile(b"{}"))
        row.size = 2
        row.save()
        return reverse(name, args=[row.pk])

    return address


ANYONE, ENTERING, SIGNED_IN, TOKEN = Audience.ANYONE, Audience.ENTERING, Audience.SIGNED_IN, Audience.TOKEN
ANY_METHOD = " ".join(METHODS)
ROWS = [
    Row("healthz", "GET", ANYONE),
    Row("livez", "GET", ANYONE),
    Row("metrics", "GET", Audience.MONITORING),
    Row("robots", "GET", ANYONE),
    Row("manifest", "GET", ANYONE),
    Row("account_login", "GET POST", ANYONE),
    Row("sign_in_by_passkey", "GET POST", ENTERING),
    Row("passkey_options", "POST", ANYONE),
    Row("oidc_sign_in", "GET POST", ENTERING),
    Row("oidc_callback", "GET", ANYONE),
    Row("mfa_authenticate", "GET POST", ENTERING),
    Row("account_signup", "GET POST", ANYONE),
    Row("first_account", "GET POST", ANYONE, lambda me: "/first/unknown"),
    Row("account_logout", "GET POST", ANYONE),
    Row("set_language", "POST", ANYONE),
    Row("settings", "GET POST", ANYONE, lambda me: "/settings"),  # redirects to the profile
    Row("profile", "GET POST", SIGNED_IN),
    Row("profile_picture", "POST", SIGNED_IN),
    Row("picture", "GET", SIGNED_IN, a_picture),
    Row("account_change_password", "GET POST", SIGNED_IN),
    Row("account_set_password", "GET POST", SIGNED_IN),
    Row("sign_out_elsewhere", "POST", SIGNED_IN),
    Row("account_activity", "GET", SIGNED_IN),
    Row("end_session", "POST", SIGNED_IN, an_own_session),
    Row("security", "GET", SIGNED_IN),
    Row("set_up_app", "GET POST", SIGNED_IN),
    Row("remove_app", "POST", SIGNED_IN),
    Row("recovery_codes", "GET POST", SIGNED_IN),
    Row("new_passkey", "GET POST", SIGNED_IN),
    Row("rename_passkey", "POST", SIGNED_IN, an_own_passkey("rename_passkey")),
    Row("remove_passkey", "POST", SIGNED_IN, an_own_passkey("remove_passkey")),
    Row("link_provider", "GET POST", SIGNED_IN),
    Row("unlink_provider", "POST", SIGNED_IN),
    Row("confirm_by_provider", "POST", SIGNED_IN),
    Row("forget_browsers", "POST", SIGNED_IN),
    Row("forget_browser", "POST", SIGNED_IN, an_own_browser),
    Row("account_email", "GET POST", SIGNED_IN),
    Row("tokens", "GET POST", SIGNED_IN),
    Row("narrow_token", "GET POST", SIGNED_IN, an_own_token("narrow_token")),
    Row("revoke_token", "POST", SIGNED_IN, an_own_token("revoke_token")),
    Row("account_inactive", "GET", ANYONE),
    Row("account_reauthenticate", "GET POST", SIGNED_IN),
    Row("account_email_verification_sent", "GET", ANYONE),
    Row("account_confirm_email", "GET POST", ANYONE, lambda me: "/account/email/unknown"),
    Row("stop_address", "GET POST", ANYONE, lambda me: "/account/email/stop/unknown"),
    Row("remove_factor", "GET POST", ANYONE, lambda me: "/account/factor/unknown"),
    Row("account_reset_password", "GET POST", ANYONE),
    Row("account_reset_password_done", "GET", ANYONE),
    Row("account_reset_password_from_key", "GET POST", ANYONE, lambda me: "/password/reset/1-unknown"),
    Row("account_reset_password_from_key_done", "GET", ANYONE),
    Row(".well-known/change-password", "GET POST", ANYONE, lambda me: "/.well-known/change-password"),  # redirects
    Row("close_banner", "POST", ANYONE),
    Row("home", "GET", ANYONE),
    Row("help", "GET", ANYONE),
    Row("my_work", "GET POST", SIGNED_IN),
    Row("work_filters", "POST", SIGNED_IN),
    Row("work_filter_renaming", "POST", SIGNED_IN),
    Row("work_filter_deletion", "POST", SIGNED_IN),
    Row("my_table", "GET", SIGNED_IN),
    Row("my_cards", "GET POST", SIGNED_IN),
    Row("search", "GET", SIGNED_IN),
    Row("jump", "GET", SIGNED_IN),
    Row("linked_cards", "GET", SIGNED_IN),
    Row("destinations", "GET", SIGNED_IN),
    Row("new_board", "GET POST", SIGNED_IN),
    Row("own_template", "GET POST", SIGNED_IN, lambda me: an_own_template(me, "own_template")),
    Row("own_template_deletion", "GET POST", SIGNED_IN, lambda me: an_own_template(me, "own_template_deletion")),
    Row("archived_boards", "GET", SIGNED_IN),
    Row("markdown", "POST", SIGNED_IN),
    Row("my_invitations", "GET", SIGNED_IN),
    Row("notification_mails", "GET POST", ANYONE, lambda me: "/notification-mails/unknown"),
    Row("invitation_stop", "GET POST", ANYONE, lambda me: "/invitation-mails/unknown"),
    Row("join", "GET", ANYONE, lambda me: "/join/unknown"),
    Row("joining", "GET POST", ANYONE, lambda me: f"/joining/{uuid7()}"),
    Row("public_board", "GET", Audience.ANYONE, public()),
    Row("public_unlocking", "POST", Audience.ANYONE, public("/unlocking")),
    Row("public_lists", "GET", Audience.ANYONE, public("/lists")),
    Row("public_list_cards", "GET", Audience.ANYONE, public(f"/list/{uuid7()}/cards")),
    Row("public_background", "GET", Audience.ANYONE, public("/background/0123456789abcdef.webp")),
    Row("public_card", "GET", Audience.ANYONE, public(f"/card/{uuid7()}")),
    Row("public_attachment", "GET", Audience.ANYONE, public(f"/attachments/{uuid7()}")),
    Row("public_attachment_preview", "GET", Audience.ANYONE, public(f"/attachments/{uuid7()}/preview")),
    Row("public_attachment_thumbnail", "GET", Audience.ANYONE, public(f"/attachments/{uuid7()}/thumbnail")),
    Row("notifications", "GET POST", SIGNED_IN),
    Row("notification", "GET POST", SIGNED_IN, an_own_notification),
    Row("notification_settings", "GET POST", SIGNED_IN),
    Row("push_browsers", "GET POST", SIGNED_IN),
    Row("push_withdrawal", "POST", SIGNED_IN, an_own_push_browser),
    Row("service_worker", "GET", ANYONE),
    Row("cli-start", "POST", ANYONE, json=lambda w: {}),
    Row("cli-poll", "POST", ANYONE, json=lambda w: {"deviceCode": "unknown"}),
    Row("cli", "GET POST", SIGNED_IN),
    Row("mcp", "POST", TOKEN, json=lambda w: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    Row("mcp-short", "POST", TOKEN, json=lambda w: {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    Row("export", "GET", Audience.EITHER),
    Row("data", "GET", SIGNED_IN),
    Row("exports", "GET POST", SIGNED_IN),
    Row("export_file", "GET", SIGNED_IN, an_own_export("export_file")),
    Row("export_cancellation", "POST", SIGNED_IN, an_own_export("export_cancellation")),
    Row("export_deletion", "POST", SIGNED_IN, an_own_export("export_deletion")),
    Row("imports", "GET POST", SIGNED_IN),
    Row("import", "GET POST", SIGNED_IN, an_own_import("import")),
    Row("import_start", "POST", SIGNED_IN, an_own_import("import_start")),
    Row("import_cancel", "POST", SIGNED_IN, an_own_import("import_cancel")),
    Row("import_taking_back", "GET POST", SIGNED_IN, an_own_import("import_taking_back")),
    Row("account_deletion", "GET POST", SIGNED_IN),
    Row("account_deleted", "GET", ANYONE),
    Row("api-me", "GET", TOKEN),
    Row("api-boards", "GET POST", TOKEN, json=lambda w: {"title": "New", "template": "blank"}),
    Row("api-cards", "GET POST", TOKEN, json=lambda w: {"listId": str(w.todo.pk), "title": "New"}),
    Row("api-token", "DELETE", TOKEN),
    Row("api-current-token", "GET PATCH DELETE", TOKEN),
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
    """Return the name, or else the route, of every address outside the admin.

    REST calls without a name have a table of their own, apiv1/tests/every_call.py.
    """
    for entry in flat(get_resolver().url_patterns):
        if entry.name or not str(entry.pattern).startswith("api/v1/"):
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
