"""Quick add in Chromium: typing fast, several lines, chips for labels, people and dates in words."""

import json
import re
from datetime import date

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from boards.actions.cards.card import update_card
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import archive_list, restore_list
from boards.models import Card
from boards.reader import MEMBERS
from boards.richtext import to_markdown
from conftest import web
from taskboard.tests.axe import complaints
from taskboard.tests.interception import intercept
from web.live.catchup import changes_since
from web.tests.date_words import DATES, NO_DATES, TODAY
from web.tests.held import Held
from web.tests.looking import is_in_window

pytestmark = pytest.mark.django_db(transaction=True)

LINES = "- Buy paper\nPrint it\n\nFold it"
READ_ALL = """async ([path, language, texts, today, first]) => {
  const { dateWords } = await import(path)
  const find = await dateWords(language, first)
  return texts.map((text) => {
    const found = find(text, today)
    if (!found) return [null, "", text]
    return [found.day, found.time, (text.slice(0, found.from) + text.slice(found.to)).replace(/\\s+/g, " ").trim()]
  })
}"""


@pytest.fixture
def labels(board, olga):
    return [create_label(actor=web(olga), board_id=board.pk, name=name) for name in ("Bug", "Needs review", "Needs")]


def quick_add(shown, row):
    shown.list(row).get_by_text("Add card", exact=True).click()
    return shown.list(row).locator("textarea[name^=new-]")


def chips(shown):
    return shown.page.locator(".newcard .chip")


def titles(row):
    return list(Card.objects.filter(list=row).order_by("position").values_list("title", flat=True))


def test_every_language_of_the_service_has_words_for_dates():
    assert list(DATES) == list(NO_DATES) == [code for code, _name in settings.LANGUAGES]


def test_dates_are_read_in_each_language_and_nothing_else_is_taken_for_one(opened, ed, subtests):
    shown = opened(ed)
    for language, dates in DATES.items():
        with subtests.test(language=language):
            texts = [text for text, *_read in dates] + NO_DATES[language]
            expected = [list(read) for _text, *read in dates] + [[None, "", text] for text in NO_DATES[language]]
            found = shown.page.evaluate(READ_ALL, ["/static/js/quick-add/date-words.js", language, texts, TODAY])
            assert dict(zip(texts, found, strict=True)) == dict(zip(texts, expected, strict=True))


@pytest.mark.parametrize("first,days", [(0, [30, 29]), (1, [30, 6]), (6, [28, 29])])
def test_next_week_begins_on_the_readers_first_day(opened, ed, first, days):
    texts = ["Demo next week", "Demo sunday next week"]
    found = opened(ed).page.evaluate(READ_ALL, ["/static/js/quick-add/date-words.js", "en", texts, TODAY, first])
    assert [int(day[-2:]) for day, *_rest in found] == days


@pytest.mark.parametrize("form,day", [("slashes", "2027-06-05"), ("american", "2027-05-06"), ("", None), ("iso", None)])
def test_a_date_that_may_be_two_is_read_in_the_readers_form(opened, ed, form, day):
    ed.date_form = form
    ed.save()
    found = opened(ed).page.evaluate(READ_ALL, ["/static/js/quick-add/date-words.js", "en", ["Demo 5/6"], TODAY])
    assert found[0][0] == day


def test_the_readers_forms_are_on_chips_and_tiles_that_all_readers_share(opened, ed, vera, todo, card):
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2037, 3, 4), start_day=date(timezone.now().year, 1, 9))
    ed.date_form, ed.clock, ed.week_start = "dots", "24", "monday"
    ed.save()
    shown = opened(ed)
    expect(shown.tile(card).locator(".due")).to_contain_text(re.compile(r"09\.01\..*→.*04\.03\.2037"))
    quick_add(shown, todo)
    shown.page.keyboard.type("Demo 2030-12-01 4:30 pm")
    expect(chips(shown).first).to_contain_text("Sun 01.12.2030 16:30")
    expect(opened(vera).tile(card).locator(".due")).to_contain_text("Mar 4, 2037")


def test_cards_typed_fast_keep_every_letter_and_their_order(opened, ed, todo):
    shown = opened(ed)
    field = quick_add(shown, todo)
    wanted = [f"Card number {number}" for number in range(12)]
    shown.page.keyboard.type("".join(f"{title}\n" for title in wanted))
    expect(shown.list(todo).locator(".card")).to_have_count(12)
    assert titles(todo) == wanted
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_chips_say_what_is_set_and_their_words_leave_the_title(opened, ed, vera, todo, labels):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.press_sequentially("Print it #needs review @vera tomorrow 5pm")
    expect(chips(shown)).to_have_count(3)
    expect(chips(shown).nth(0)).to_have_text("Needs review")
    expect(chips(shown).nth(1)).to_have_text("@Vera")
    expect(chips(shown).nth(2)).to_contain_text("5:00 PM")
    field.press("Enter")
    expect(shown.list(todo).locator(".card .title")).to_have_text(re.compile("^Print it"))
    expect(chips(shown)).to_have_count(0)
    made = Card.objects.get()
    assert (made.title, list(made.labels.all()), list(made.assignees.all())) == ("Print it", [labels[1]], [vera])
    assert ((made.due_at.date() - timezone.now().date()).days, made.due_at.hour) == (1, 17)


def test_a_chip_that_is_taken_off_sets_nothing_and_leaves_its_words(opened, ed, todo, labels):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.fill("Prepare the talk #bug for us on friday")
    expect(chips(shown)).to_have_count(2)
    expect(chips(shown).locator(".icon:visible")).to_have_count(2)
    chips(shown).nth(1).click()
    chips(shown).nth(0).click()
    expect(field).to_be_focused()
    expect(chips(shown)).to_have_count(0)
    field.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    made = Card.objects.get()
    assert (made.title, made.labels.count(), made.due_at) == ("Prepare the talk #bug for us on friday", 0, None)


def test_a_chip_that_was_taken_off_stays_off_when_the_card_comes_back(opened, ed, todo, labels):
    shown = opened(ed)
    intercept(shown.page, re.compile("/list/[^/]+/cards$"), lambda route: route.abort(), times=1)
    field = quick_add(shown, todo)
    field.fill("Prepare the talk #bug")
    chips(shown).click()
    expect(chips(shown)).to_have_count(0)
    field.press("Enter")
    expect(shown.list(todo).get_by_role("alert")).to_be_visible()
    expect(field).to_have_value("Prepare the talk #bug")
    expect(chips(shown)).to_have_count(0)


def test_a_name_that_is_begun_is_completed_by_tab_and_by_arrows_with_enter(opened, ed, vera, todo, labels):
    shown = opened(ed)
    field = quick_add(shown, todo)
    options = shown.list(todo).get_by_role("option")
    field.press_sequentially("Print #rev")
    expect(options).to_have_text(["Needs review", "Create label “rev”"])
    field.press("Tab")
    expect(field).to_have_value("Print #Needs review ")
    field.press_sequentially("@")
    expect(options).to_have_text(["Ed", "Olga", "Vera"])
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", f"suggested-person:{vera.pk}")
    field.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    made = Card.objects.get()
    assert (made.title, list(made.labels.all()), list(made.assignees.all())) == ("Print", [labels[1]], [vera])


def test_escape_closes_the_suggestions_first_and_then_the_form(opened, ed, todo):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.press_sequentially("@e")
    expect(shown.list(todo).get_by_role("option")).to_have_count(1)
    field.press("Escape")
    expect(shown.list(todo).get_by_role("option")).to_have_count(0)
    expect(field).to_be_visible()
    field.press("Escape")
    expect(field).to_be_hidden()
    assert not Card.objects.exists()


@pytest.mark.parametrize("typed,names", [("Print @ver", ["Vera"]), ("Print @", []), ("Mail me @e", ["Ed"])])
def test_enter_adds_the_card_and_takes_the_only_name_that_is_begun(opened, ed, vera, todo, typed, names):
    shown = opened(ed)
    quick_add(shown, todo).press_sequentially(typed)
    shown.page.keyboard.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    assert [person.display_name for person in Card.objects.get().assignees.all()] == names


def test_the_first_name_of_the_only_one_who_has_it_is_enough(opened, ed, vera, olga, todo):
    for person, name in ((vera, "Ann Lee"), (olga, "Bob Lee")):
        person.name = name
        person.save()
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.press_sequentially("Write the press text @ann")
    expect(chips(shown)).to_have_text(["@Ann Lee"])
    expect(shown.list(todo).get_by_role("option")).to_have_count(0)
    field.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    assert Card.objects.get().title == "Write the press text"


def test_the_name_of_somebody_who_is_on_the_board_is_taken_whole(opened, ed, vera, todo):
    vera.name = "Vera Lind"
    vera.save()
    shown = opened(ed)
    shown.socket.send(json.dumps({"here": [[str(vera.pk), "", ""]]}))
    expect(shown.page.locator("#members .avatar.here")).to_have_count(1)
    field = quick_add(shown, todo)
    field.fill("Call @Vera Lind")
    field.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    assert titles(todo) == ["Call"]
    assert [*Card.objects.get(list=todo).assignees.all()] == [vera]


def test_a_first_name_that_two_have_is_not_taken(opened, ed, vera, olga, todo):
    for person, name in ((vera, "Ann Lee"), (olga, "Ann Bell")):
        person.name = name
        person.save()
    shown = opened(ed)
    quick_add(shown, todo).press_sequentially("Write @ann, then print")
    expect(chips(shown)).to_have_count(0)


def test_every_friday_is_a_date_that_comes_again(opened, ed, todo):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.press_sequentially("Check prices every friday")
    expect(chips(shown)).to_contain_text(re.compile("^Fri.*· Weekly"))
    field.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    made = Card.objects.get()
    assert (made.title, made.recurrence, made.due_day.weekday()) == ("Check prices", "weekly", 4)


def test_each_line_may_come_again_for_itself(opened, ed, todo):
    shown = opened(ed)
    paste(quick_add(shown, todo), "One every friday\nTwo every other monday\nThree")
    shown.page.get_by_role("button", name="One card per line").click()
    expect(shown.list(todo).locator(".card")).to_have_count(3)
    made = Card.objects.order_by("position")
    assert [(one.title, one.recurrence) for one in made] == [("One", "weekly"), ("Two", "biweekly"), ("Three", "")]


def test_an_unknown_label_is_created_on_demand_and_hides_no_date(opened, ed, todo, labels):
    shown = opened(ed)
    field = quick_add(shown, todo)
    field.press_sequentially("Call the printer 27 Nov #press")
    expect(chips(shown)).to_have_count(1)
    expect(shown.list(todo).get_by_role("option")).to_have_text(["Create label “press”"])
    field.press("Tab")
    expect(chips(shown)).to_have_count(2)
    expect(chips(shown).first).to_have_text("#press")
    field.press("Enter")
    expect(shown.list(todo).locator(".card .label")).to_have_text("press")
    made = Card.objects.get()
    assert (made.title, [label.name for label in made.labels.all()], made.due_day.day) == (
        "Call the printer", ["press"], 27,
    )  # fmt: skip


def test_enter_creates_no_label_that_was_not_asked_for(opened, ed, todo):
    shown = opened(ed)
    quick_add(shown, todo).press_sequentially("Fix #12 tomorrow #press")
    shown.page.keyboard.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    made = Card.objects.get()
    assert (made.title, made.labels.count(), bool(made.due_day)) == ("Fix #12 #press", 0, True)


def paste(field, text):
    field.evaluate("(field, text) => { field.focus(); document.execCommand('insertText', false, text) }", text)


def test_several_lines_are_asked_about_once_and_become_a_card_each(opened, ed, todo, labels):
    shown = opened(ed)
    field = quick_add(shown, todo)
    paste(field, LINES + " #bug")
    expect(shown.list(todo).locator(".several")).to_contain_text("3 lines:")
    expect(chips(shown)).to_have_text(["Bug line 3"])
    expect(shown.page.get_by_text("With a description, only line 1 sets labels, people and dates.")).to_be_visible()
    chips(shown).click()
    expect(shown.page.get_by_text("With a description, only line 1 sets labels, people and dates.")).to_be_hidden()
    field.press("Enter")
    expect(shown.page.get_by_role("button", name="One card per line")).to_be_focused()
    shown.page.keyboard.press("Enter")
    expect(shown.list(todo).locator(".card")).to_have_count(3)
    expect(field).to_be_focused()
    expect(shown.list(todo).locator(".several")).to_be_hidden()
    assert titles(todo) == ["- Buy paper", "Print it", "Fold it #bug"]


def test_each_of_several_lines_has_its_own_chips_also_after_a_reload(opened, ed, olga, todo, board, labels):
    shown = opened(ed)
    since = board.version
    late = create_label(actor=web(olga), board_id=board.pk, name="Late", hue=3)
    shown.socket.send(changes_since(board.pk, since, "en", None, MEMBERS).text)
    expect(shown.page.locator(f'main[data-version="{late.version}"]')).to_be_visible()
    field = quick_add(shown, todo)
    paste(field, "Print it #bug tomorrow\nFold it #late @ed\nBind it #late\nSell it")
    expect(chips(shown)).to_have_count(4)
    expect(chips(shown)).to_contain_text(["Bug line 1", "line 1", "Late lines 2–3", "@Ed line 2"])
    shown.page.reload()
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    expect(field).to_have_value(re.compile("^Print it #bug tomorrow\nFold it"))
    field.focus()
    expect(chips(shown)).to_have_count(4)
    shown.page.get_by_role("button", name="Don't set: Ed line 2").click()
    shown.page.get_by_role("button", name="One card per line").click()
    expect(shown.list(todo).locator(".card")).to_have_count(4)
    assert titles(todo) == ["Print it", "Fold it @ed", "Bind it", "Sell it"]
    names = [[*made.labels.values_list("name", flat=True)] for made in Card.objects.order_by("position")]
    assert names == [["Bug"], ["Late"], ["Late"], []]
    assert [bool(made.due_day) for made in Card.objects.order_by("position")] == [True, False, False, False]
    shown.page.reload()
    expect(shown.page.locator("main[data-wired]")).to_be_visible()
    expect(field).to_be_hidden()


def test_several_lines_become_one_card_with_a_description(opened, ed, todo):
    shown = opened(ed)
    paste(quick_add(shown, todo), LINES)
    shown.page.get_by_role("button", name="One card with a description").click()
    expect(shown.list(todo).locator(".card")).to_have_count(1)
    made = Card.objects.get()
    assert (made.title, to_markdown(made.description)) == ("- Buy paper", "Print it\n\nFold it")


def test_cards_are_added_at_the_top_from_the_menu_of_the_list(opened, ed, todo, card):
    shown = opened(ed)
    shown.list(todo).get_by_label("Menu for list").click()
    shown.list(todo).get_by_text("Add card at the top").click()
    shown.page.keyboard.type("First\nNew first\n")
    expect(shown.list(todo).locator(".card .title")).to_have_text(
        [re.compile(title) for title in ("New first", "First", "Write the announcement")]
    )
    shown.page.keyboard.press("Escape")
    expect(shown.list(todo).locator("footer > .newcard > summary")).to_be_visible()


def test_viewers_have_no_form_for_new_cards(opened, vera, todo):
    shown = opened(vera)
    expect(shown.list(todo).locator(".newcard")).to_be_hidden()


def test_a_whole_day_is_shown_as_that_day_in_a_zone_behind_and_ends_with_it(opened, ed, vera, card):
    update_card(actor=web(ed), card_id=card.pk, due_day=date(2030, 11, 27), start_day=date(2030, 11, 20))
    vera.time_zone = "America/Los_Angeles"
    vera.save()
    shown = opened(vera, clock=True)
    due = shown.tile(card).locator(".due")
    expect(due).to_contain_text("Nov 20, 2030 → Nov 27, 2030")
    for moment, state in (
        ("2030-11-27T07:59:00Z", ""),  # the 26th there
        ("2030-11-27T08:01:00Z", "soon"),
        ("2030-11-28T07:59:00Z", "soon"),  # over where it was set
        ("2030-11-28T08:01:00Z", "late"),
    ):
        shown.page.clock.set_fixed_time(moment)
        shown.page.evaluate("dispatchEvent(new Event('focus'))")
        shown.page.clock.run_for(61_000)
        expect(due).to_have_class(re.compile(f"^fact due *{state}$"))


@pytest.mark.parametrize("width", [360, 1280])
def test_chips_and_choices_stay_inside_their_list(show, ed, board, todo, labels, width):
    page = show(board.get_absolute_url(), ed, width=width)
    page.locator(".list[id]").get_by_text("Add card", exact=True).first.click()
    field = page.locator(".newcard[open] textarea")
    field.fill("Print it #needs review tomorrow 5pm @")
    for element in (*page.locator(".chip").all(), *page.get_by_role("option").all()):
        assert is_in_window(element), json.dumps(element.bounding_box())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_forms_for_new_cards_and_for_dates_have_no_violation(axe, show, ed, board, card, labels, theme):
    page = show(board.get_absolute_url(), ed, theme=theme)
    page.locator(".list[id]").get_by_text("Add card", exact=True).first.click()
    field = page.locator(".newcard[open] textarea")
    for text in ("Print it #bug tomorrow 5pm @", "One\nTwo"):
        field.fill(text)
        assert complaints(page) == []
    page.goto(card.get_absolute_url())
    page.locator("#choose-due").click()
    expect(page.locator("#due-field")).to_be_visible()
    assert complaints(page) == []


def test_a_due_date_without_a_time_is_set_in_the_browser(show, ed, card):
    page = show(card.get_absolute_url(), ed)
    page.locator("#choose-due").click()
    page.locator("#due-field").fill("2030-11-27")
    page.get_by_label("Start date").fill("2030-11-20")
    page.locator(".dates").get_by_role("button", name="Save").click()
    expect(page.locator(f"#card-{card.pk} .due")).to_contain_text("Nov 20, 2030 → Nov 27, 2030")
    card.refresh_from_db()
    assert (card.due_day, card.start_day) == (date(2030, 11, 27), date(2030, 11, 20))
    page.locator("#choose-due").click()
    page.get_by_role("button", name="No due date").click()
    expect(page.locator(f"#card-{card.pk} .due")).to_have_count(0)
    card.refresh_from_db()
    assert (card.due_at, card.start_day) == (None, date(2030, 11, 20))


def test_what_is_typed_and_entered_before_quick_add_has_come_is_added_with_its_dates(opened, ed, todo):
    shown = opened(ed)
    held = Held(shown.page, "**/quick-add.js")
    field = quick_add(shown, todo)
    shown.page.keyboard.type("One tomorrow\nTwo\nThree tomo")
    expect(field).to_have_value("Three tomo")
    assert titles(todo) == []
    held.let_on()
    expect(shown.list(todo).locator(".card")).to_have_count(2)
    shown.page.keyboard.type("rrow")
    expect(field).to_have_value("Three tomorrow")
    expect(chips(shown)).to_have_count(1)
    assert titles(todo) == ["One", "Two"]
    assert Card.objects.exclude(due_at=None).get().title == "One"


def test_a_name_that_was_begun_before_quick_add_has_come_is_taken_as_by_enter(opened, ed, vera, todo):
    shown = opened(ed)
    held = Held(shown.page, "**/quick-add.js")
    field = quick_add(shown, todo)
    shown.page.keyboard.type("Print @ver\n")
    expect(field).to_have_value("")
    held.let_on()
    expect(shown.list(todo).locator(".card .title")).to_have_text(re.compile("^Print"))
    made = Card.objects.get()
    assert (made.title, list(made.assignees.all())) == ("Print", [vera])


def lose_connection(shown):
    """Let the page reach neither the server nor what its browser has kept of quick add."""
    intercept(shown.page, "**/quick-add.js", lambda route: route.abort())
    shown.page.context.set_offline(True)


def get_connection_back(shown):
    shown.page.unroute("**/quick-add.js")
    shown.page.context.set_offline(False)


def test_quick_add_that_did_not_come_without_a_connection_comes_once_there_is_one(opened, ed, todo, labels):
    shown = opened(ed)
    lose_connection(shown)
    field = quick_add(shown, todo)
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    get_connection_back(shown)
    field.press_sequentially("Print it #bug")
    expect(chips(shown)).to_have_text(["Bug"])
    field.press("Enter")
    expect(shown.list(todo).locator(".card .title")).to_have_text(re.compile("^Print it"))
    made = Card.objects.get()
    assert (made.title, list(made.labels.all())) == ("Print it", [labels[0]])
    shown.errors.clear()


def test_enter_asks_for_quick_add_again_and_adds_what_stands_in_the_field(opened, ed, todo, labels):
    shown = opened(ed)
    lose_connection(shown)
    field = quick_add(shown, todo)
    field.fill("Print it #bug")
    field.press("Enter")
    expect(shown.list(todo).locator(".refusal")).to_contain_text("Could not reach the server.")
    expect(field).to_have_value("Print it #bug")
    get_connection_back(shown)
    field.press("Enter")
    expect(shown.list(todo).locator(".card .title")).to_have_text(re.compile("^Print it"))
    assert list(Card.objects.get().labels.all()) == [labels[0]]
    shown.errors.clear()


def test_if_quick_add_cannot_be_loaded_cards_are_added_as_they_are_typed(opened, ed, todo):
    shown = opened(ed)
    intercept(shown.page, "**/quick-add.js", lambda route: route.abort())
    field = quick_add(shown, todo)
    expect(field).to_be_focused()
    shown.page.keyboard.type("One\nTwo\n")
    expect(shown.list(todo).locator(".card")).to_have_count(2)
    assert titles(todo) == ["One", "Two"]
    shown.errors.clear()


def test_what_is_typed_in_a_list_that_others_archive_is_told_and_comes_back_with_it(opened, ed, olga, todo):
    shown = opened(ed)
    quick_add(shown, todo).press_sequentially("Print the fl")
    archive_list(actor=web(olga), list_id=todo.pk)
    shown.tell(removed=[("list", todo)])
    expect(shown.list(todo)).to_have_count(0)
    expect(shown.page.locator(".toast.bad")).to_contain_text(
        "“To do” was archived. Restore it to get back what you typed."
    )
    shown.page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text }")
    shown.page.get_by_role("button", name="Copy text").click()
    assert shown.page.evaluate("copied") == "Print the fl"
    restore_list(actor=web(olga), list_id=todo.pk)
    shown.tell(todo)
    expect(shown.list(todo).locator("textarea")).to_have_value("Print the fl")


def test_nothing_is_told_of_an_archived_list_in_which_nothing_is_typed(opened, ed, olga, todo, doing):
    shown = opened(ed)
    quick_add(shown, todo).press_sequentially("Print")
    archive_list(actor=web(olga), list_id=doing.pk)
    shown.tell(removed=[("list", doing)])
    expect(shown.list(doing)).to_have_count(0)
    expect(shown.page.locator(".toast")).to_have_count(0)
