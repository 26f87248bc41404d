"""The filter of a board: in the address, evaluated by the server, followed by what others change."""

import re
from datetime import date, timedelta
from urllib.parse import urlencode

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from boards.actions.boards.board import create_board
from boards.actions.boards.board_views import save_filter
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from boards.models import Board, Card
from boards.reader import MEMBERS
from boards.reading import columns
from boards.reading.overviews import counted_lists
from boards.reading.search_words import QUERY
from conftest import web
from web.live.catchup import changes_since
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.held import A_CARD, Held, held_changes


@pytest.fixture
def cards(olga, ed, board, todo, doing):
    """Cards that each differ from the others in one kind."""
    made = {
        name: create_card(actor=web(olga), list_id=todo.pk, title=title)
        for name, title in {"roof": "Mend the roof", "wall": "Paint the wall", "done": "Sweep", "late": "Pay"}.items()
    }
    made["far"] = create_card(actor=web(olga), list_id=doing.pk, title="Roof of the shed")
    complete_card(actor=web(olga), card_id=made["done"].pk)
    update_card(actor=web(olga), card_id=made["late"].pk, due_at=timezone.now() - timedelta(days=400))
    assign(actor=web(olga), card_id=made["wall"].pk, user_id=ed.pk)
    assign(actor=web(olga), card_id=made["late"].pk, user_id=olga.pk)
    return made


def kept(client, board, **query) -> set[str]:
    page = client.get(f"/board/{board.pk}?{urlencode(query, doseq=True)}").content.decode()
    titles = re.findall(r'<a class="title[^"]*"[^>]*>([^<]*) <span', page)
    return {title.strip() for title in titles}


ROOF, WALL, DONE, LATE, FAR = "Mend the roof", "Paint the wall", "Sweep", "Pay", "Roof of the shed"


def test_a_whole_day_is_overdue_when_it_is_over_for_the_reader(olga, ed, board, todo):
    User.objects.filter(pk=ed.pk).update(time_zone="Pacific/Auckland")
    User.objects.filter(pk=olga.pk).update(time_zone="America/Los_Angeles")
    with time_machine.travel("2026-05-04 18:00Z", tick=False):  # the 5th in Auckland, the 4th in Los Angeles
        create_card(actor=web(ed), list_id=todo.pk, title=ROOF, due_day=date(2026, 5, 4))
        assert kept(browser(ed), board, due="overdue") == {ROOF}
        assert kept(browser(olga), board, due="overdue") == set()
        users = [User.objects.get(pk=user.pk) for user in (ed, olga)]
        assert [counted_lists([board.pk], [], user)[board.pk][0].counts.overdue for user in users] == [1, 0]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "query, titles",
    [
        ({"q": "roof"}, {ROOF, FAR}),
        ({"q": "ROOF mend"}, {ROOF}),
        ({"q": "#2"}, {WALL}),
        ({"who": "me"}, {WALL}),
        ({"who": "nobody"}, {ROOF, DONE, FAR}),
        ({"who": ["me", "nobody"]}, {ROOF, WALL, DONE, FAR}),
        ({"due": "overdue"}, {LATE}),
        ({"due": "none", "done": "0"}, {ROOF, WALL, FAR}),
        ({"done": "1"}, {DONE}),
        ({"done": ["0", "1"]}, {ROOF, WALL, DONE, LATE, FAR}),
        ({"changed": "day"}, {ROOF, WALL, DONE, LATE, FAR}),
        ({"q": "roof", "who": "me"}, set()),
        ({"due": "someday", "who": "x", "label": "1"}, {ROOF, WALL, DONE, LATE, FAR}),
    ],
)
def test_kinds_are_combined_by_and_and_values_by_or(ed, board, cards, query, titles):
    assert kept(browser(ed), board, **query) == titles


def test_a_filter_by_labels_keeps_cards_with_any_of_them(olga, ed, board, cards):
    labels = [create_label(actor=web(olga), board_id=board.pk, name=name, hue=1) for name in ("Out", "In", "Up")]
    for name, label in (("roof", labels[0]), ("wall", labels[1])):
        add_label(actor=web(olga), card_id=cards[name].pk, label_id=label.pk)
    assert kept(browser(ed), board, label=[labels[0].pk, labels[1].pk]) == {ROOF, WALL}
    assert kept(browser(ed), board, label=labels[2].pk) == set()


def test_a_person_is_named_by_their_id(olga, ed, board, cards):
    assert kept(browser(ed), board, who=olga.pk) == {LATE}


def test_today_and_this_week_are_those_of_the_readers_time_zone(olga, ed, board, cards):
    User.objects.filter(pk=ed.pk).update(time_zone="Pacific/Auckland")  # 13 hours ahead of UTC in December
    with time_machine.travel("2026-12-02T12:00:00Z", tick=False):  # a Wednesday; in Auckland it is Thursday already
        update_card(actor=web(olga), card_id=cards["roof"].pk, due_at=timezone.now() + timedelta(hours=5))
        update_card(actor=web(olga), card_id=cards["wall"].pk, due_at=timezone.now() - timedelta(hours=5))
        update_card(actor=web(olga), card_id=cards["far"].pk, due_at=timezone.now() + timedelta(days=5))
        assert kept(browser(ed), board, due="today") == {ROOF}
        assert kept(browser(olga), board, due="today") == {ROOF, WALL}
        assert kept(browser(ed), board, due="week") == {ROOF, WALL}


@pytest.mark.parametrize(
    "start,kept_days",
    [("monday", {23, 28, 29}), ("sunday", {22, 23, 28}), ("saturday", {21, 22, 23}), ("", {22, 23, 28})],
)
def test_this_week_begins_on_the_day_that_the_reader_chose(ed, board, todo, start, kept_days):
    User.objects.filter(pk=ed.pk).update(week_start=start)
    for day in (20, 21, 22, 23, 28, 29, 30):
        create_card(actor=web(ed), list_id=todo.pk, title=str(day), due_day=date(2026, 11, day))
    with time_machine.travel("2026-11-25T12:00:00Z", tick=False):  # a Wednesday
        found = kept(browser(ed), board, due="week")
    assert found == {str(day) for day in kept_days}


def test_cards_that_changed_lately_are_kept(olga, ed, board, cards):
    Card.objects.exclude(pk=cards["roof"].pk).update(updated_at=timezone.now() - timedelta(days=3))
    assert kept(browser(ed), board, changed="day") == {ROOF}
    assert len(kept(browser(ed), board, changed="week")) == 5


def test_a_list_says_how_many_of_its_cards_are_kept(ed, board, cards):
    page = browser(ed).get(f"/board/{board.pk}?q=roof").content.decode()
    assert re.findall(r'class="count" title="Cards">\s*([^<]*?)\s*</span>', page) == ["1 of 4", "1 of 1"]


def test_an_absurd_filter_is_refused_with_words(ed, board):
    client = browser(ed)
    assert client.get(f"/board/{board.pk}", {"q": "x" * (QUERY + 1)}).status_code == 422
    assert client.get(f"/board/{board.pk}", {"who": ["me"] * 51}).status_code == 422
    assert client.get(f"/board/{board.pk}/matches", {"card": ["x"] * 501}, **SCRIPTED).status_code == 422


def test_a_filter_cannot_reach_cards_of_other_boards(stan, ed, board, cards):
    other = create_board(actor=web(stan), title="Stan's")
    row = create_list(actor=web(stan), board_id=other.pk, title="List")
    foreign = create_card(actor=web(stan), list_id=row.pk, title="Secret roof")
    answer = (
        browser(ed)
        .get(f"/board/{board.pk}/matches?q=roof&card={foreign.pk}&card={cards['roof'].pk}&list={row.pk}", **SCRIPTED)
        .content.decode()
    )
    assert f'data-matches="{cards["roof"].pk}"' in answer
    assert str(row.pk) not in answer


def test_the_parts_of_a_list_are_filtered_too(monkeypatch, olga, ed, board, todo):
    monkeypatch.setattr(columns, "WHOLE", 2)
    monkeypatch.setattr(columns, "CARDS", 2)
    for number in range(10):
        create_card(actor=web(olga), list_id=todo.pk, title=f"{'Even' if number % 2 == 0 else 'Odd'} {number}")
    client = browser(ed)
    page = client.get(f"/board/{board.pk}?q=even").content.decode()
    assert re.findall(r"Even \d|Odd \d", page) == ["Even 0", "Even 2"]
    start = re.search(r'data-next="([0-9a-f]+)"', page)[1]
    part = client.get(f"/list/{todo.pk}/cards?from={start}&q=even", **SCRIPTED).content.decode()
    assert re.findall(r"Even \d|Odd \d", part) == ["Even 4", "Even 6", "Even 8"]
    assert 'data-total="5" data-all="10"' in part


def test_the_form_shows_what_is_chosen_and_works_without_scripts(ed, board, cards):
    page = browser(ed).get(f"/board/{board.pk}/filter?q=roof&due=today").content.decode()
    assert f'action="/board/{board.pk}"' in page
    assert 'name="q" value="roof"' in page
    assert re.findall(r'name="(\w+)" value="(\w+)" checked', page) == [("due", "today")]


def test_a_filtered_board_takes_as_many_statements_for_many_cards_as_for_few(olga, ed, board, todo, cards):
    client, taken = browser(ed), []
    for _time in range(2):
        with CaptureQueriesContext(connection) as found:
            client.get(f"/board/{board.pk}?q=roof&who=nobody&due=none&done=0&changed=day")
        taken.append(len(found))
        for number in range(5):
            create_card(actor=web(olga), list_id=todo.pk, title=f"Roof {number}")
    assert taken[0] == taken[1]


def markers(answer) -> set[str]:
    return set(re.findall(r'data-left-out="card-([^"]+)"', answer.content.decode()))


def test_an_answer_takes_cards_off_the_page_that_its_filter_leaves_out(olga, ed, board, todo, doing, cards):
    client = browser(ed)
    sent = SCRIPTED | {"HTTP_X_FILTER": f"{board.pk} q=roof"}
    answer = client.post(f"/card/{cards['roof'].pk}/title", {"title": "Mend the floor"}, **sent)
    assert markers(answer) == {str(cards["roof"].pk)}
    assert "The card doesn't match the filter and is hidden." in text_of(answer)
    assert f'data-total-of="list-{todo.pk}" data-total="0" data-all="4"' in answer.content.decode()
    ids = [cards["wall"].pk, cards["far"].pk]
    both = client.post(f"/board/{board.pk}/cards", {"card": ids, "list": doing.pk, "where": "top"}, **sent)
    assert markers(both) == {str(cards["wall"].pk)}
    assert f'data-total-of="list-{todo.pk}" data-total="0" data-all="3"' in both.content.decode()
    assert f'data-total-of="list-{doing.pk}" data-total="1" data-all="2"' in both.content.decode()
    added = client.post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": "Buy nails"}, **sent)
    assert len(markers(added)) == 1
    back = client.post(f"/board/{board.pk}/undo", {"change": both["X-Changes"]}, **sent)
    assert markers(back) == {str(cards["wall"].pk)}


def test_a_move_beside_cards_that_the_filter_hides_is_told(ed, board, todo, cards):
    client = browser(ed)
    form = {"card": cards["far"].pk, "list": todo.pk, "after": cards["roof"].pk}
    beside = "There are cards next to it that the filter hides."
    with_filter = SCRIPTED | {"HTTP_X_FILTER": f"{board.pk} q=roof"}
    assert beside in text_of(client.post(f"/board/{board.pk}/cards", form, **with_filter))
    assert beside not in text_of(client.post(f"/board/{board.pk}/cards", form | {"where": "top"}, **SCRIPTED))


def test_a_move_by_keys_is_warned_of_hidden_cards_alone(ed, board, todo, cards):
    form = {"card": cards["far"].pk, "list": todo.pk, "after": cards["roof"].pk, "quiet": "1"}
    answer = browser(ed).post(f"/board/{board.pk}/cards", form, **SCRIPTED, HTTP_X_FILTER=f"{board.pk} q=roof")
    assert text_of(answer).endswith("There are cards next to it that the filter hides.")
    assert "Moved to" not in text_of(answer)
    assert "/undo" not in answer.content.decode()


@pytest.mark.parametrize(
    "filter", ["", "x q=roof", "{board}", "{board} due=someday", "{foreign} q=roof", "{board} " + "who=me&" * 60]
)
def test_a_header_that_names_no_filter_of_a_board_in_sight_leaves_nothing_out(
    olga, ed, stan, board, todo, cards, filter
):
    foreign = create_board(actor=web(stan), title="Stan's")
    header = filter.replace("{board}", str(board.pk)).replace("{foreign}", str(foreign.pk))
    answer = browser(ed).post(f"/list/{todo.pk}/cards", {f"new-{todo.pk}": "New"}, **SCRIPTED, HTTP_X_FILTER=header)
    assert answer.status_code == 200
    assert markers(answer) == set()


# In the browser


LISTS = re.compile(r"/lists\?")
FORM = re.compile(r"/filter\?")


def choose_open_cards(shown):
    """Choose a saved filter, which the palette offers also over an open card."""
    save_filter(actor=web(shown.user), board_id=shown.board.pk, name="Not done yet", query="done=0")
    shown.page.keyboard.press("Control+k")
    expect(shown.page.locator("#command-palette:modal input")).to_be_focused()
    shown.page.keyboard.type("not done yet")
    shown.page.locator("#command-palette [data-filter]").click()


def tell(shown, board, since):
    shown.socket.send(changes_since(board.pk, since, "en", None, MEMBERS).text)


def catch_up(shown, board, since):
    tell(shown, board, since)
    expect(shown.page.locator(f'main[data-version="{Board.objects.get(pk=board.pk).version}"]')).to_be_visible()


def test_a_filter_is_chosen_kept_in_the_address_and_cleared(opened, ed, board, todo, cards):
    shown = opened(ed)
    page = shown.page
    page.keyboard.press("f")
    page.get_by_label("Text or number").press_sequentially("roof")
    expect(page.locator(".card")).to_have_count(2)
    expect(shown.list(todo).locator(".count")).to_have_text("1 of 4")
    page.get_by_label("Not done").check()
    expect(page).to_have_url(re.compile(r"\?q=roof&done=0$"))
    expect(page.locator("[data-filter-button] [data-kinds]")).to_have_text("2")
    page.get_by_label("Text or number").dispatch_event("keydown", {"key": "Escape", "isComposing": True})
    expect(page.locator("#filter-panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-filter-button]")).to_be_focused()
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?q=roof$"))
    shown.tile(cards["roof"]).locator(".title").click()
    expect(page).to_have_url(re.compile(rf"\?q=roof&card={cards['roof'].pk}$"))
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"\?q=roof$"))
    page.keyboard.press("Shift+F")
    expect(page.locator(".card")).to_have_count(5)
    expect(page).to_have_url(re.compile(rf"{board.pk}$"))
    expect(shown.list(todo).locator(".count")).to_have_text("4")


@pytest.mark.parametrize("touch", [False, True], ids=["keyboard", "screen"])
def test_a_word_filters_when_it_is_composed_and_on_a_screen_before(opened, ed, board, cards, touch):
    page = opened(ed, clock=True, touch=touch).page
    page.keyboard.press("f")
    field, ime = page.get_by_label("Text or number"), page.context.new_cdp_session(page)
    expect(field).to_be_focused()
    asked = []
    page.on("request", lambda request: asked.extend(re.findall(r"/lists\?q=(\w*)", request.url)))
    field.press("r")
    ime.send("Input.imeSetComposition", {"text": "oo", "selectionStart": 2, "selectionEnd": 2})
    page.clock.run_for(1000)
    ime.send("Input.insertText", {"text": "oof"})
    page.clock.run_for(1000)
    expect(field).to_have_value("roof")
    expect(page).to_have_url(re.compile(r"\?q=roof$"))
    assert asked == (["roo", "roof"] if touch else ["roof"])


def test_what_is_typed_after_going_back_or_clearing_is_a_step_of_its_own(opened, ed, board, cards):
    page = opened(ed).page
    page.keyboard.press("f")
    field = page.get_by_label("Text or number")
    field.fill("roof")
    expect(page).to_have_url(re.compile(r"\?q=roof$"))
    page.go_back()
    expect(field).to_have_value("")
    field.fill("fence")
    expect(page).to_have_url(re.compile(r"\?q=fence$"))
    page.locator("#filter-panel").get_by_role("link", name="Clear filter").click()
    expect(page).to_have_url(re.compile(rf"{board.pk}$"))
    field.fill("roof")
    expect(page).to_have_url(re.compile(r"\?q=roof$"))
    for address in (rf"{board.pk}$", r"\?q=fence$", rf"{board.pk}$"):
        page.go_back()
        expect(page).to_have_url(re.compile(address))


def test_the_name_of_a_filter_that_is_saved_is_typed_at_once_and_in_view(opened, ed, board, cards):
    for number in range(12):
        create_label(actor=web(ed), board_id=board.pk, name=f"Label {number}")
    shown = opened(ed)
    page = shown.page
    page.set_viewport_size({"width": 1280, "height": 600})
    page.keyboard.press("f")
    page.get_by_label("Not done").check()
    page.get_by_text("Save filter…").click()
    field = page.locator("#filter-name")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    page.keyboard.type("Open")
    page.keyboard.press("Enter")
    expect(page.locator("[data-apply-filter]")).to_have_text("Open")


def test_what_others_change_comes_and_goes_as_the_filter_says(opened, olga, ed, board, todo, doing, cards):
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=roof")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    since = Board.objects.get(pk=board.pk).version
    update_card(actor=web(olga), card_id=cards["roof"].pk, title="Mend the floor")
    update_card(actor=web(olga), card_id=cards["wall"].pk, title="Paint the roof")
    create_card(actor=web(olga), list_id=doing.pk, title="Buy paint")
    catch_up(shown, board, since)
    expect(shown.page.locator(".card .title")).to_contain_text(["Paint the roof", "Roof of the shed"])
    expect(shown.list(todo).locator(".count")).to_have_text("1 of 4")
    expect(shown.list(doing).locator(".count")).to_have_text("1 of 2")


def test_a_hidden_card_that_leaves_its_list_is_counted_there_no_more(opened, olga, ed, board, todo, doing, cards):
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=roof")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    expect(shown.list(todo).locator(".count")).to_have_text("1 of 4")
    since = Board.objects.get(pk=board.pk).version
    archive_card(actor=web(olga), card_id=cards["wall"].pk)
    catch_up(shown, board, since)
    expect(shown.list(todo).locator(".count")).to_have_text("1 of 3")


@pytest.mark.parametrize("from_rows", [False, True])
def test_a_filter_that_is_chosen_over_an_open_card_stays_when_the_card_is_closed(opened, ed, board, cards, from_rows):
    shown = opened(ed)
    page = shown.page
    if from_rows:
        page.goto("/my")
        page.get_by_role("link", name=WALL).click()
    else:
        shown.tile(cards["wall"]).locator(".title").click()
    expect(page.locator("main[data-wired] #open-card h1")).to_have_text(WALL)
    choose_open_cards(shown)
    expect(page.locator("main[data-filter]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(rf"{board.pk}\?done=0$"))
    expect(page.locator("#open-card")).to_have_count(0)
    expect(page.locator("main[data-filter] .card")).to_have_count(4)


def test_letters_typed_before_the_form_of_the_filter_has_come_are_for_it_and_do_nothing_to_a_card(
    opened, ed, board, cards
):
    shown = opened(ed)
    page = shown.page
    forms, changes = Held(page, FORM), held_changes(page)
    shown.tile(cards["late"]).hover()
    page.keyboard.press("f")
    forms.wait_for(1)
    page.keyboard.type("pace")
    forms.let_on()
    expect(page.get_by_label("Text or number")).to_have_value("pace")
    expect(page).to_have_url(re.compile(r"\?q=pace$"))
    assert len(changes) == 0


def test_the_open_form_of_the_filter_goes_back_with_the_browser(opened, ed, board, cards):
    page = opened(ed).page
    page.keyboard.press("f")
    text = page.get_by_label("Text or number")
    text.press_sequentially("roof")
    expect(page.locator("main[data-filter] .card")).to_have_count(2)
    page.go_back()
    expect(page.locator("main:not([data-filter]) .card")).to_have_count(5)
    expect(text).to_have_value("")
    expect(text).to_be_focused()


def test_a_form_of_the_filter_that_comes_late_replaces_no_newer_one(opened, ed, board, cards):
    page = opened(ed).page
    forms, button = Held(page, FORM, most=1), page.locator("[data-filter-button]")
    button.click()
    forms.wait_for(1)
    button.click()
    button.click()
    page.get_by_label("Text or number").fill("roof")
    expect(page.locator("main[data-filter] .card")).to_have_count(2)
    forms.let_on()
    page.get_by_label("Not done").check()
    expect(page).to_have_url(re.compile(r"\?q=roof&done=0$"))


@pytest.mark.parametrize("by_key", [True, False])
def test_a_filter_is_cleared_or_left_while_it_loads(opened, ed, board, cards, by_key):
    shown = opened(ed)
    page = shown.page
    lists = Held(page, LISTS)
    page.keyboard.press("f")
    page.get_by_label("Done", exact=True).check()
    lists.wait_for(1)
    page.keyboard.press("Escape")
    if by_key:
        page.keyboard.press("Shift+F")
    else:
        page.go_back()
    expect(page).to_have_url(re.compile(rf"{board.pk}$"))
    lists.wait_for(2)
    lists.let_on()
    lists.let_on()
    expect(page.locator("main:not([data-filter]) .card")).to_have_count(5)


def test_what_others_change_while_a_filter_loads_is_shown(opened, olga, ed, board, todo, cards):
    shown = opened(ed, card=cards["wall"])
    page = shown.page
    lists, card = Held(page, LISTS, most=1), Held(page, A_CARD)
    since = Board.objects.get(pk=board.pk).version
    choose_open_cards(shown)
    route = lists.next()
    early = route.fetch()
    made = create_card(actor=web(olga), list_id=todo.pk, title="Buy paint")
    update_card(actor=web(olga), card_id=cards["wall"].pk, description="White")
    tell(shown, board, since)
    card.wait_for(1)
    route.fulfill(response=early)
    expect(page.locator("main[data-filter]")).to_be_visible()
    expect(shown.tile(made)).to_be_visible()


def test_what_others_change_is_matched_with_the_filter_that_was_chosen_meanwhile(opened, olga, ed, board, cards):
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=roof")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    matches = Held(shown.page, re.compile(r"/matches\?"))
    since = Board.objects.get(pk=board.pk).version
    update_card(actor=web(olga), card_id=cards["roof"].pk, title="Mend the floor")
    tell(shown, board, since)
    matches.wait_for(1)
    shown.page.keyboard.press("Shift+F")
    expect(shown.page.locator(".card")).to_have_count(5)
    matches.let_on()
    catch_up(shown, board, since)
    expect(shown.tile(cards["roof"])).to_contain_text("Mend the floor")


def test_a_filter_that_keeps_nothing_says_so_and_can_be_cleared(opened, ed, board, cards):
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=nothing")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    empty = shown.page.locator(".no-matches")
    expect(empty).to_contain_text("No cards match this filter")
    empty.get_by_text("Clear filter").click()
    expect(shown.page.locator(".card")).to_have_count(5)
    expect(empty).to_be_hidden()


def test_a_text_in_the_filter_does_not_hold_anybody_back_who_leaves_the_board(opened, ed, cards):
    asked = []
    shown = opened(ed)
    shown.page.on("dialog", lambda question: (asked.append(question.type), question.accept()))
    shown.page.keyboard.press("f")
    expect(shown.page.locator("#filter-text")).to_be_focused()
    shown.page.keyboard.type("roof")
    expect(shown.page).to_have_url(re.compile("q=roof$"))
    shown.page.goto("/")
    assert asked == []


def test_under_a_filter_move_to_offers_no_place_in_the_list_of_the_card(opened, ed, board, cards):
    """The page does not know how many hidden cards are above it."""
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=pay")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    shown.tile(cards["late"]).hover()
    shown.page.keyboard.press("m")
    dialog = shown.page.get_by_role("dialog", name="Move to…")
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Doing")


def test_dragging_under_a_filter_works_and_says_what_is_hidden(opened, ed, board, todo, doing, cards):
    shown = opened(ed)
    shown.page.goto(f"/board/{board.pk}?q=roof")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    shown.tile(cards["far"]).drag_to(shown.tile(cards["roof"]), target_position={"x": 40, "y": 34})
    expect(shown.list(todo).locator(".card")).to_have_count(2)
    expect(shown.page.locator(".toast")).to_contain_text("There are cards next to it that the filter hides.")
    shown.page.goto(f"/board/{board.pk}?done=0")
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    shown.tile(cards["wall"]).hover()
    shown.page.keyboard.press("c")
    expect(shown.tile(cards["wall"])).to_have_count(0)
    expect(shown.page.locator(".toast", has_text="The card doesn't match the filter")).to_be_visible()
    expect(shown.list(todo).locator(".count")).to_have_text("3 of 5")
