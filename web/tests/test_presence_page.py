"""Presence, as the page of a board shows it, in Chromium. The tests play the server's end of the socket."""

import json
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from accounts.models import User
from conftest import join

pytestmark = pytest.mark.django_db(transaction=True)


def told(shown, *places):
    here = [[str(user.pk), str(card.pk) if card else "", typing] for user, card, typing in places]
    shown.socket.send(json.dumps({"board": str(shown.board.pk), "here": here}))


def test_others_are_shown_on_the_bar_the_tile_and_the_card(opened, olga, ed, vera, board, card):
    shown = opened(ed, card=card)
    told(shown, (ed, card, ""), (olga, card, "description"), (olga, None, ""), (vera, None, ""))
    expect(shown.page.locator("#members .avatar.here")).to_have_count(2)
    expect(shown.page.locator(f"#members [data-user='{olga.pk}'] .avatar")).to_have_attribute(
        "title", "Olga · here now"
    )
    expect(shown.page.locator(f"#members [data-user='{ed.pk}'] .avatar")).to_have_attribute("title", "Ed")
    expect(shown.tile(card).locator(".looking .avatar")).to_have_count(1)
    expect(shown.page.locator("[data-part=head] .looking .avatar")).to_have_count(1)
    expect(shown.page.locator("[data-part=head]")).to_contain_text("Olga is editing the description")
    told(shown, (ed, card, ""))
    expect(shown.page.locator(".here, .looking")).to_have_count(0)


def test_faces_stay_when_the_tile_and_the_members_are_replaced(opened, olga, ed, card, board):
    shown = opened(ed)
    told(shown, (ed, None, ""), (olga, card, ""))
    expect(shown.tile(card).locator(".looking .avatar")).to_have_count(1)
    shown.reload()
    shown.tell(card)
    expect(shown.tile(card).locator(".looking .avatar")).to_have_count(1)


def test_the_page_says_which_card_is_open_and_where_its_reader_types(opened, ed, card):
    shown = opened(ed)

    def tells(does, *place: str) -> None:
        """Hold that the page tells this place after that. It may tell others before: it says when typing ends, too."""

        def is_told(request) -> bool:
            form = parse_qs(request.post_data or "", keep_blank_values=True)
            return request.url.endswith("/presence") and (form["card"][0], form["typing"][0]) == place

        with shown.page.expect_request(is_told) as sent:
            does()
        form = parse_qs(sent.value.post_data, keep_blank_values=True)
        assert form["page"][0] == shown.page.evaluate("document.querySelector('main').dataset.page")
        assert sent.value.response().status == 204

    tells(lambda: shown.tile(card).locator(".title").click(), str(card.pk), "")
    tells(lambda: shown.page.locator("#new-comment").press_sequentially("a"), str(card.pk), "comment")
    tells(lambda: shown.page.keyboard.press("Control+Enter"), str(card.pk), "")  # it is sent
    tells(lambda: shown.page.get_by_label("Close card").click(), "", "")
    assert shown.errors == []


def test_who_is_here_has_a_face_on_the_bar_before_those_who_are_not(opened, ed, olga, board):
    """The bar has room for six of the eight members."""
    for number in range(5):
        join(User.objects.create_user(f"{number}@example.com", name=f"Member {number}"), board)
    shown = opened(ed)
    last = shown.page.locator("#members [data-user]").last
    expect(shown.page.locator("#members [data-user]:visible")).to_have_count(6)
    expect(last).to_be_hidden()
    told(shown, (User.objects.get(pk=last.get_attribute("data-user")), None, ""))
    expect(last).to_be_visible()
    expect(shown.page.locator("#members [data-user]:visible")).to_have_count(6)
    told(shown)
    expect(last).to_be_hidden()
