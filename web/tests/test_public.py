"""The pages of a public link: what they show for each choice, what they never show, what they refuse."""

import re
from datetime import timedelta
from itertools import product
from unittest.mock import Mock

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.models import User
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.people.members import change_role
from boards.actions.sharing.public_links import (
    change_public_link,
    create_public_link,
    renew_public_link,
    withdraw_public_link,
)
from boards.models import Activity, PublicLink
from boards.reader import MEMBERS
from boards.reading.public import view_by
from boards.tests.world import World
from conftest import web
from core.limits.turns import Busy
from web.boards.columns import shelf
from web.changes import changed_and_removed
from web.live.catchup import changes_since
from web.public import access
from web.unlocking import unlock

PARTS = {"HX-Request": "true"}
NAMES = ("Olga", "Ed", "Vera", "Stan", "Will", "Hugo", "Gina")


@pytest.fixture
def visitor() -> Client:
    return Client()


@pytest.fixture
def shared(world: World) -> World:
    """A board whose texts mention people, and one of whose people has no name."""
    User.objects.filter(pk=world.vera.pk).update(name="", email="vera.private@example.com")
    for user in (world.ed, world.vera):
        user.refresh_from_db()
    mention = (
        f"[@{world.ed.display_name}](mention:{world.ed.pk}) and [@{world.vera.display_name}](mention:{world.vera.pk})"
    )
    update_card(actor=world.by_olga, card_id=world.card.pk, description=f"Ask {mention} about the roof")
    add_comment(actor=world.by_olga, card_id=world.card.pk, text=f"Remarkable: {mention}")
    return world


def choose(world: World, **choices: object) -> PublicLink:
    defaults = {"expires_at": None, "shows_comments": False, "shows_names": False, "frames": ""}
    return change_public_link(actor=world.by_olga, board_id=world.board.pk, **defaults | choices)


def everything_shown(world: World, visitor: Client) -> str:
    """Return all that a visitor can get: pages, parts, and what the socket sends; each with its headers."""
    link = PublicLink.objects.get(board=world.board)
    base = f"/public/{link.key}"
    addresses = [base, f"{base}?card={world.card.pk}", f"{base}?list={world.todo.pk}"]
    parts = [f"{base}/lists", f"{base}/list/{world.todo.pk}/cards", f"{base}/card/{world.card.pk}"]
    answers = [visitor.get(one) for one in addresses] + [visitor.get(one, headers=PARTS) for one in parts]
    assert [answer.status_code for answer in answers] == [200] * 6
    created = Activity.objects.get(board=world.board, verb="link.created").version
    updates = [changes_since(world.board.pk, since, "en", None, view_by(link)) for since in (-1, created)]
    return "\n".join([*(f"{one.headers} {one.text} {one.cookies}" for one in answers), *(one.text for one in updates)])


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("comments, names", [*product([False, True], repeat=2)])
def test_only_what_was_chosen_is_shown(comments, names, shared: World, visitor):
    choose(shared, shows_comments=comments, shows_names=names)
    html = everything_shown(shared, visitor)
    assert "First" in html
    assert "about the roof" in html
    assert ("Remarkable" in html) is comments
    for name in NAMES:
        assert not re.search(rf"\b{name}\b", html) or (names and name in ("Ed", "Olga")) or (comments and "By" in html)
    if not names:
        without_texts = re.sub(r"By \w+", "", html)  # what people typed themselves
        assert not any(re.search(rf"\b{name}\b", without_texts) for name in NAMES)
    else:
        assert "Ed" in html
    users = User.objects.all()
    secrets = [str(user.pk) for user in users] + [user.email for user in users] + ["vera.private", "@example.com"]
    secrets += [
        str(shared.board.pk),
        "csrfmiddlewaretoken",
        "Gone",
        "Hidden",
        "laptop",
        "moved the card",
        "link.changed",
    ]
    assert [secret for secret in secrets if secret in html] == []
    assert "<form" not in html


def test_a_visitor_gets_no_cookie_and_browsers_and_robots_are_told_to_keep_nothing(shared, visitor):
    answer = visitor.get(f"/public/{shared.link.key}")
    assert not visitor.cookies
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"].startswith("noindex")
    assert re.findall("<title>(.*)</title>", answer.text) == ["Shared board · Taskboard"]
    assert re.findall('og:title" content="(.*)"', answer.text) == ["Shared board"]


def test_the_page_is_in_the_language_of_the_browser(shared, visitor):
    answer = visitor.get(f"/public/{shared.link.key}", headers={"Accept-Language": "de"})
    assert '<html lang="de"' in answer.text


def test_who_is_a_member_finds_the_way_to_the_board(shared, visitor):
    address = f"/public/{shared.link.key}"
    assert "Open as member" not in visitor.get(address).text
    visitor.force_login(shared.stan)
    assert "Open as member" not in visitor.get(address).text
    visitor.force_login(shared.vera)
    assert shared.board.get_absolute_url() in visitor.get(address).text


@pytest.mark.parametrize("why", ["wrong", "withdrawn", "expired", "renewed", "operator"])
def test_every_address_that_shows_nothing_is_answered_alike(why, shared, visitor, settings):
    key = shared.link.key
    match why:
        case "wrong":
            key = "A" * 43
        case "withdrawn":
            withdraw_public_link(actor=shared.by_olga, board_id=shared.board.pk)
        case "expired":
            PublicLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "renewed":
            renew_public_link(actor=shared.by_olga, board_id=shared.board.pk)
        case "operator":
            settings.PUBLIC_LINKS = False
    other = visitor.get("/public/nonsense")
    answer = visitor.get(f"/public/{key}")
    assert (answer.status_code, answer.text) == (404, other.text)
    assert dict(answer.headers) == dict(other.headers)
    assert answer["Referrer-Policy"] == "no-referrer"
    for part in ("lists", f"list/{shared.todo.pk}/cards", f"card/{shared.card.pk}"):
        assert visitor.get(f"/public/{key}/{part}", headers=PARTS).status_code == 404


def test_ids_of_another_board_are_not_found_by_the_link(shared, visitor):
    key = create_public_link(actor=shared.by_olga, board_id=shared.plain.pk).key
    for part in (
        f"list/{shared.todo.pk}/cards",
        f"card/{shared.card.pk}",
        f"card/{shared.gone_card.pk}",
        f"card/{uuid7()}",
    ):
        assert visitor.get(f"/public/{key}/{part}", headers=PARTS).status_code == 404
    assert visitor.get(f"/public/{key}?card={shared.card.pk}").status_code == 404
    assert visitor.get(f"/public/{key}?list={shared.todo.pk}").status_code == 404
    for part in (f"list/{shared.gone_list.pk}/cards", f"card/{shared.gone_card.pk}", f"card/{shared.hidden_card.pk}"):
        assert visitor.get(f"/public/{shared.link.key}/{part}", headers=PARTS).status_code == 404


def test_nobody_changes_anything_by_the_link(shared, visitor):
    for part in ("", "/lists", f"/list/{shared.todo.pk}/cards", f"/card/{shared.card.pk}"):
        assert visitor.post(f"/public/{shared.link.key}{part}").status_code == 405


def test_only_the_owner_switches_it_on(world: World):
    for user, status in ((world.olga, 302), (world.ed, 403), (world.vera, 403), (world.stan, 404)):
        client = Client()
        client.force_login(user)
        form = {"embedding": "nobody", "shows_comments": "on"}
        assert client.post(f"/board/{world.plain.pk}/public-link", form).status_code == status
        assert PublicLink.objects.filter(board=world.plain).exists()
    assert PublicLink.objects.get(board=world.plain).shows_comments


def test_the_button_of_share_leaves_a_link_as_it_is_that_was_made_meanwhile(world: World, client):
    client.force_login(world.olga)
    address = f"/board/{world.plain.pk}/public-link"
    for form in ({"embedding": "nobody", "expires": "2099-01-02"}, {}):
        assert client.post(address, form).status_code == 302
    assert PublicLink.objects.get(board=world.plain).expires_at


def test_a_form_about_a_link_that_was_switched_off_meanwhile_switches_none_on(shared: World, client):
    client.force_login(shared.olga)
    address = f"/board/{shared.board.pk}/public-link"
    form = {"embedding": "nobody", "link": re.search(r'name="link" value="([^"]+)"', client.get(address).text)[1]}
    assert client.post(address, form).status_code == 302
    withdraw_public_link(actor=shared.by_olga, board_id=shared.board.pk)
    assert client.post(address, form).status_code == 404
    assert not PublicLink.objects.filter(board=shared.board).exists()


def test_the_page_that_shows_the_address_is_not_compressed(shared: World, client):
    """From the lengths of compressed pages, an editor who chooses the title could guess the key that stands beside it."""
    client.force_login(shared.olga)
    page = client.get(f"/board/{shared.board.pk}/public-link", headers={"Accept-Encoding": "gzip"})
    assert shared.link.key in page.text
    assert "Content-Encoding" not in page


def test_the_form_says_what_is_wrong(world: World, client):
    client.force_login(world.olga)
    address = f"/board/{world.board.pk}/public-link"
    for form, words in (
        ({"embedding": "sites"}, "at least one site"),
        ({"embedding": "sites", "frames": "example.com"}, "not the address of a site"),
        ({"embedding": "anybody", "password": "correct horse"}, "cannot be embedded"),
        ({"embedding": "nobody", "password": "short"}, "8 to 128"),
        ({"embedding": "nobody", "expires": "2001-01-01"}, "today or a later day"),
        ({"embedding": "nobody", "expires": "soon"}, "valid date"),
    ):
        answer = client.post(address, form)
        assert (answer.status_code, words in answer.text) == (422, True), words
    assert client.get(address).status_code == 200


def test_a_day_ends_in_the_time_zone_of_the_owner(world: World, client):
    world.olga.time_zone = "Asia/Tokyo"
    world.olga.save()
    client.force_login(world.olga)
    client.post(f"/board/{world.board.pk}/public-link", {"embedding": "nobody", "expires": "2099-01-02"})
    assert PublicLink.objects.get(board=world.board).expires_at.isoformat() == "2099-01-02T14:59:59+00:00"


def test_a_password_opens_the_board_until_it_is_changed(shared, visitor):
    choose(shared, password="correct horse")
    address, card = f"/public/{shared.link.key}", f"card={shared.card.pk}"
    asked = visitor.get(f"{address}?{card}")
    assert (asked.status_code, "First" in asked.text, "Launch" in asked.text) == (200, False, False)
    assert visitor.get(f"{address}/card/{shared.card.pk}", headers=PARTS).status_code == 404
    wrong = visitor.post(f"{address}/unlocking?{card}", {"password": "wrong horse"})
    assert (wrong.status_code, "Incorrect password" in wrong.text, bool(visitor.cookies)) == (403, True, False)
    right = visitor.post(f"{address}/unlocking?{card}", {"password": "correct horse"})
    assert (right.status_code, right["Location"]) == (302, f"{address}?{card}")
    [cookie] = visitor.cookies.values()
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "First" in visitor.get(right["Location"]).text
    choose(shared, password="another horse")
    assert "First" not in visitor.get(address).text
    visitor.post(f"{address}/unlocking", {"password": "another horse"})
    assert "First" in visitor.get(address).text
    renewed = renew_public_link(actor=shared.by_olga, board_id=shared.board.pk)
    assert "First" not in visitor.get(f"/public/{renewed.key}").text


def test_behind_https_the_cookie_is_held_to_this_host(shared, visitor, settings):
    settings.HTTPS = True
    choose(shared, password="correct horse")
    visitor.post(f"/public/{shared.link.key}/unlocking", {"password": "correct horse"})
    cookie = visitor.cookies[f"__Host-public-{shared.link.pk.hex}"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


def test_the_cookie_of_one_link_opens_no_other(shared, visitor):
    choose(shared, password="correct horse")
    visitor.post(f"/public/{shared.link.key}/unlocking", {"password": "correct horse"})
    other = create_public_link(actor=shared.by_olga, board_id=shared.plain.pk, password="correct horse")
    [cookie] = visitor.cookies.values()
    visitor.cookies[f"public-{other.pk.hex}"] = cookie.value
    assert "Plain" not in visitor.get(f"/public/{other.key}").text


def test_a_password_that_finds_no_turn_to_be_checked_counts_as_no_try(shared, visitor, settings, monkeypatch):
    settings.LIMITS = settings.LIMITS | {"public-password": "1/10m"}
    choose(shared, password="correct horse")
    address = f"/public/{shared.link.key}/unlocking"
    with monkeypatch.context() as others:
        others.setattr(access, "check_password", Mock(side_effect=Busy))
        assert [visitor.post(address, {"password": "correct horse"}).status_code for _ in range(2)] == [503, 503]
    assert visitor.post(address, {"password": "correct horse"}).status_code == 302


@pytest.mark.usefixtures("stopped_clock")
def test_passwords_are_tried_a_few_times_for_each_address_and_link(shared, visitor, settings):
    settings.LIMITS = settings.LIMITS | {"public-password": "2/10m"}
    choose(shared, password="correct horse")
    address = f"/public/{shared.link.key}/unlocking"
    statuses = [visitor.post(address, {"password": "wrong horse"}).status_code for _ in range(3)]
    assert statuses == [403, 403, 429]
    assert visitor.post(address, {"password": "correct horse"}).status_code == 429
    elsewhere = visitor.post(address, {"password": "correct horse"}, REMOTE_ADDR="192.0.2.9")
    assert elsewhere.status_code == 302


@pytest.mark.usefixtures("stopped_clock")
def test_strangers_cannot_use_up_the_tries_of_everybody(shared, visitor, settings):
    settings.LIMITS = settings.LIMITS | {"public-password-link": "20/d"}
    choose(shared, password="correct horse")
    address = f"/public/{shared.link.key}/unlocking"

    def wrong(host: str) -> int:
        return visitor.post(address, {"password": "wrong horse"}, REMOTE_ADDR=host).status_code

    assert [wrong(f"2001:db8:0:{number:x}::1") for number in range(30)] == [403] * 23 + [429] * 7
    assert [wrong("192.0.2.9") for _ in range(2)] == [403, 403]
    assert visitor.post(address, {"password": "correct horse"}, REMOTE_ADDR="192.0.2.9").status_code == 302


@pytest.mark.usefixtures("stopped_clock")
def test_a_browser_that_was_let_in_before_has_tries_of_its_own(shared, visitor, settings):
    settings.LIMITS = settings.LIMITS | {"public-password-link": "0/d", "own-tries": "0/d"}
    choose(shared, password="correct horse")
    address = f"/public/{shared.link.key}/unlocking"
    assert visitor.post(address, {"password": "correct horse"}).status_code == 429
    unlock(known := HttpResponse(), shared.link, "")
    visitor.cookies.update(known.cookies)
    choose(shared, password="another horse")
    assert visitor.post(address, {"password": "wrong horse"}).status_code == 403
    assert visitor.post(address, {"password": "another horse"}).status_code == 302
    assert "First" in visitor.get(f"/public/{shared.link.key}").text


@pytest.mark.usefixtures("stopped_clock")
def test_a_flood_of_one_address_does_not_reach_others(shared, visitor, settings):
    settings.LIMITS = settings.LIMITS | {"public-pages": "3/m", "public-parts": "2/m"}
    address = f"/public/{shared.link.key}"
    assert [visitor.get(address).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert [visitor.get(f"{address}/lists", headers=PARTS).status_code for _ in range(3)] == [200, 200, 429]
    assert visitor.get(address, REMOTE_ADDR="192.0.2.9").status_code == 200


def test_nobody_embeds_the_board_unless_its_owner_says_who(shared, visitor):
    address = f"/public/{shared.link.key}"

    def who() -> tuple[str | None, str]:
        answer = visitor.get(address)
        found = re.search("frame-ancestors ([^;]*)", answer["Content-Security-Policy"])
        return answer.headers.get("X-Frame-Options"), found[1] if found else ""

    assert who() == ("DENY", "'none'")
    choose(shared, frames="https://example.com http://localhost:3000")
    assert who() == (None, "https://example.com http://localhost:3000")
    choose(shared, frames="*")
    assert who() == (None, "*")
    assert "script-src 'self'" in visitor.get(address)["Content-Security-Policy"]
    choose(shared, password="correct horse")
    assert who() == ("DENY", "'none'")


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("names", [False, True])
def test_the_page_takes_a_known_number_of_statements(names, shared, visitor):
    choose(shared, shows_names=names, shows_comments=names)
    address = f"/public/{shared.link.key}"

    def statements(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert visitor.get(path).status_code == 200
        return len(queries)

    shelf.__init__()
    first, again = statements(address), statements(address)
    create_card(actor=shared.by_olga, list_id=shared.todo.pk, title="Another")
    assert again == 2 + names  # the link with its board, the last change; the members, whose names are shown
    assert first == again + 3
    assert statements(address) <= first + 1
    assert statements(f"{address}?card={shared.card.pk}") == again + (10 if names else 5)


def test_the_service_takes_no_link_for_a_token(shared, visitor):
    header = {"Authorization": f"Bearer {shared.link.key}"}
    assert visitor.get("/api/v1/boards", headers=header).status_code == 401
    assert visitor.post("/api/v1/mcp", {}, headers=header).status_code in (401, 404)


def test_members_see_that_the_board_is_shared(shared, client):
    change_role(actor=shared.by_olga, board_id=shared.board.pk, user_id=shared.vera.pk, role="editor")
    client.force_login(shared.vera)
    page = client.get(f"/board/{shared.board.pk}/settings").text
    assert "anyone with the link" in page
    assert shared.link.key not in page


@pytest.mark.parametrize("who", ["olga", "vera"])
def test_members_see_on_the_board_that_it_has_a_public_link(shared, client, who):
    client.force_login(getattr(shared, who))
    head = client.get(f"/board/{shared.board.pk}").text.split("</h1>")[1].split("</details>")[0]
    assert head.count("Public link") == 2  # for the owner a link to its settings, for others words; CSS shows one
    assert f'href="/board/{shared.board.pk}/public-link"' in head
    assert shared.link.key not in head
    PublicLink.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert "badge shared" not in client.get(f"/board/{shared.board.pk}").text


def test_the_badge_comes_and_goes_live(olga, board):
    for act in (create_public_link, withdraw_public_link):
        board.refresh_from_db()
        since = board.version
        act(actor=web(olga), board_id=board.pk)
        [head] = changed_and_removed(board.pk, since, 0, MEMBERS).changed
        assert (head["kind"], "badge shared" in head["html"]) == ("board", act is create_public_link)


def test_where_links_are_forbidden_no_board_is_told_to_have_one(shared, client, settings):
    settings.PUBLIC_LINKS = False
    client.force_login(shared.vera)
    assert "badge shared" not in client.get(f"/board/{shared.board.pk}").text
