"""The row below a board's head while a filter is on: its conditions, each with what takes it away, and how many cards it keeps."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.labels import create_label, delete_label
from boards.models import Board
from boards.reader import MEMBERS
from conftest import web
from web.live.catchup import changes_since
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.looking import box, widest

STATUS = "#filter-bar [role=status]"


@pytest.fixture
def cards(olga, board, todo, doing):
    """Two of these five match "roof"; one of the two is done."""
    titles = ("Mend the roof", "Roof of the shed", "Wall", "Door")
    made = [create_card(actor=web(olga), list_id=todo.pk, title=title) for title in titles]
    complete_card(actor=web(olga), card_id=made[1].pk)
    return [*made, create_card(actor=web(olga), list_id=doing.pk, title="Fence")]


def chips(page) -> list[tuple[str, str]]:
    """Return the words of each chip, and the address to which it leads."""
    found = re.findall(r'class="chip" href="([^"]*)".*?<span dir="auto">(.*?)</span>', page.content.decode(), re.DOTALL)
    return [(words, address.replace("&amp;", "&")) for address, words in found]


def test_each_condition_has_a_chip_that_leads_to_the_filter_without_it(olga, ed, board, cards):
    labels = [create_label(actor=web(olga), board_id=board.pk, name=name, hue=1).pk for name in ("Out", "In")]
    query = {"q": "roof", "label": labels, "who": ["me", olga.pk], "due": "none", "done": "0", "changed": "day"}
    found = chips(browser(ed).get(f"/board/{board.pk}?{urlencode(query, doseq=True)}"))
    assert [words for words, _address in found] == [
        "Text: roof",
        "Labels: Out, In",
        "Assigned to: Me, Olga",
        "Due: No due date",
        "Status: Not done",
        "Changed: In the last 24 hours",
    ]
    for name, (_words, address) in zip(query, found, strict=True):
        rest = urlencode({key: value for key, value in query.items() if key != name}, doseq=True)
        assert address == f"/board/{board.pk}?{rest}"


def test_the_chip_of_the_only_condition_leads_to_all_cards(ed, board, cards):
    page = browser(ed).get(f"/board/{board.pk}?q=roof")
    assert chips(page) == [("Text: roof", f"/board/{board.pk}")]
    assert "2 of 5 cards" in text_of(page)


def test_a_label_and_a_person_that_are_gone_are_said_to_be(stan, ed, board, cards):
    label = create_label(actor=web(ed), board_id=board.pk, name="Out", hue=1)
    delete_label(actor=web(ed), label_id=label.pk)
    page = browser(ed).get(f"/board/{board.pk}?label={label.pk}&who={stan.pk}")
    assert [words for words, _address in chips(page)] == ["Labels: Deleted label", "Assigned to: Former member"]


def test_a_board_without_a_filter_has_no_row_of_chips(ed, board, cards):
    client = browser(ed)
    for address in (f"/board/{board.pk}", f"/board/{board.pk}?due=someday"):
        assert 'id="filter-bar"' not in client.get(address).content.decode()
    assert 'id="filter-bar"' not in client.get(f"/board/{board.pk}/lists?", **SCRIPTED).content.decode()


@pytest.mark.django_db(transaction=True)
def test_chips_are_taken_away_by_keyboard_one_after_another(opened, ed, board, cards):
    page = opened(ed).page
    page.goto(f"/board/{board.pk}?q=roof&done=0")
    expect(page.locator("main[data-wired]")).to_be_visible()
    expect(page.locator(STATUS)).to_have_text("1 of 5 cards")
    expect(page.locator("[data-filter-button] [data-kinds]")).to_have_text("2")
    page.get_by_role("link", name="Remove “Text: roof”").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?done=0$"))
    expect(page.locator(STATUS)).to_have_text("4 of 5 cards")
    expect(page.get_by_role("link", name="Remove “Status: Not done”")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#filter-bar")).to_have_count(0)
    expect(page.locator("[data-filter-button]")).to_be_focused()
    expect(page.locator(".card")).to_have_count(5)
    page.go_back()
    expect(page.locator("#filter-bar .chip")).to_have_text("Status: Not done")


@pytest.mark.django_db(transaction=True)
def test_the_row_comes_with_a_filter_and_follows_what_is_chosen_in_the_open_panel(opened, ed, board, cards):
    page = opened(ed).page
    page.keyboard.press("f")
    panel, status = page.locator("#filter-panel"), page.locator(STATUS)
    panel.get_by_label("Text or number").fill("roof")
    expect(status).to_have_text("2 of 5 cards")
    status.evaluate("status => { window.first = status }")
    panel.get_by_label("Not done").check()
    expect(status).to_have_text("1 of 5 cards")
    assert status.evaluate("status => status === window.first"), "what changes in it is announced"
    page.get_by_role("link", name="Remove “Text: roof”").click()
    expect(panel.get_by_label("Text or number")).to_have_value("")
    expect(status).to_have_text("4 of 5 cards")


@pytest.mark.django_db(transaction=True)
def test_the_number_of_cards_follows_those_that_come_go_and_change(opened, olga, ed, board, todo, cards):
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=roof")
    expect(shown.page.locator("main[data-wired] [data-wired]#filter-bar")).to_be_visible()
    status = shown.page.locator(STATUS)

    def then(said, change, **fields):
        since = Board.objects.get(pk=board.pk).version
        change(actor=web(olga), **fields)
        shown.socket.send(changes_since(board.pk, since, "en", None, MEMBERS).text)
        expect(status).to_have_text(said)

    then("3 of 6 cards", create_card, list_id=todo.pk, title="Roof rack")
    then("2 of 6 cards", update_card, card_id=cards[0].pk, title="Mend the floor")
    then("2 of 5 cards", archive_card, card_id=cards[2].pk)
    then("1 of 4 cards", archive_card, card_id=cards[1].pk)


@pytest.mark.django_db(transaction=True)
def test_a_phone_scrolls_the_row_and_has_room_for_fingers(show, ed, board, cards):
    query = "q=roof&who=me&who=nobody&due=none&done=0&changed=day&changed=week"
    page = show(f"{board.get_absolute_url()}?{query}", ed, width=360)
    assert widest(page, "body") <= 0
    bar, lists = box(page.locator("#filter-bar")), box(page.locator(".lists"))
    assert bar["bottom"] - bar["top"] < 60
    assert bar["bottom"] <= lists["top"]
    for target in page.locator("#filter-bar a").all():
        assert box(target)["bottom"] - box(target)["top"] >= 44
