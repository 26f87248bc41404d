"""Whatever the security log knows is written by what people and operators do, by each door."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, User
from accounts.tests.conftest import PASSWORD, _mail_server, sign_in
from accounts.tests.test_admin import act, form_of, page
from accounts.tests.test_email_address import change as change_address
from accounts.tests.test_email_address import link_in_mail, stop_link
from accounts.tests.test_recovery import change_password, reset_link, reset_password
from accounts.tokens import create_token, revoke_token
from boards.actions.handover import offer_board
from boards.actions.invitations import invite_member
from boards.models import Board
from cliauth.tests.conftest import CommandLine
from conftest import web
from security.models import Kind, SecurityEvent
from web.tests.browsing import browser

__all__ = ["_mail_server"]

NEW = "plum tart on sunday"


@dataclass
class Scene:
    """Olga's board Launch, which Ed edits; Stan, who is a stranger; Otto, who operates the service."""

    olga: User
    ed: User
    stan: User
    otto: User
    board: Board

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

    def call_with_a_revoked_token(self, method: str, path: str) -> None:
        token, value = create_token(self.olga, "laptop")
        revoke_token(token)
        Client(headers={"Authorization": f"Bearer {value}"}).generic(method, path)

    def set_password_in_the_admin(self) -> None:
        fields = {"password1": NEW, "password2": NEW, "usable_password": "true", "set-password": "Change"}
        self.operator.post(reverse("admin:auth_user_password_change", args=[self.olga.pk]), fields)

    def change_address(self) -> None:
        change_address(self.hers, "new@example.com")

    def take_over(self) -> None:
        offer_board(actor=web(self.olga), board_id=self.board.pk, user_id=self.ed.pk)
        self.his.post(f"{self.address}/offer", {"answer": "accept"})

    def join(self) -> None:
        sent = invite_member(actor=web(self.olga), board_id=self.board.pk, email=self.stan.email)
        browser(self.stan).post(f"/invitation/{sent.pk}", {"answer": "accept"})

    def sign_up(self) -> None:
        Client().post("/sign-up", {"email": "new@example.com", "password1": NEW, "language": "en"})

    def activate(self) -> None:
        User.objects.filter(pk=self.olga.pk).update(is_active=False)
        act(self.operator, "activate", self.olga)


# Each with what does it, whose account the line is about ("" is a new one), and who did it if it was somebody else.
DEEDS: list[tuple[Kind, str, Callable[[Scene], object], str, str]] = [
    (Kind.SIGNED_IN, "page", lambda s: sign_in(Client(), s.olga.email), "olga", ""),
    (Kind.SIGN_IN_FAILED, "page", lambda s: sign_in(Client(), s.olga.email, "wrong"), "olga", ""),
    (Kind.SIGNED_OUT, "page", lambda s: s.hers.post("/sign-out"), "olga", ""),
    (Kind.SIGNED_UP, "page", Scene.sign_up, "", ""),
    (Kind.SIGNED_UP, "command", lambda s: call_command("adduser", "n@example.com", "--password", NEW), "", ""),
    (Kind.CONFIRMED, "page", lambda s: s.hers.post("/account/confirm", {"password": PASSWORD}), "olga", ""),
    (Kind.PASSWORD_CHANGED, "page", lambda s: change_password(s.hers), "olga", ""),
    (Kind.PASSWORD_CHANGED, "admin", Scene.set_password_in_the_admin, "olga", "otto"),
    (Kind.PASSWORD_CHANGED, "command", lambda s: call_command("adduser", s.olga.email, "--password", NEW), "olga", ""),
    (Kind.PASSWORD_RESET, "mail", lambda s: reset_password(Client(), s.olga.email), "olga", ""),
    (Kind.RESET_REQUESTED, "page", lambda s: reset_link(s.olga.email), "olga", ""),
    (Kind.ADDRESS_REQUESTED, "page", Scene.change_address, "olga", ""),
    (
        Kind.ADDRESS_STOPPED,
        "page",
        lambda s: (s.change_address(), s.hers.post("/settings/email", {"forget": ""})),
        "olga",
        "",
    ),
    (Kind.ADDRESS_STOPPED, "mail", lambda s: (s.change_address(), Client().post(stop_link())), "olga", ""),
    (Kind.ADDRESS_CHANGED, "mail", lambda s: (s.change_address(), s.hers.post(link_in_mail())), "olga", ""),
    (
        Kind.ADDRESS_CHANGED,
        "admin",
        lambda s: s.operator.post(page(User, "change", s.olga.pk), form_of(s.olga, email="n@example.com")),
        "olga",
        "otto",
    ),
    (Kind.TOKEN_CREATED, "page", lambda s: s.hers.post("/settings/tokens", {"name": "laptop"}), "olga", ""),
    (Kind.TOKEN_CREATED, "command", lambda s: call_command("addtoken", s.olga.email), "olga", ""),
    (Kind.TOKEN_REVOKED, "page", lambda s: s.hers.post(reverse("revoke_token", args=[s.token().pk])), "olga", ""),
    (Kind.TOKEN_REVOKED, "api", Scene.revoke_by_itself, "olga", ""),
    (Kind.TOKEN_REVOKED, "admin", lambda s: act(s.operator, "revoke", s.token()), "olga", "otto"),
    (Kind.TOKEN_REFUSED, "api", lambda s: s.call_with_a_revoked_token("GET", "/api/v1/me"), "olga", ""),
    (Kind.TOKEN_REFUSED, "agent", lambda s: s.call_with_a_revoked_token("POST", "/api/v1/mcp"), "olga", ""),
    (Kind.DEVICE_APPROVED, "page", lambda s: s.answer_a_command_line("approve"), "olga", ""),
    (Kind.DEVICE_DENIED, "page", lambda s: s.answer_a_command_line("deny"), "olga", ""),
    (
        Kind.INVITED,
        "page",
        lambda s: s.hers.post(f"{s.address}/invitations", {"email": s.stan.email, "role": "viewer"}),
        "olga",
        "",
    ),
    (Kind.JOINED, "page", Scene.join, "stan", "olga"),
    (Kind.BOARD_OFFERED, "page", lambda s: s.hers.post(f"{s.address}/ownership", {"to": s.ed.pk}), "ed", "olga"),
    (Kind.BOARD_HANDED_OVER, "page", Scene.take_over, "ed", "olga"),
    (Kind.BOARD_DELETED, "page", lambda s: s.hers.post(f"{s.address}/deletion", {"title": "Launch"}), "olga", ""),
    (
        Kind.BOARD_DELETED,
        "admin",
        lambda s: act(s.operator, "delete_selected", s.board, post="yes"),
        "olga",
        "otto",
    ),
    (Kind.EXPORTED, "page", lambda s: list(s.hers.get("/api/export").streaming_content), "olga", ""),
    (Kind.LIMIT_REACHED, "page", lambda s: [sign_in(Client(), s.olga.email, "wrong") for _ in range(6)], "olga", ""),
    (Kind.DEACTIVATED, "admin", lambda s: act(s.operator, "deactivate", s.olga), "olga", "otto"),
    (Kind.ACTIVATED, "admin", Scene.activate, "olga", "otto"),
    (Kind.SESSIONS_ENDED, "page", lambda s: s.hers.post("/settings/password/sign-out"), "olga", ""),
    (Kind.SESSIONS_ENDED, "admin", lambda s: act(s.operator, "sign_out", s.olga), "olga", "otto"),
]


@pytest.fixture
def scene(olga, ed, stan, otto, board, request) -> Scene:
    scene = Scene(olga, ed, stan, otto, board)
    request.getfixturevalue("_mail_server")  # now that addresses are confirmed
    return scene


@pytest.mark.parametrize("kind, door, do, account, by", DEEDS, ids=[f"{kind}-{door}" for kind, door, *_rest in DEEDS])
def test_it_is_logged_with_whose_account_it_is_and_who_did_it(scene, kind, door, do, account, by):
    SecurityEvent.objects.all().delete()
    do(scene)
    event = SecurityEvent.objects.get(kind=kind)
    assert event.user == (getattr(scene, account) if account else User.objects.latest("date_joined"))
    assert event.by == (getattr(scene, by) if by else None)


def test_nothing_that_the_log_knows_is_left_out():
    assert {kind for kind, *_rest in DEEDS} == set(Kind)
