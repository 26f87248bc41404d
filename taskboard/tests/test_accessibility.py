"""axe finds nothing wrong with any page and dialog in both themes, and no page is too wide. Each is loaded once."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.first_account import make_link
from accounts.links import LinkPurpose, make_factor_key, make_key
from accounts.models import User
from accounts.sign_in.confirmation import CONFIRMED_AT
from boards.actions.boards.board import create_board
from conftest import person, web
from exporter.tests.states import exports_in_all_states
from importer.tests.states import PAGES, import_in
from taskboard.tests.axe import complaints
from taskboard.tests.interception import intercept
from taskboard.tests.people import Person
from taskboard.tests.served import environment_on_sqlite, running
from taskboard.tests.served_people import olga, people
from taskboard.tests.servers import PATIENCE

__all__ = ["environment_on_sqlite", "olga", "people", "running"]

LOOKS = [(360, "dark"), (1440, "light")]  # colors do not depend on the width, nor what is where on the theme
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"  # wider than a phone
WINDOWS = [
    (320, 640, 100),
    (720, 450, 100),
    (1440, 900, 200),
]  # a phone, 1440 by 900 at 200 %, letters of twice the size
SIGNED_OUT = ["/", "/help", "/sign-in", "/sign-up", "/password/reset", "/account/deleted"]
PUBLIC = ["{public}", "{public}?card={card_id}", "{locked}"]
SIGNED_IN = [
    "/",
    "/boards/new",
    "/boards/archived",
    "/invitations",
    "/invitation/{invitation}",
    "/join/{link}",
    "{board}",
    "{board}?q=Donau&who=nobody&due=none&done=0&changed=week",
    "{empty}",
    "{board}/filter?done=0",
    "{board}/members",
    "{board}/settings",
    "{board}/archive",
    "{board}/activity",
    "{board}/public-link",
    "{board}/following",
    "{card_following}",
    "/my",
    "/my?by=list",
    "/my?which=followed",
    "/my/table",
    "{board}/table",
    "{board}/table?done=0&sort=-due",
    "{board}/table?q=nothing-at-all",
    "/search",
    "/search?q=Donau",
    "/search?q=nothing-at-all&who=me&who=nobody&changed=week",
    "/notifications",
    "/notifications?card={card_id}",
    "/notifications?pile=later",
    "/notifications?pile=all",
    "/settings/notifications",
    "{board}/deletion",
    "{board}/copy",
    "{board}/template",
    "{list}",
    "{card}",
    "{card-copy}",
    "{former}",
    "/boards/new?template={template}",
    "/template/{template}",
    "/template/{template}/deletion",
    "/settings/profile",
    "/settings/security",
    "/settings/security/activity",
    "/settings/password",
    "/settings/email",
    "/settings/tokens",
    "/settings/data",
    "/settings/data/import",
    "/settings/delete",
    "/account/confirm",
    "/cli",
    "/cli?code=BBBB-CCCC",
    "/cli?code={code}",
]


@pytest.fixture(scope="module")
def places(olga, people) -> dict[str, str]:
    board, ed = olga.new_board(LONG), people["ed"]
    card = olga.new_card(board, LONG, description="# Why\n- [ ] this", dueDate="2026-12-01")
    flow = olga.script.post("/api/v1/cli/auth", json={"clientName": "laptop"}).json()
    olga.post(f"/board/{board['id']}/invitations", email="new@example.com", role="viewer")
    theirs = ed.new_board("Theirs")
    ed.post(f"/board/{theirs['id']}/invitations", email=olga.email, role="viewer")
    invitation = re.search(r'/invitation/([^"]+)"', olga.browser.get("/").text)
    assert invitation is not None
    olga.post(f"/board/{board['id']}/template", name="Usual", cards="1")
    template = re.search(r'name="template" value="([0-9a-f-]{36})"', olga.browser.get("/boards/new").text)
    places = {"board": board["url"], "card": card["url"], "code": flow["userCode"], "template": template[1]}
    empty = olga.script.post("/api/v1/boards", json={"title": LONG}).json()["board"]
    places |= {"empty": f"/board/{empty['id']}"}
    places |= {"list": f"/list/{board['lists'][0]['id']}", "card-copy": f"/card/{card['id']}/copy"}
    page = ed.post(f"/board/{theirs['id']}/invitation-links", **{"link-role": "viewer", "link-expires": "7"}).text
    link = re.search(r"/join/([\w-]+)<", page)
    assert link is not None
    places["card_following"] = f"/card/{card['id']}/following"
    changed = olga.script.patch(f"/api/v1/cards/{card['id']}", json={"description": "# Why\n- [x] this"})
    assert changed.status_code == 200
    former = re.search(
        rf"/card/{card['id']}/description/before/[\w-]+", olga.browser.get(f"{board['url']}/activity").text
    )
    assert former is not None
    places["former"] = former[0]
    shared = {
        "public": address_of_link(olga, board),
        "locked": address_of_link(olga, olga.new_board(), "correct horse"),
    }
    return {**places, **shared, "card_id": card["id"], "invitation": invitation[1], "link": link[1]}


def address_of_link(person: Person, board: dict[str, Any], password: str = "") -> str:
    page = f"/board/{board['id']}/public-link"
    person.post(page, embedding="nobody", shows_comments="on", shows_names="on", password=password)
    found = re.search(r"/public/[\w-]{43}", person.browser.get(page).text)
    assert found is not None
    return found[0]


@pytest.fixture(scope="module")
def page(axe, chrome) -> Iterator[Page]:
    # axe sees no color half way to the next
    page = chrome.new_page(viewport={"width": 1440, "height": 800}, locale="en-GB", reduced_motion="reduce")
    page.set_default_timeout(PATIENCE * 1000)
    yield page
    page.close()


def violations(page: Page, url: str) -> list[str]:
    answer = page.goto(url)
    assert answer is not None
    assert answer.status == (404 if "BBBB" in url else 200)
    return complaints_in_all_looks(page) + too_wide(page)


def complaints_in_all_looks(page: Page) -> list[str]:
    found = []
    for width, theme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        found += [f"{width} {theme} {one}" for one in complaints(page)]
    page.set_viewport_size({"width": 1440, "height": 800})
    return found


def too_wide(page: Page) -> list[str]:
    """Return the windows in which the page has to be moved sideways. Its letters stay as in the last of them."""
    return [f"wider than {window[0]} at {window[2]} %" for window in WINDOWS if is_wider(page, *window)]


def is_wider(page: Page, width: int, height: int, letters: int) -> bool:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("letters => { document.documentElement.style.fontSize = `${letters}%` }", letters)
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_a_violation_is_found(page, running):
    page.goto(running.url)
    page.evaluate("document.body.append(document.createElement('button'))")
    found = " ".join(complaints_in_all_looks(page))
    assert [f"{width} {theme} button-name" in found for width, theme in LOOKS] == [True] * 2


def test_a_page_that_is_too_wide_is_found(page, running):
    page.goto(running.url)
    page.evaluate("document.querySelector('h1').style.minWidth = '400px'")
    assert too_wide(page) == ["wider than 320 at 100 %"]


def test_no_page_waits_for_more_than_two_style_sheets(olga, running, places):
    out = [httpx.get(running.url + path.format(**places), follow_redirects=True) for path in [*SIGNED_OUT, *PUBLIC]]
    answers = out + [olga.browser.get(path.format(**places), follow_redirects=True) for path in SIGNED_IN]
    assert {answer.text.count('rel="stylesheet"') for answer in answers} == {1, 2}


@pytest.mark.parametrize("path", PUBLIC)
def test_a_shared_board_has_no_violation(page, olga, places, path):
    assert violations(page, olga.url + path.format(**places)) == []


@pytest.mark.parametrize("path", SIGNED_OUT)
def test_a_public_page_has_no_violation(page, running, path):
    page.context.clear_cookies()
    assert violations(page, running.url + path) == []


@pytest.mark.parametrize("path", SIGNED_IN)
def test_a_page_for_signed_in_people_has_no_violation(page, olga, places, path):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    assert violations(page, olga.url + path.format(**places)) == []


@pytest.mark.parametrize(
    "keys, shown",
    [
        (["?"], "#help:modal"),
        (["Control+k"], "#command-palette:modal [role=option]"),
        (["/", "e"], "#head-options [role=option]"),
        (["j", "m"], "#move-dialog:modal [role=option]"),
        (["j", "Tab", "Enter"], "#tile-menu:popover-open"),
    ],
    ids=["help", "palette", "search", "move to", "menu of a tile"],
)
def test_what_keys_open_over_a_board_has_no_violation(page, olga, places, keys, shown):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(olga.url + places["board"])
    expect(page.locator("main[data-wired]")).to_be_visible()
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator(shown).first).to_be_visible()
    assert complaints_in_all_looks(page) == []


@pytest.mark.parametrize(
    "menu, entry",
    [(".boardbar .menu:has(> [aria-label='Board menu'])", "Copy board"), (".list[id] > header .menu", "Rename list")],
    ids=["board", "list"],
)
def test_an_open_menu_of_a_board_has_no_violation(page, olga, places, menu, entry):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(olga.url + places["board"])
    expect(page.locator("main[data-wired]")).to_be_visible()
    page.locator(menu).first.locator("> summary").click()
    expect(page.locator(menu).first.get_by_text(entry)).to_be_visible()
    assert complaints_in_all_looks(page) == []


def test_an_open_menu_of_the_search_has_no_violation(page, olga, places):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(f"{olga.url}/search?q=Donau")
    expect(page.locator("main[data-wired]")).to_be_visible()
    menu = page.locator(".narrowing > .menu", has=page.get_by_text("Assigned to"))
    menu.locator("> summary").click()
    menu.get_by_label("No one").check()
    expect(page.locator(".search-field > .clear-filter")).to_be_visible()
    assert complaints_in_all_looks(page) == []


def test_the_bar_of_selected_cards_and_its_menus_have_no_violation(page, olga, places):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(olga.url + places["board"])
    expect(page.locator("main[data-wired]")).to_be_visible()
    page.locator(".card > .title").first.click(modifiers=["ControlOrMeta"])
    bar = page.locator(".selection")
    expect(bar.locator(".menu").first).to_be_visible()
    assert complaints_in_all_looks(page) == []
    for menu in bar.locator(".menu").all():
        menu.locator("> summary").click()
        expect(menu.locator("> .items")).to_be_visible()
        assert complaints_in_all_looks(page) == []
        menu.locator("> summary").click()


def test_both_versions_of_a_description_have_no_violation(page, olga):
    card = olga.new_card(olga.new_board(), description="Before")
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(olga.url + card["url"])
    expect(page.locator("main[data-wired]")).to_be_visible()
    page.locator("[data-part=description] summary").click()
    text = page.get_by_role("textbox", name="Description")
    expect(text).to_be_focused()
    expect(text).to_have_attribute("contenteditable", "true")
    text.fill("Mine")
    olga.script.patch(f"/api/v1/cards/{card['id']}", json={"description": "Theirs"})
    page.keyboard.press("Control+Enter")
    both = page.locator(".both-versions")
    expect(both).to_contain_text("Theirs")
    assert complaints_in_all_looks(page) == []
    both.get_by_text("Overwrite with mine").click()
    expect(page.locator("[data-part=description] .prose")).to_have_text("Mine")


def test_the_share_dialog_has_no_violation(page, olga, places):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(olga.url + places["board"])
    expect(page.locator("main[data-wired]")).to_be_visible()
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.locator("#share-dialog:modal [name=email]")).to_be_focused()
    assert complaints_in_all_looks(page) == []


def test_saved_filters_and_a_collapsed_list_have_no_violation(page, olga, places):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(f"{olga.url}{places['board']}?done=0")
    expect(page.locator("main[data-wired]")).to_be_visible()
    if not page.locator(".list[data-collapsed]").count():
        page.locator(".list[id] .fold").first.focus()
        page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^(Star|Unstar) ")).click()
    page.keyboard.press("f")
    if not page.locator("[data-apply-filter]").count():
        page.get_by_text("Save filter…").click()
        page.locator("#filter-name").fill("Open")
        page.keyboard.press("Enter")
    expect(page.locator("[data-apply-filter]")).to_be_visible()
    page.locator(".saved-filters li summary").click()
    expect(page.get_by_role("button", name="Rename")).to_be_visible()
    assert complaints_in_all_looks(page) == []


def test_a_list_over_its_limit_covers_and_their_forms_have_no_violation(page, olga, places):
    page.context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page.goto(olga.url + places["board"])
    expect(page.locator("main[data-wired]")).to_be_visible()
    shown = page.locator(".list[id]:not([data-collapsed])").first
    shown.locator(".newcard > summary").click()
    for title in ("One", "Two"):
        page.keyboard.type(f"{title}\n")
        expect(shown.locator(".card", has_text=title).first).to_be_visible()
    page.keyboard.insert_text("Print it tomorrow\nFold it tomorrow")
    expect(page.locator(".newcard .chip")).to_have_count(1)
    assert complaints_in_all_looks(page) == []
    page.keyboard.press("Escape")
    shown.locator("header .menu > summary").click()
    page.get_by_role("button", name="Set card limit").click()
    expect(page.get_by_role("spinbutton", name="Card limit")).to_be_focused()
    page.keyboard.type("1")
    assert complaints_in_all_looks(page) == []
    page.keyboard.press("Enter")
    expect(shown.locator(".count.over")).to_be_visible()
    page.locator(".toasts .close").evaluate_all("buttons => buttons.forEach((button) => button.click())")
    shown.locator(".card").first.hover()
    shown.locator(".card").first.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Set cover color").click()
    dialog = page.get_by_role("dialog", name="Cover color")
    expect(dialog).to_be_visible()
    assert complaints_in_all_looks(page) == []
    dialog.get_by_role("button", name="Green").click()
    expect(shown.locator(".card .cover")).not_to_have_count(0)
    expect(dialog).to_be_hidden()
    assert complaints_in_all_looks(page) == []
    page.goto(olga.url + places["card"])
    page.locator("#choose-cover").click()
    expect(page.locator("#cover-4")).to_be_visible()
    assert complaints_in_all_looks(page) == []
    page.keyboard.press("Escape")
    page.locator("#choose-labels").click()
    page.locator("#new-label").fill("Another")
    expect(page.locator(".new-label input[type=radio]").first).to_be_visible()
    assert complaints_in_all_looks(page) == []
    page.locator("#new-comment").fill("Half a thought")
    expect(page.get_by_role("toolbar", name="Formatting")).to_be_visible()
    assert complaints_in_all_looks(page) == []
    page.get_by_label("Close card").click()
    expect(page.get_by_role("alertdialog", name="Discard changes?")).to_be_visible()
    assert complaints_in_all_looks(page) == []


def test_what_fingers_have_on_tiles_has_no_violation(axe, chrome, olga, places):
    context = chrome.new_context(
        base_url=olga.url,
        viewport={"width": 390, "height": 800},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": "sessionid", "value": olga.session, "url": olga.url}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.goto(places["board"])
        expect(page.locator(".card > .tile-more").first).to_be_visible()
        assert complaints(page) == []
    context.close()


def waiting(user: User) -> EmailAddress:
    return EmailAddress.objects.create(user=user, email="new@example.com")


def new_passkey(user: User) -> Authenticator:
    return Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "laptop"})


def reset_link(user: User) -> str:
    args = [user_pk_to_url_str(user), default_token_generator.make_token(user)]
    return reverse("account_reset_password_from_key", args=args)


LINKS = {
    "confirm an address": lambda: f"/account/email/{make_key(LinkPurpose.CONFIRM, waiting(person('olga')))}",
    "stop a change": lambda: f"/account/email/stop/{make_key(LinkPurpose.STOP, waiting(person('olga')))}",
    "remove a factor": lambda: f"/account/factor/{make_factor_key(new_passkey(person('olga')))}",
    "set a new password": lambda: reset_link(person("olga")),
    "first account": lambda: urlsplit(make_link()).path,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("link", LINKS)
def test_the_page_of_a_link_has_no_violation(page, live_server, link):
    page.context.clear_cookies()
    assert violations(page, live_server.url + LINKS[link]()) == []
    expect(page.locator("main form")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_the_page_that_asks_for_the_password_again_has_no_violation(page, live_server, client):
    client.force_login(person("olga"))
    session = client.session
    session[CONFIRMED_AT] = 0
    session.save()
    page.context.add_cookies([{"name": "sessionid", "value": session.session_key, "url": live_server.url}])
    page.goto(f"{live_server.url}/settings/tokens")
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("textbox", name="Password")).to_be_focused()
    assert complaints_in_all_looks(page) == []


def as_olga(page: Page, live_server, client) -> User:
    page.goto("about:blank")  # the last page may ask how its work goes on, and reload itself where it is gone
    user = person("olga")
    client.force_login(user)
    page.context.clear_cookies()
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    return user


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", PAGES)
def test_an_import_has_no_violation_in_any_state(page, live_server, client, state):
    row = import_in(state, as_olga(page, live_server, client))
    page.goto(live_server.url + row.get_absolute_url())
    for disclosure in page.locator(".disclosure > summary").all()[:2]:
        disclosure.click()
    assert complaints_in_all_looks(page) == []
    if row.can_be_taken_back:
        assert violations(page, live_server.url + reverse("import_taking_back", args=[row.pk])) == []
        assert violations(page, live_server.url + reverse("imports")) == []


@pytest.mark.django_db(transaction=True)
def test_a_refused_file_and_one_on_its_way_have_no_violation(page, live_server, client):
    as_olga(page, live_server, client)
    page.goto(live_server.url + reverse("imports"))
    form = page.locator("form[data-behaviour=upload][data-wired]")
    file = {"name": "a.json", "mimeType": "application/json", "buffer": b"{}"}
    form.locator("input[type=file]").set_input_files([file])
    intercept(page, "**/settings/data/import", lambda route: None, times=1)
    form.get_by_role("button", name="Continue").click()
    expect(form.get_by_role("progressbar", name="Upload")).to_be_visible()
    assert complaints_in_all_looks(page) == []
    form.get_by_role("button", name="Cancel").click()
    form.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert complaints_in_all_looks(page) == []


@pytest.mark.django_db(transaction=True)
def test_exports_in_all_states_have_no_violation(page, live_server, client):
    user = as_olga(page, live_server, client)
    board = create_board(actor=web(user), title="Launch")
    assert violations(page, f"{live_server.url}/settings/data?board={board.pk}") == []
    exports_in_all_states(user, board)
    assert violations(page, f"{live_server.url}/settings/data") == []
