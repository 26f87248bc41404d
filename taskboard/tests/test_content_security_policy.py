"""No page has anything that the Content-Security-Policy refuses.

A browser, which reports that, opens every page, of the admin one for each set of scripts. Of the admin's other pages, which
differ in their rows, the markup is read.
"""

from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page

from accounts.models import User
from accounts.tokens import create_token
from boards.models import Board, Card, Checklist, ChecklistItem, Invitation, Label, List
from boards.tests.world import PEOPLE, World
from exporter.tests.states import exports_in_all_states
from importer.tests.states import PAGES, import_in
from taskboard.tests.browsers import refused_by_policy
from taskboard.tests.every_address import Audience, calls

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]

DOWNLOADS = {"export", "export_file", "attachment"} | {
    "admin:security_securityevent_csv",
    "admin:security_securityevent_jsonl",
}
NO_PAGES = {
    "account_logout",
    "admin:logout",
    "admin:test_mail",
    "admin:accounts_apitoken_narrow",
    "admin:accounts_apitoken_revoke",
}  # they end or only act
HOSTILE = "\"'><img src=x onerror=hack()>"
NAMES = {
    User: "name",
    Board: "title",
    List: "title",
    Card: "title",
    Label: "name",
    Checklist: "title",
    ChecklistItem: "text",
    Invitation: "email",
}
AGAINST_THE_POLICY = {
    "script": "<script>window.hacked = true</script>",
    "handler": "<img src='/robots.txt' onerror='window.hacked = true'>",
    "style": "<style>body { color: red }</style>",
    "style attribute": "<p style='color: red'>Red</p>",
    "script of another site": "<script src='https://example.com/x.js'></script>",
    "picture of another site": "<img src='https://example.com/x.png'>",
    "frame": "<iframe src='https://example.com/'></iframe>",
}


CODE = ("", "module", "text/javascript")  # types of scripts that a browser runs; others are data


class Markup(HTMLParser):
    """What the policy would refuse in a page, and the scripts that it loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.scripts: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_inline = tag in ("style", "iframe") or (
            tag == "script" and "src" not in given and given.get("type", "") in CODE
        )
        is_foreign = not given.get("src", "/").startswith("/")
        if is_inline or is_foreign or any(name == "style" or name.startswith("on") for name in given):
            self.refused.append(self.get_starttag_text() or tag)
        if tag == "script" and "src" in given:
            self.scripts.add(given["src"])


@pytest.fixture
def world(settings, olga: User, ed: User, vera: User, stan: User, otto: User) -> World:
    """A world in which everything has a hostile name: shown as anything but text, it would be refused."""
    settings.LIMITS = None
    world = World(olga, ed, vera, stan)
    User.objects.update(plan="pro")
    olga.refresh_from_db()
    create_token(olga, HOSTILE)
    for model, field in NAMES.items():
        model._default_manager.update(**{field: Concat(Value(HOSTILE), field)})
    for thing in (olga, world.board, world.card):
        thing.refresh_from_db()
    world.otto = otto  # type: ignore[attr-defined]
    return world


@pytest.fixture
def page(chrome: Browser, live_server) -> Page:
    context = chrome.new_context(base_url=live_server.url)
    yield context.new_page()
    context.close()


def sign_in(page: Page, user: User | None) -> None:
    page.context.clear_cookies()
    if user is not None:
        (client := Client()).force_login(user)
        session = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        page.context.add_cookies([session | {"domain": "localhost", "path": "/"}])


def visits(world: World) -> dict[str, list[str]]:
    """Return the addresses of all pages outside of the admin, by the name of one who may see them; "" is nobody."""
    found: dict[str, list[str]] = {}
    for call in calls(world, world.olga):
        if call.method != "GET" or call.name in DOWNLOADS:
            continue
        if call.audience is Audience.ANYONE:
            found.setdefault("", []).append(call.path)
        elif call.audience not in (Audience.TOKEN, Audience.OPERATOR) and call.name not in NO_PAGES:
            found.setdefault(PEOPLE.get(str(call.audience), "olga"), []).append(call.path)
    found["olga"] += [world.card.get_absolute_url(), f"/board/{world.attic.pk}", "/help", "/no/such/page"]
    return found


def pages_of_the_admin(world: World) -> Iterator[tuple[str, Markup]]:
    """Yield each page of the admin, with one row of every model, and what it looks like."""
    (client := Client()).force_login(world.otto)  # type: ignore[attr-defined]
    known = [call for call in calls(world, world.olga) if call.audience is Audience.OPERATOR and call.method == "GET"]
    addresses = [call.path for call in known if call.name not in DOWNLOADS | NO_PAGES]
    models = [model for model in apps.get_models() if admin.site.is_registered(model)]
    rows = [row for model in models if (row := model._default_manager.first()) is not None]
    for row in rows:
        addresses += [
            reverse(admin_urlname(row._meta, kind), args=[row.pk]) for kind in ("change", "history", "delete")
        ]
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code < 500, address
        if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
            assert "content-security-policy" in answer.headers, address
            yield address, Markup(answer.text)


@pytest.mark.parametrize("kind", AGAINST_THE_POLICY)
def test_markup_that_the_policy_refuses_is_found(kind):
    assert len(Markup(AGAINST_THE_POLICY[kind]).refused) == 1


def test_no_page_has_anything_that_the_policy_refuses(page, world):
    of_the_admin = dict(pages_of_the_admin(world))
    assert len(of_the_admin) > 90
    assert {address: markup.refused for address, markup in of_the_admin.items() if markup.refused} == {}
    with_other_scripts = {frozenset(markup.scripts): address for address, markup in of_the_admin.items()}
    assert len(with_other_scripts) > 3
    refused, seen = refused_by_policy(page), 0
    for name, addresses in {**visits(world), "otto": list(with_other_scripts.values())}.items():
        sign_in(page, getattr(world, name) if name else None)
        for address in addresses:
            answer = page.goto(address)
            assert answer.status < 500, address
            is_page = answer.headers["content-type"].startswith("text/html")
            assert not is_page or "content-security-policy" in answer.headers, address
            if (
                not is_page
            ):  # of a picture the policy refuses what the browser shows it with, scripts and styles of its own
                refused.clear()
                continue
            page.evaluate("() => new Promise((done) => setTimeout(done))")  # so that what it reported has come
            assert refused == [], address
            seen += 1
    assert seen > 100


def test_imports_and_exports_have_nothing_that_the_policy_refuses(page, world):
    refused = refused_by_policy(page)
    sign_in(page, world.olga)
    exports_in_all_states(world.olga, world.board)
    page.goto("/settings/data")
    page.locator("#export-panel[data-wired]").wait_for()
    assert refused == []
    for state in PAGES:
        row = import_in(state, world.olga)
        page.goto(row.get_absolute_url())
        if row.is_busy:
            page.locator("#import-state[data-wired]").wait_for()
        page.evaluate("() => new Promise((done) => setTimeout(done))")
        assert refused == [], state
        if row.can_be_taken_back:
            page.goto(reverse("import_taking_back", args=[row.pk]))
            assert refused == []


@pytest.mark.parametrize("kind", AGAINST_THE_POLICY)
def test_what_the_policy_refuses_is_reported(page, olga, kind):
    def change(route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", f"{AGAINST_THE_POLICY[kind]}</main>"))

    refused = refused_by_policy(page)
    page.route("**/settings/profile", change)
    sign_in(page, olga)
    page.goto("/settings/profile")
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert len(refused) == 1
    assert not page.evaluate("() => window.hacked")
