"""Every event of the security log is written by what people and operators do, by each interface."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tests.conftest import PASSWORD, _mail_server, sign_in
from accounts.tests.factors import APP, STEP, add_app, at_second_step, codes_of
from accounts.tests.fake_provider import FakeProvider, provider
from accounts.tests.test_admin import act, form_of, page
from accounts.tests.test_email_address import change as change_address
from accounts.tests.test_email_address import link_in_mail, stop_link
from accounts.tests.test_recovery import change_password, reset_link, reset_password
from accounts.tokens import create_token, revoke_token
from boards.actions.people.handover import offer_board
from boards.actions.sharing.invitations import invite_member
from boards.actions.sharing.public_links import create_public_link
from boards.models import Board, PublicLink
from cliauth.tests.conftest import CommandLine
from conftest import run_jobs, web
from notifications.models import PushBrowser
from notifications.tests.push_service import Subscription
from security.models import EventKind, SecurityEvent
from web.tests.browsing import browser

__all__ = ["_mail_server", "provider"]

NEW = "plum tart on sunday"


@dataclass
class Scene:
    """Olga's board Launch, which Ed edits; Stan, who is a stranger; Otto, who operates the service."""

    olga: User
    ed: User
    stan: User
    otto: User
    board: Board
    provider: Callable[[], FakeProvider]

    def __post_init__(self) -> None:
        for user in (self.olga, self.ed, self.stan, self.otto):
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        self.hers, self.his, self.operator = browser(self.olga), browser(self.ed), browser(self.otto)
        self.address = f"/board/{self.board.pk}"

    def token(self) -> ApiToken:
        return create_token(self.olga, "laptop")[0]

    def answer_a_command_line(self, answer: str) -> None:
        line = CommandLine()
        line.start()
        self.hers.post("/cli", {"code": line.codes["userCode"], "answer": answer})

    def revoke_by_itself(self) -> None:
        _token, value = create_token(self.olga, "laptop")
        Client(headers={"Authorization": f"Bearer {value}"}).delete("/api/v1/token")

    def narrow_a_token_by_itself(self) -> None:
        _token, value = create_token(self.olga, "laptop")
        call = Client(headers={"Authorization": f"Bearer {value}"})
        call.patch("/api/v1/tokens/current", {"access": "read"}, content_type="application/json")

    def call_with_a_revoked_token(self, method: str, path: str) -> None:
        token, value = create_token(self.olga, "laptop")
        revoke_token(token)
        Client(headers={"Authorization": f"Bearer {value}"}).generic(method, path)

    def set_password_in_the_admin(self) -> None:
        fields = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
        self.operator.post(reverse("admin:auth_user_password_change", args=[self.olga.pk]), fields)

    def change_address(self) -> None:
        change_address(self.hers, "new@example.com")

    def enter_a_recovery_code(self, **more: str) -> Client:
        add_app(self.hers)
        browser = at_second_step(self.olga.email)
        browser.post(STEP, {"code": codes_of(self.olga)[0], **more})
        return browser

    def enter_a_wrong_code(self) -> None:
        add_app(self.hers)
        at_second_step(self.olga.email).post(STEP, {"code": "000000"})

    def get_pushes(self) -> str:
        """Turn on push in Olga's browser, and return the address that turns it off."""
        self.hers.post("/settings/notifications/push", Subscription("https://push.example.com/1").form)
        return reverse("push_withdrawal", args=[PushBrowser.objects.get().pk])

    def take_over(self) -> None:
        offer_board(actor=web(self.olga), board_id=self.board.pk, user_id=self.ed.pk)
        self.his.post(f"{self.address}/offer", {"answer": "accept"})

    def link(self) -> None:
        provider = self.provider()
        provider.come_back(self.hers, self.hers.post("/settings/security/provider"))

    def get_plan_by_group(self) -> None:
        provider = self.provider()
        provider.claims["groups"] = ["paying"]
        provider.sign_in(Client())

    def import_a_board(self) -> None:
        content = f'{{"format": "taskboard-export", "version": 1, "boards": [{json.dumps(self.exported_board())}]}}'
        sent = SimpleUploadedFile("export.json", content.encode())
        address = self.hers.post("/settings/data/import", {"file": sent, "format": ""})["Location"]
        run_jobs()
        self.hers.post(f"{address}/start")

    def exported_board(self) -> dict[str, object]:
        return {"id": "1", "title": "Garden", "lists": [], "labels": [], "members": []}

    def join(self) -> None:
        sent = invite_member(actor=web(self.olga), board_id=self.board.pk, email=self.stan.email)
        browser(self.stan).post(f"/invitation/{sent.pk}", {"answer": "accept"})

    def share(self) -> PublicLink:
        return create_public_link(actor=web(self.olga), board_id=self.board.pk)

    def sign_up(self) -> None:
        Client().post("/sign-up", {"email": "new@example.com", "password1": NEW, "language": "en"})

    def activate(self) -> None:
        User.objects.filter(pk=self.olga.pk).update(is_active=False)
        act(self.operator, "activate", self.olga)


def try_too_often(user: User) -> None:
    with time_machine.travel(timezone.now(), tick=False):  # else the window of the limit may end meanwhile
        for _time in range(6):
            sign_in(Client(), user.email, "wrong")


# Each with what does it, whose account the line is about ("" is a new one), and who did it if it was somebody else.
DEEDS: list[tuple[EventKind, str, Callable[[Scene], object], str, str]] = [
    (EventKind.SIGNED_IN, "page", lambda s: sign_in(Client(), s.olga.email), "olga", ""),
    (EventKind.SIGN_IN_FAILED, "page", lambda s: sign_in(Client(), s.olga.email, "wrong"), "olga", ""),
    (EventKind.SIGNED_OUT, "page", lambda s: s.hers.post("/sign-out"), "olga", ""),
    (EventKind.SIGNED_UP, "page", Scene.sign_up, "", ""),
    (EventKind.SIGNED_UP, "command", lambda s: call_command("adduser", "n@example.com", "--password", NEW), "", ""),
    (EventKind.CONFIRMED, "page", lambda s: s.hers.post("/account/confirm", {"password_again": PASSWORD}), "olga", ""),
    (EventKind.PASSWORD_CHANGED, "page", lambda s: change_password(s.hers), "olga", ""),
    (EventKind.PASSWORD_CHANGED, "admin", Scene.set_password_in_the_admin, "olga", "otto"),
    (
        EventKind.PASSWORD_CHANGED,
        "command",
        lambda s: call_command("adduser", s.olga.email, "--password", NEW),
        "olga",
        "",
    ),
    (EventKind.PASSWORD_RESET, "mail", lambda s: reset_password(Client(), s.olga.email), "olga", ""),
    (EventKind.RESET_REQUESTED, "page", lambda s: reset_link(s.olga.email), "olga", ""),
    (EventKind.ADDRESS_REQUESTED, "page", Scene.change_address, "olga", ""),
    (
        EventKind.ADDRESS_STOPPED,
        "page",
        lambda s: (s.change_address(), s.hers.post("/settings/email", {"forget": ""})),
        "olga",
        "",
    ),
    (EventKind.ADDRESS_STOPPED, "mail", lambda s: (s.change_address(), Client().post(stop_link())), "olga", ""),
    (EventKind.ADDRESS_CHANGED, "mail", lambda s: (s.change_address(), s.hers.post(link_in_mail())), "olga", ""),
    (
        EventKind.ADDRESS_CHANGED,
        "admin",
        lambda s: s.operator.post(page(User, "change", s.olga.pk), form_of(s.olga, email="n@example.com")),
        "olga",
        "otto",
    ),
    (EventKind.TOKEN_CREATED, "page", lambda s: s.hers.post("/settings/tokens", {"name": "laptop"}), "olga", ""),
    (EventKind.TOKEN_CREATED, "command", lambda s: call_command("addtoken", s.olga.email), "olga", ""),
    (
        EventKind.TOKEN_NARROWED,
        "page",
        lambda s: s.hers.post(reverse("narrow_token", args=[s.token().pk]), {"rights": "read"}),
        "olga",
        "",
    ),
    (EventKind.TOKEN_NARROWED, "admin", lambda s: act(s.operator, "limit_to_reading", s.token()), "olga", "otto"),
    (EventKind.TOKEN_NARROWED, "api", Scene.narrow_a_token_by_itself, "olga", ""),
    (EventKind.TOKEN_REVOKED, "page", lambda s: s.hers.post(reverse("revoke_token", args=[s.token().pk])), "olga", ""),
    (EventKind.TOKEN_REVOKED, "api", Scene.revoke_by_itself, "olga", ""),
    (EventKind.TOKEN_REVOKED, "admin", lambda s: act(s.operator, "revoke", s.token()), "olga", "otto"),
    (
        EventKind.TOKEN_REVOKED,
        "command",
        lambda s: call_command("tokens", "revoke", s.token().pk.hex),
        "olga",
        "otto",
    ),
    (EventKind.TOKEN_REFUSED, "api", lambda s: s.call_with_a_revoked_token("GET", "/api/v1/me"), "olga", ""),
    (EventKind.TOKEN_REFUSED, "agent", lambda s: s.call_with_a_revoked_token("POST", "/api/v1/mcp"), "olga", ""),
    (EventKind.DEVICE_APPROVED, "page", lambda s: s.answer_a_command_line("approve"), "olga", ""),
    (EventKind.DEVICE_DENIED, "page", lambda s: s.answer_a_command_line("deny"), "olga", ""),
    (
        EventKind.INVITED,
        "page",
        lambda s: s.hers.post(f"{s.address}/invitations", {"email": s.stan.email, "role": "viewer"}),
        "olga",
        "",
    ),
    (
        EventKind.LINK_CREATED,
        "page",
        lambda s: s.hers.post(f"{s.address}/invitation-links", {"link-role": "viewer", "link-expires": "7"}),
        "olga",
        "",
    ),
    (
        EventKind.PUBLIC_LINK_ON,
        "page",
        lambda s: s.hers.post(f"{s.address}/public-link", {"embedding": "nobody"}),
        "olga",
        "",
    ),
    (
        EventKind.PUBLIC_LINK_OFF,
        "page",
        lambda s: (s.share(), s.hers.post(f"{s.address}/public-link/withdrawal")),
        "olga",
        "",
    ),
    (EventKind.PUBLIC_LINK_OFF, "admin", lambda s: act(s.operator, "withdraw", s.share()), "olga", "otto"),
    (EventKind.JOINED, "page", Scene.join, "stan", "olga"),
    (EventKind.BOARD_OFFERED, "page", lambda s: s.hers.post(f"{s.address}/ownership", {"to": s.ed.pk}), "ed", "olga"),
    (EventKind.BOARD_HANDED_OVER, "page", Scene.take_over, "ed", "olga"),
    (EventKind.BOARD_DELETED, "page", lambda s: s.hers.post(f"{s.address}/deletion", {"title": "Launch"}), "olga", ""),
    (
        EventKind.BOARD_DELETED,
        "admin",
        lambda s: act(s.operator, "delete_selected", s.board, post="yes"),
        "olga",
        "otto",
    ),
    (EventKind.EXPORTED, "page", lambda s: list(s.hers.get("/api/export").streaming_content), "olga", ""),
    (
        EventKind.EXPORTED,
        "admin",
        lambda s: s.operator.get(reverse("admin:security_securityevent_csv")),
        "otto",
        "",
    ),
    (EventKind.IMPORTED, "page", Scene.import_a_board, "olga", ""),
    (EventKind.LIMIT_REACHED, "page", lambda s: try_too_often(s.olga), "olga", ""),
    (EventKind.FACTOR_ADDED, "page", lambda s: add_app(s.hers), "olga", ""),
    (EventKind.FACTOR_REMOVED, "page", lambda s: (add_app(s.hers), s.hers.post(f"{APP}/remove")), "olga", ""),
    (
        EventKind.FACTOR_REMOVED,
        "admin",
        lambda s: (add_app(s.hers), act(s.operator, "remove_factors", s.olga)),
        "olga",
        "otto",
    ),
    (
        EventKind.FACTOR_REMOVED,
        "command",
        lambda s: (add_app(s.hers), call_command("removefactors", s.olga.email)),
        "olga",
        "",
    ),
    (EventKind.CODES_MADE, "page", lambda s: add_app(s.hers), "olga", ""),
    (EventKind.CODE_USED, "page", lambda s: s.enter_a_recovery_code(), "olga", ""),
    (EventKind.BROWSER_TRUSTED, "page", lambda s: s.enter_a_recovery_code(remember="on"), "olga", ""),
    (
        EventKind.TRUST_WITHDRAWN,
        "page",
        lambda s: s.enter_a_recovery_code(remember="on").post("/settings/security/browsers/forget"),
        "olga",
        "",
    ),
    (EventKind.SECOND_STEP_FAILED, "page", Scene.enter_a_wrong_code, "olga", ""),
    (EventKind.DEACTIVATED, "admin", lambda s: act(s.operator, "deactivate", s.olga), "olga", "otto"),
    (EventKind.ACTIVATED, "admin", Scene.activate, "olga", "otto"),
    (EventKind.DEACTIVATED, "command", lambda s: call_command("users", "disable", s.olga.email), "olga", "otto"),
    (
        EventKind.PLAN_CHANGED,
        "admin",
        lambda s: s.operator.post(page(User, "change", s.olga.pk), form_of(s.olga, plan="pro")),
        "olga",
        "otto",
    ),
    (EventKind.PLAN_CHANGED, "command", lambda s: call_command("users", "plan", s.olga.email, "pro"), "olga", "otto"),
    (EventKind.PROVIDER_LINKED, "page", Scene.link, "olga", ""),
    (
        EventKind.PROVIDER_UNLINKED,
        "page",
        lambda s: (s.link(), s.hers.post("/settings/security/provider/remove")),
        "olga",
        "",
    ),
    (EventKind.GROUPS_APPLIED, "provider", Scene.get_plan_by_group, "olga", ""),
    (EventKind.DELETED, "page", lambda s: s.his.post("/settings/delete", {"email": s.ed.email}), "ed", ""),
    (EventKind.DELETED, "admin", lambda s: act(s.operator, "delete_account", s.ed, confirmed="1"), "ed", "otto"),
    (EventKind.DELETED, "command", lambda s: call_command("users", "delete", s.ed.email, "--yes"), "ed", "otto"),
    (EventKind.PUSH_ON, "page", Scene.get_pushes, "olga", ""),
    (EventKind.PUSH_OFF, "page", lambda s: s.hers.post(s.get_pushes()), "olga", ""),
    (EventKind.SESSIONS_ENDED, "page", lambda s: s.hers.post("/settings/security/sessions/end"), "olga", ""),
    (EventKind.SESSIONS_ENDED, "admin", lambda s: act(s.operator, "sign_out", s.olga), "olga", "otto"),
    (EventKind.SESSIONS_ENDED, "command", lambda s: call_command("users", "sign-out", s.olga.email), "olga", "otto"),
]


@pytest.fixture
def scene(olga, ed, stan, otto, board, request, settings) -> Scene:
    settings.OIDC_PLAN_GROUPS = {"paying": "pro"}
    scene = Scene(olga, ed, stan, otto, board, lambda: request.getfixturevalue("provider"))
    request.getfixturevalue("_mail_server")  # now that addresses are confirmed
    return scene


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("kind, door, do, account, by", DEEDS, ids=[f"{kind}-{door}" for kind, door, *_rest in DEEDS])
def test_it_is_logged_with_whose_account_it_is_and_who_did_it(scene, kind, door, do, account, by):
    SecurityEvent.objects.all().delete()
    do(scene)
    event = SecurityEvent.objects.get(kind=kind)
    assert event.user == (getattr(scene, account) if account else User.objects.latest("date_joined"))
    assert event.by == (getattr(scene, by) if by else None)


def test_nothing_that_the_log_knows_is_left_out():
    assert {kind for kind, *_rest in DEEDS} == set(EventKind)
