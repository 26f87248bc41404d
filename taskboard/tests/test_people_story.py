"""People work together, in one go: invited, in, told by mail, and gone again, with two browsers and a mail server."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from taskboard.tests.browsers import refused_by_policy, wait_until_wired
from taskboard.tests.mail_server import MailServer, serving_mail, text_of
from taskboard.tests.people import Person, settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import PLAIN_HTTP, ROOT, Running, bare_environment, faults, free_port, serving

pytestmark = pytest.mark.timeout(300)

NINA = "nina@example.com"
A_PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
A_PASSKEY_HOLDER = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def mails() -> Iterator[MailServer]:
    with serving_mail() as server:
        yield server


@pytest.fixture
def issuer(address: str, provider: list[str]) -> Iterator[str]:
    """The address of an OpenID provider that knows Nina."""
    port = free_port()
    accounts = {"nina": {"email": NINA, "email_verified": True, "name": "Nina", "locale": "en", "groups": []}}
    told = {"port": port, "redirect": f"{address}/sign-in/oidc/callback", "secret": "hush-hush", "accounts": accounts}
    process = subprocess.Popen(
        [*provider, json.dumps(told)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(10)
    process.stdout.close()


@pytest.fixture
def address() -> str:
    """Passkeys work at a name only."""
    return f"http://localhost:{free_port()}"


@pytest.fixture
def environment(processes: None, tmp_path: Path, address: str, mails: MailServer, issuer: str) -> dict[str, str]:
    return {
        "TASKBOARD_DATA": str(prepared_data(tmp_path)),
        "TASKBOARD_BASE_URL": address,
        "TASKBOARD_EMAIL_URL": "smtp://{}:{}".format(*mails.server_address),
        "TASKBOARD_OIDC_URL": issuer,
        "TASKBOARD_OIDC_CLIENT_ID": "taskboard",
        "TASKBOARD_OIDC_CLIENT_SECRET": "hush-hush",
        "TASKBOARD_OIDC_NAME": "Example Login",
    }


@pytest.fixture
def running(environment: dict[str, str], address: str) -> Iterator[Running]:
    with serving(environment, port=urlsplit(address).port) as running:
        yield Running(running.process, address)
        _code, _out, err = running.stop(15)
        assert faults(err) == []


@pytest.fixture
def olga(environment: dict[str, str], running: Running) -> Iterator[Person]:
    with settle(environment, running.url, "olga") as people:
        olga = people["olga"]
        confirmed = 'INSERT INTO account_emailaddress (user_id, email, verified, "primary") VALUES (?, ?, 1, 1)'
        change(environment, confirmed, olga.id.replace("-", ""), olga.email)
        yield olga


@pytest.fixture
def contexts(running: Running, chrome: Browser) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Olga's browser and Nina's phone."""
    both = [chrome.new_context(base_url=running.url, reduced_motion="reduce", **more) for more in ({}, A_PHONE)]
    yield both[0], both[1]
    for context in both:
        context.close()


def test_nina_is_invited_comes_in_is_told_signs_in_by_a_provider_and_leaves(contexts, olga, mails, environment):
    hers = contexts[0].new_page()
    contexts[0].add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    phone = contexts[1].new_page()
    phone.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    refused = [refused_by_policy(hers), refused_by_policy(phone)]
    board = olga.new_board()
    card = olga.new_card(board, "Choose the cover")

    sign_up(phone, link_of(hers, board), mails)
    phone.wait_for_url(f"**/board/{board['id']}")
    expect(phone.get_by_role("heading", name="Launch")).to_be_visible()
    expect(hers.locator("#member-lists")).to_contain_text("Nina")  # by itself

    add_passkey(phone)
    expect(phone.get_by_role("heading", name="Nina's phone")).to_be_visible()

    hers.goto(f"/board/{board['id']}?card={card['id']}")
    mention(hers, "Nina")
    expect(phone.locator(".bell-count")).to_contain_text("1")  # by itself
    unsubscribe = read_mail(phone, mails, environment, card)
    stop_mails(phone, unsubscribe)
    sign_in_by_provider(phone)
    look_until_withdrawn(phone, hers, board)

    phone.goto("/board/" + board["id"] + "?card=" + card["id"])
    comment(phone, "The blue one")
    delete_account(phone)
    hers.goto(f"/board/{board['id']}?card={card['id']}")
    expect(hers.locator("article.comment").filter(has_text="The blue one")).to_contain_text("Former member")
    assert refused == [[], []]


def link_of(page: Page, board: dict[str, Any]) -> str:
    page.goto(f"/board/{board['id']}/members")
    page.get_by_label("Number of uses").fill("1")
    page.get_by_text("Editor", exact=True).last.click()
    page.locator("#invite-by-link").get_by_role("button", name="Create link").click()
    return page.locator("#link-address").text_content() or ""


def sign_up(page: Page, link: str, mails: MailServer) -> None:
    """Follow the link, sign up, confirm the address by the link in the mail, accept."""
    page.goto(link)
    page.get_by_role("main").get_by_role("link", name="Sign up").tap()
    page.get_by_label("Email address").fill(NINA)
    page.get_by_label("Name").fill("Nina")
    page.get_by_label("Password", exact=True).fill("plum tart on sunday")
    page.get_by_role("button", name="Create account").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your inbox")
    page.goto(first_link(text_of(mails.mail_to(NINA, "onfirm"))))
    page.get_by_role("button", name="Confirm").tap()
    page.get_by_role("button", name="Accept").tap()


def first_link(text: str) -> str:
    found = re.search(r"https?://\S+", text)
    assert found, text
    return found[0]


def add_passkey(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": A_PASSKEY_HOLDER})
    page.goto("/settings/security")
    page.get_by_role("button", name="Add passkey").tap()
    page.get_by_label("Name").fill("Nina's phone")
    page.get_by_role("button", name="Add passkey").tap()
    page.get_by_role("link", name="I've saved them").tap()


def mention(page: Page, name: str) -> None:
    wait_until_wired(page)
    field = page.locator("#new-comment")
    field.fill("Which cover, ")
    field.press_sequentially(f"@{name[:2]}")
    page.get_by_role("option", name=name).click()
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("article.comment .mention")).to_have_text(f"@{name}")


def comment(page: Page, text: str) -> None:
    wait_until_wired(page)
    page.locator("#new-comment").fill(text)
    page.get_by_role("button", name="Comment", exact=True).tap()
    expect(page.locator("article.comment").filter(has_text=text)).to_be_visible()


def read_mail(page: Page, mails: MailServer, environment: dict[str, str], card: dict[str, Any]) -> str:
    """Follow the link of the mail that a worker sends ten minutes later. Return the address that unsubscribes."""
    ten_minutes_pass(environment)
    with a_worker(environment):
        mail = mails.mail_to(NINA, "mentioned you")
    page.goto(first_link(text_of(mail)))
    expect(page.locator("#open-card")).to_contain_text("Choose the cover")
    page.goto("/notifications")
    expect(page.get_by_role("main")).to_contain_text("all caught up")
    return mail["List-Unsubscribe"].strip().strip("<>")


def ten_minutes_pass(environment: dict[str, str]) -> None:
    change(environment, "UPDATE notifications_notification SET to_mail_since = datetime(to_mail_since, '-10 minutes')")
    change(environment, "UPDATE jobs_turn SET next_at = datetime(next_at, '-10 minutes')")


def change(environment: dict[str, str], statement: str, *values: str) -> None:
    with closing(sqlite3.connect(Path(environment["TASKBOARD_DATA"], "taskboard.sqlite3"))) as database, database:
        database.execute(statement, values)


@contextmanager
def a_worker(environment: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, "manage.py", "worker"]
    worker = subprocess.Popen(command, cwd=ROOT, env=bare_environment() | environment, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(60)


def stop_mails(page: Page, address: str) -> None:
    """Unsubscribe as mail programs do, by one click and without a browser."""
    answer = httpx.post(address, data={"List-Unsubscribe": "One-Click"}, **PLAIN_HTTP)
    assert answer.status_code == 200, answer.text
    page.goto("/settings/notifications")
    expect(page.locator("input[name=mails]")).not_to_be_checked()


def sign_in_by_provider(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("/sign-in?next=/settings/security")
    page.get_by_role("button", name="Continue with Example Login").tap()
    page.get_by_placeholder("Enter any login").fill("nina")
    page.get_by_placeholder("and password").fill("anything")
    page.get_by_role("button", name="Sign-in").tap()
    page.get_by_role("button", name="Continue").tap()
    page.get_by_role("button", name="Use a passkey").tap()  # the account has a second step, whatever the first one is
    page.wait_for_url("**/settings/security")
    expect(page.get_by_text("You can sign in with Example Login")).to_be_visible()


def look_until_withdrawn(phone: Page, hers: Page, board: dict[str, Any]) -> None:
    hers.goto(f"/board/{board['id']}/public-link")
    hers.get_by_role("button", name="Create link").click()
    address = hers.locator("#public-address").inner_text()
    assert re.fullmatch(r"\S+/public/[\w-]{43}", address)
    phone.goto(address)
    expect(phone.get_by_role("main")).to_contain_text("Choose the cover")
    hers.get_by_role("button", name="Turn off").click()
    expect(phone.locator(".live-bar")).to_contain_text("no longer shared")


def delete_account(page: Page) -> None:
    page.goto("/settings/delete")
    page.get_by_label("Email address").fill(NINA)
    page.get_by_role("button", name="Delete account").tap()
    page.wait_for_url("**/account/deleted")
