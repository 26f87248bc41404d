"""Single sign-on in Chromium, with a real OpenID provider, which the test starts: accounts/tests/provider."""

import json
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from boards.actions.boards.board import create_board
from boards.actions.people.groups import give_group
from boards.actor import Actor
from boards.models.verbs import Door
from conftest import person, web
from taskboard.tests.axe import complaints_in_both_themes as complaints
from taskboard.tests.browsers import refused_by_policy
from taskboard.tests.servers import free_port

pytestmark = [pytest.mark.usefixtures("axe"), pytest.mark.django_db(transaction=True)]

NINA = {"email": "nina@example.com", "email_verified": True, "name": "Nina", "locale": "en", "groups": ["paying"]}


@pytest.fixture
def issuer(provider, live_server, settings) -> Iterator[str]:
    port, url = free_port(), live_server.url
    told = {"port": port, "redirect": f"{url}/sign-in/oidc/callback", "secret": "hush-hush", "accounts": {"nina": NINA}}
    process = subprocess.Popen(
        [*provider, json.dumps(told)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    settings.BASE_URL, settings.OIDC_URL = url, f"http://127.0.0.1:{port}"
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET, settings.OIDC_NAME = "taskboard", "hush-hush", "Example Login"
    settings.OIDC_SCOPES = ["openid", "profile", "email", "groups"]
    settings.OIDC_PLAN_GROUPS = {"paying": "pro"}
    yield settings.OIDC_URL
    process.terminate()
    process.wait(10)
    process.stdout.close()


@pytest.fixture
def tab(chrome: Browser, live_server) -> Iterator[Page]:
    context = chrome.new_context(base_url=live_server.url, reduced_motion="reduce")  # axe sees no colour half way
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def sign_in_there(tab: Page) -> None:
    tab.get_by_placeholder("Enter any login").fill("nina")
    tab.get_by_placeholder("and password").fill("anything")
    tab.get_by_role("button", name="Sign-in").click()


@pytest.mark.timeout(300)
def test_one_signs_up_at_the_provider_confirms_there_and_may_deny(tab, issuer):
    refused = refused_by_policy(tab)
    tab.goto("/sign-in?next=/settings/security")
    assert complaints(tab) == []
    tab.get_by_role("button", name="Continue with Example Login").click()
    tab.wait_for_url(f"{issuer}/interaction/*")
    tab.get_by_role("link", name="Cancel").click()
    expect(tab.get_by_role("alert")).to_contain_text("You did not agree at Example Login")
    assert complaints(tab) == []
    tab.goto("/sign-in?next=/settings/security")
    tab.get_by_role("button", name="Continue with Example Login").click()
    sign_in_there(tab)
    tab.get_by_role("button", name="Continue").click()
    tab.wait_for_url("**/settings/security")
    expect(tab.get_by_text("You can sign in with Example Login")).to_be_visible()
    assert complaints(tab) == []
    nina = User.objects.get()
    assert (nina.email, nina.name, nina.plan_id, nina.has_usable_password()) == (
        "nina@example.com",
        "Nina",
        "pro",
        False,
    )

    forget_confirmation()
    tab.get_by_role("button", name="Unlink").click()
    confirm = tab.get_by_role("button", name="Confirm with Example Login")
    expect(confirm).to_be_visible()
    assert complaints(tab) == []
    confirm.click()
    sign_in_there(tab)
    tab.wait_for_url("**/settings/security")
    expect(tab.get_by_text("Your identity is confirmed")).to_be_visible()
    tab.get_by_role("button", name="Unlink").click()
    expect(tab.get_by_text("only way to sign in to your account")).to_be_visible()
    assert refused == []


@pytest.mark.timeout(300)
def test_a_group_opens_a_board(tab, issuer):
    olga, otto = person("olga"), person("otto", is_staff=True, is_superuser=True)
    board = create_board(actor=web(olga), title="Launch", template="kanban")
    give_group(actor=Actor(otto, door=Door.ADMIN), board_id=board.pk, group="paying", role="viewer")
    tab.goto(f"/sign-in?next={board.get_absolute_url()}")
    tab.get_by_role("button", name="Continue with Example Login").click()
    sign_in_there(tab)
    tab.get_by_role("button", name="Continue").click()
    tab.wait_for_url(f"**{board.get_absolute_url()}")
    expect(tab.get_by_role("heading", name="In progress")).to_be_visible()


def forget_confirmation() -> None:
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session

    for row in Session.objects.all():
        store = SessionStore(row.session_key)
        if store.get("_auth_user_id"):
            store["password_confirmed_at"] = 0
            store.save()
