"""An open card in the browser."""

import json
import re
from datetime import UTC, date, datetime
from html import unescape

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.boards.board import archive_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, delete_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.actor import Actor
from boards.models import Activity, Card, Checklist, ChecklistItem, Comment, Label
from boards.models.verbs import Door
from boards.richtext import from_markdown, to_markdown
from boards.tests.filled_card import filled_card
from boards.tests.richtext_nodes import doc, p, text
from conftest import web
from web.cards import checklist_pages
from web.tests.browsing import SCRIPTED, browser, text_of


def send(user, card, part, form, **headers):
    return browser(user).post(f"/card/{card.pk}/{part}", form, **headers)


def test_the_address_of_a_card_shows_board_and_card(vera, card):
    answer = browser(vera).get(card.get_absolute_url())
    page = answer.content.decode()
    assert f'id="open-card" data-card="{card.pk}"' in page
    assert f'id="card-{card.pk}"' in page
    assert 'aria-labelledby="card-title" open>' in page


def test_the_script_gets_the_card_alone_and_a_browser_is_redirected_to_its_address(vera, card):
    by_script = browser(vera).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    assert by_script.startswith('<article class="open-card"')
    assert browser(vera).get(f"/card/{card.pk}").url == card.get_absolute_url()


def test_an_archived_card_is_still_found_at_its_address(ed, card):
    archive_card(actor=web(ed), card_id=card.pk)
    answer = browser(ed).get(card.get_absolute_url())
    assert "This card is archived. Restore" in text_of(answer)
    assert f'formaction="/card/{card.pk}/completion"' not in answer.content.decode()


def test_a_card_of_an_archived_list_says_so(ed, todo, card):
    archive_list(actor=web(ed), list_id=todo.pk)
    assert "This card is in an archived list." in text_of(browser(ed).get(card.get_absolute_url()))


def test_a_card_on_an_archived_board_is_not_found(olga, board, card):
    archive_board(actor=web(olga), board_id=board.pk)
    assert browser(olga).get(card.get_absolute_url()).status_code == 404


def test_a_viewer_sees_the_card_without_controls(olga, ed, vera, todo):
    card = filled_card(olga, ed, todo, "Card")
    page = browser(vera).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    for words in ("Card", "Bug of Card", "Item", "Comment", "Weekly", "Olga"):
        assert words in page
    for control in ("<form", "<button", "<textarea", "<select"):
        assert control not in page


def test_the_card_takes_as_many_statements_however_much_belongs_to_it(olga, ed, todo):
    client = browser(olga)
    card = filled_card(olga, ed, todo, "Card")

    def statements():
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"/card/{card.pk}", **SCRIPTED).status_code == 200
        return len(found)

    before = statements()
    for number in range(3):
        checklist = create_checklist(actor=web(ed), card_id=card.pk, title=f"Further {number}")
        add_item(actor=web(ed), checklist_id=checklist.pk, text="Item")
        add_comment(actor=web(ed), card_id=card.pk, text="Further")
        label = create_label(actor=web(ed), board_id=card.board_id, name=f"Further {number}")
        add_label(actor=web(ed), card_id=card.pk, label_id=label.pk)
    assert statements() == before == 15


def test_a_change_takes_as_many_statements_however_much_belongs_to_the_card(olga, ed, todo):
    client = browser(olga)
    card, other = filled_card(olga, ed, todo, "Card"), filled_card(olga, ed, todo, "Other")
    for _number in range(3):
        add_comment(actor=web(ed), card_id=other.pk, text="Further")

    def statements(one):
        with CaptureQueriesContext(connection) as found:
            assert client.post(f"/card/{one.pk}/title", {"title": f"New {one.number}"}, **SCRIPTED).status_code == 200
        return len(found)

    assert statements(card) == statements(other) <= 31


def test_the_title_is_changed_and_the_tile_with_it(ed, card):
    answer = send(ed, card, "title", {"title": "Announce it"}, **SCRIPTED).content.decode()
    assert answer.startswith('<article class="open-card"')
    assert f'<li class="card" id="card-{card.pk}"' in answer
    assert answer.count("Announce it") >= 2


def test_a_refused_title_is_shown_again_with_its_sentence(ed, card):
    answer = send(ed, card, "title", {"title": "two\nlines"})
    assert answer.status_code == 422
    assert "Title must be a single line." in text_of(answer)
    assert "two\nlines</textarea>" in answer.content.decode()


def test_a_description_is_written_in_markdown_and_shown_as_safe_html(ed, card):
    markdown = "**Bold** <script>alert(1)</script> [link](javascript:alert(1))"
    send(ed, card, "description", {"description": markdown, "version": card.version})
    page = browser(ed).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    assert "<strong>Bold</strong>" in page
    assert "<script>" not in page
    assert 'href="javascript' not in page


def test_of_two_descriptions_written_at_once_both_are_shown_and_none_is_lost(olga, ed, card):
    seen = card.version
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    for headers in ({}, SCRIPTED):
        answer = send(ed, card, "description", {"description": "Ed's words", "version": seen}, **headers)
        assert answer.status_code == 409
        assert "Olga's words" in text_of(answer)
        assert "Ed&#x27;s words</textarea>" in answer.content.decode()
    card.refresh_from_db()
    assert to_markdown(card.description) == "Olga's words"


def test_a_user_can_overwrite_with_their_own_text_after_a_conflict(olga, ed, card):
    seen = card.version
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    send(ed, card, "description", {"description": "Ed's words", "version": seen})
    card.refresh_from_db()
    assert send(ed, card, "description", {"description": "Ed's words", "version": card.version}).status_code == 302
    card.refresh_from_db()
    assert to_markdown(card.description) == "Ed's words"


def test_who_overwrote_a_description_is_named(olga, ed, card):
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    answer = send(ed, card, "description", {"description": "Ed's words", "version": card.version})
    assert "Olga changed this in the meantime." in text_of(answer)


@pytest.mark.parametrize("headers", [{}, SCRIPTED])
def test_of_two_titles_written_at_once_both_are_shown_and_none_is_lost(olga, ed, card, headers):
    update_card(actor=web(olga), card_id=card.pk, title="Olga's title")
    answer = send(ed, card, "title", {"title": "Ed's title", "version": card.version}, **headers)
    assert answer.status_code == 409
    assert "Olga changed the title to “Olga's title” in the meantime." in text_of(answer)
    assert "Ed&#x27;s title</textarea>" in answer.content.decode()
    card.refresh_from_db()
    assert card.title == "Olga's title"
    assert f'name="version" value="{card.version}"' in answer.content.decode()


def test_the_form_of_the_title_says_which_version_it_shows(ed, card):
    page = browser(ed).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    form = page[page.index(f'action="/card/{card.pk}/title"') :].partition("</form>")[0]
    assert f'<input type="hidden" name="version" value="{card.version}">' in form


def test_the_title_of_a_form_without_a_version_is_taken(olga, ed, card):
    update_card(actor=web(olga), card_id=card.pk, title="Olga's title")
    assert send(ed, card, "title", {"title": "Ed's title"}).status_code == 302


def test_a_document_from_the_editor_wins_over_the_markdown_beside_it(ed, card):
    sent = {"document": json.dumps(doc(p(text("Bold", "bold")))), "description": "Markdown", "version": card.version}
    assert send(ed, card, "description", sent).status_code == 302
    card.refresh_from_db()
    assert card.description == doc(p(text("Bold", "bold")))


def test_an_empty_document_removes_the_description(ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="Words")
    card.refresh_from_db()
    send(ed, card, "description", {"document": "", "description": "Words", "version": card.version})
    card.refresh_from_db()
    assert card.description is None


SURROGATE = '{"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "\\ud800"}]}]}'
MALFORMED = [
    "{",
    "[]",
    "1",
    "NaN",
    '"doc"',
    "[" * 50_000,
    '{"type": "doc", "content": [{"type": "iframe"}]}',
    SURROGATE,
]


@pytest.mark.parametrize("sent", MALFORMED)
def test_a_malformed_document_is_refused_in_words_and_changes_nothing(ed, card, sent):
    update_card(actor=web(ed), card_id=card.pk, description="Words")
    card.refresh_from_db()
    form = {"document": sent, "description": "New words", "version": card.version}
    answer = send(ed, card, "description", form, **SCRIPTED)
    assert answer.status_code == 400
    assert text_of(answer).startswith("Description ")
    kept = send(ed, card, "description", form).content.decode()
    assert "New words</textarea>" in kept
    assert 'name="document"' not in kept
    card.refresh_from_db()
    assert to_markdown(card.description) == "Words"


def test_a_document_of_too_much_text_is_refused(ed, card):
    sent = {"document": json.dumps(doc(p("a" * 20_001))), "version": card.version}
    answer = send(ed, card, "description", sent)
    assert answer.status_code == 422
    assert "Description must have at most 20000 characters" in text_of(answer)


def test_a_document_written_while_somebody_else_changed_it_is_shown_as_markdown(olga, ed, card):
    update_card(actor=web(olga), card_id=card.pk, description="Olga's words")
    sent = {"document": json.dumps(doc(p(text("Ed", "bold")))), "description": "Old", "version": card.version}
    answer = send(ed, card, "description", sent)
    assert answer.status_code == 409
    assert "**Ed**</textarea>" in answer.content.decode()


def test_the_page_carries_the_description_as_the_editor_reads_it(ed, card):
    update_card(actor=web(ed), card_id=card.pk, description="a < **b**")
    page = browser(ed).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    found = re.search(r'<textarea name="document" hidden disabled>(.*?)</textarea>', page)
    assert json.loads(unescape(found[1])) == from_markdown("a < **b**")


def test_the_page_carries_no_document_where_there_is_no_description(ed, card):
    page = browser(ed).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    assert '<textarea name="document" hidden disabled></textarea>' in page


def test_a_change_of_another_field_is_not_a_conflict(olga, ed, card):
    seen = card.version
    update_card(actor=web(olga), card_id=card.pk, title="Another title")
    assert send(ed, card, "description", {"description": "Words", "version": seen}).status_code == 302


def test_a_description_of_a_card_archived_meanwhile_is_refused_and_kept(ed, card):
    archive_card(actor=web(ed), card_id=card.pk)
    answer = send(ed, card, "description", {"description": "Long thoughts", "version": card.version})
    assert answer.status_code == 409
    assert "This card is archived." in text_of(answer)
    assert "Long thoughts</textarea>" in answer.content.decode()


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30, "１"])
def test_a_description_without_the_version_it_was_read_at_is_refused(ed, card, version):
    assert send(ed, card, "description", {"description": "Words", "version": version}).status_code == 422


def tick(user, card, box=1, checked=1, version=None, **headers):
    address = f"tick?version={card.version if version is None else version}&checked={checked}"
    return send(user, card, address, {"box": box}, **headers)


@pytest.fixture
def boxed(card, ed):
    update_card(actor=web(ed), card_id=card.pk, description="- [ ] one\n- [x] two\n\n> - [ ] three")
    card.refresh_from_db()
    return card


def boxes(card):
    return re.findall(r"\[(.)\]", to_markdown(Card.objects.get(pk=card.pk).description))


def test_a_box_of_the_description_is_ticked_where_it_is_read(ed, boxed):
    page = browser(ed).get(f"/card/{boxed.pk}", **SCRIPTED).content.decode()
    address = f"/card/{boxed.pk}/tick?version={boxed.version}&amp;checked=1"
    button = f'aria-checked="false" aria-label="three" form="board-form" formaction="{address}" name="box" value="3"'
    assert button in page
    answer = tick(ed, boxed, 3, **SCRIPTED).content.decode()
    assert boxes(boxed) == [" ", "x", "x"]
    assert 'aria-checked="true" aria-label="three"' in answer
    assert "Ticked." in answer
    tick(ed, boxed, 2, 0)
    assert boxes(boxed) == [" ", " ", "x"]


def test_ticking_without_scripts_leads_back_to_the_card(ed, boxed):
    assert tick(ed, boxed).url == boxed.get_absolute_url()


def test_a_viewer_sees_the_boxes_but_cannot_tick_them(vera, boxed):
    page = browser(vera).get(f"/card/{boxed.pk}", **SCRIPTED).content.decode()
    assert '<input type="checkbox" disabled aria-label="one">' in page
    assert 'class="box"' not in page
    assert tick(vera, boxed).status_code == 403


def test_boxes_of_an_archived_card_cannot_be_ticked(ed, boxed):
    archive_card(actor=web(ed), card_id=boxed.pk)
    assert 'class="box"' not in browser(ed).get(f"/card/{boxed.pk}", **SCRIPTED).content.decode()
    assert tick(ed, boxed).status_code == 409


def test_items_that_go_while_a_card_is_read_are_left_out(olga, ed, card, monkeypatch):
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps", items=[("Book the room", False)])
    add_first_items = checklist_pages._add_first_items

    def deleted_meanwhile(checklists):
        delete_item(actor=web(olga), item_id=steps.items.get().pk)
        add_first_items(checklists)

    monkeypatch.setattr(checklist_pages, "_add_first_items", deleted_meanwhile)
    assert "Steps" in text_of(browser(ed).get(f"/card/{card.pk}", **SCRIPTED))


def test_two_people_can_tick_boxes_of_one_text(olga, ed, boxed):
    tick(olga, boxed, 1)
    tick(ed, boxed, 3)
    assert boxes(boxed) == ["x", "x", "x"]


@pytest.mark.parametrize("text", ["- [ ] zero\n- [ ] one", "- [ ] other", "", "one"])
def test_a_box_that_says_something_else_by_now_is_not_ticked(olga, ed, boxed, text):
    update_card(actor=web(olga), card_id=boxed.pk, description=text)
    answer = tick(ed, boxed, **SCRIPTED)
    assert answer.status_code == 409
    assert "Olga changed this text in the meantime." in text_of(answer)
    assert "x" not in boxes(boxed)


def test_a_change_elsewhere_in_the_text_does_not_hinder_a_tick(olga, ed, boxed):
    update_card(actor=web(olga), card_id=boxed.pk, description="# New\n\n- [ ] one\n- [ ] more")
    assert tick(ed, boxed).status_code == 302
    assert boxes(boxed) == ["x", " "]


def test_ticking_a_ticked_box_changes_nothing(ed, boxed):
    before = Activity.objects.count()
    assert tick(ed, boxed, 2, 1).status_code == 302
    assert Activity.objects.count() == before


def test_a_box_that_is_not_there_is_refused(ed, card, boxed):
    assert tick(ed, boxed, 4).status_code == 409
    assert tick(ed, boxed, 0).status_code == 409
    assert tick(ed, boxed, version=boxed.version + 1_000).status_code == 409


@pytest.mark.parametrize("box, checked", [("x", 1), ("", 1), ("-1", 1), ("1" * 9, 1), (1, 2), (1, "")])
def test_a_tick_that_names_no_box_is_refused(ed, boxed, box, checked):
    assert tick(ed, boxed, box, checked).status_code == 422


def test_a_due_date_is_read_and_shown_in_the_zone_of_the_account(ed, card):
    ed.time_zone = "America/New_York"
    ed.save()
    send(ed, card, "due", {"due": "2030-01-02T03:04"})
    card.refresh_from_db()
    assert card.due_at == datetime(2030, 1, 2, 8, 4, tzinfo=UTC)
    page = browser(ed).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    assert 'name="due" min="1970-01-02" max="9999-12-30" value="2030-01-02"' in " ".join(page.split())
    assert 'name="time" value="03:04"' in page
    assert "Jan\xa02,\xa02030, 3:04\xa0AM" in page


def test_a_due_date_without_a_time_is_a_whole_day_and_shown_as_it_is_in_every_zone(ed, vera, card):
    ed.time_zone, vera.time_zone = "Asia/Tokyo", "America/New_York"
    ed.save()
    vera.save()
    send(ed, card, "due", {"due": "2030-01-02", "time": ""})
    card.refresh_from_db()
    assert (card.due_at, card.due_day) == (datetime(2030, 1, 2, 14, 59, 59, tzinfo=UTC), date(2030, 1, 2))
    page = browser(vera).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    assert '<time datetime="2030-01-02" data-show="due">Jan\xa02,\xa02030</time>' in page


def test_a_time_beside_the_date_makes_it_a_moment(ed, card):
    send(ed, card, "due", {"due": "2030-01-02", "time": "09:30"})
    card.refresh_from_db()
    assert (card.due_at, card.due_day) == (datetime(2030, 1, 2, 9, 30, tzinfo=UTC), None)


def test_a_start_date_is_set_beside_the_due_date_and_kept_by_forms_without_it(ed, card):
    send(ed, card, "due", {"due": "2030-01-02", "startDate": "2029-12-30"})
    send(ed, card, "due", {"due": "2030-01-03"})
    card.refresh_from_db()
    assert (card.start_day, card.due_day) == (date(2029, 12, 30), date(2030, 1, 3))
    send(ed, card, "due", {"due": "", "startDate": ""})
    card.refresh_from_db()
    assert (card.start_day, card.due_at) == (None, None)


def test_a_start_after_the_due_date_is_refused_in_words(ed, card):
    answer = send(ed, card, "due", {"due": "2030-01-02", "startDate": "2030-01-03"})
    assert answer.status_code == 422
    assert "Start date must not be after the due date." in answer.content.decode()
    card.refresh_from_db()
    assert (card.start_day, card.due_at) == (None, None)


def test_sending_a_due_date_back_as_it_was_shown_changes_nothing(ed, card):
    due_at = datetime(2030, 1, 2, 23, 59, 59, tzinfo=UTC)
    update_card(actor=web(ed), card_id=card.pk, due_at=due_at)
    before = Activity.objects.count()
    send(ed, card, "due", {"due": "2030-01-02T23:59"})
    card.refresh_from_db()
    assert (card.due_at, Activity.objects.count()) == (due_at, before)


def test_an_empty_due_date_removes_it(ed, card):
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2030, 1, 2, tzinfo=UTC))
    send(ed, card, "due", {"due": ""})
    card.refresh_from_db()
    assert card.due_at is None


@pytest.mark.parametrize("value", ["someday", "2030-02-30T10:00", "0001-01-01T00:00"])
def test_a_due_date_that_does_not_exist_is_refused(ed, card, value):
    answer = send(ed, card, "due", {"due": value})
    assert answer.status_code == 422
    assert text_of(answer).count("Due date must be") == 1


def test_recurrence_is_set_and_removed(ed, card):
    for rule in ("weekly", ""):
        send(ed, card, "recurrence", {"recurrence": rule})
        card.refresh_from_db()
        assert card.recurrence == rule
    assert send(ed, card, "recurrence", {"recurrence": "hourly"}).status_code == 422


def undo_button(change: Activity) -> str:
    return f'formaction="/board/{change.board_id}/undo" name="change" value="{change.board_id}:{change.version}">Undo'


@pytest.mark.parametrize("value", ["1", "0"])
def test_completing_and_reopening_offer_to_undo_it(ed, card, value):
    if value == "0":
        complete_card(actor=web(ed), card_id=card.pk)
    answer = browser(ed).post(f"/card/{card.pk}/completion", {"done": value}, follow=True)
    assert undo_button(Activity.objects.latest("version")) in answer.content.decode()
    card.refresh_from_db()
    assert (card.completed_at is not None) == (value == "1")


@pytest.mark.parametrize("form", [{}, {"done": ""}, {"done": "2"}, {"done": "yes"}])
def test_a_flag_other_than_0_or_1_is_refused(ed, card, form):
    assert send(ed, card, "completion", form).status_code == 422


def test_archiving_closes_the_card_and_offers_to_undo_it(ed, board, card):
    by_form = browser(ed).post(f"/card/{card.pk}/archival", {"archived": "1"})
    assert by_form.url == f"/board/{board.pk}"
    browser(ed).post(f"/card/{card.pk}/archival", {"archived": "0"})
    by_script = send(ed, card, "archival", {"archived": "1"}, **SCRIPTED).content.decode()
    assert f'data-removed="card-{card.pk}"' in by_script
    assert undo_button(Activity.objects.latest("version")) in by_script


def test_archiving_a_recurring_card_adds_the_next_one_and_undoing_it_removes_that(ed, card):
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2030, 1, 2, tzinfo=UTC), recurrence="weekly")
    archived = send(ed, card, "archival", {"archived": "1"}, **SCRIPTED).content.decode()
    following = Card.objects.get(repeats=card)
    assert f'id="card-{following.pk}"' in archived
    assert "The next occurrence is on the board." in archived
    restored = send(ed, card, "archival", {"archived": "0"}, **SCRIPTED).content.decode()
    assert f'data-removed="card-{following.pk}"' in restored


def order(row):
    return list(row.cards.filter(archived_at=None).values_list("title", flat=True))


def test_a_card_moves_to_the_top_or_the_bottom_of_a_list_and_says_where_it_is(olga, todo, doing, card):
    for title in ("First", "Second"):
        create_card(actor=web(olga), list_id=doing.pk, title=title)
    page = browser(olga).post(f"/card/{card.pk}/place", {"list": doing.pk, "where": "top"}, follow=True)
    assert order(doing) == [card.title, "First", "Second"]
    assert "Moved to Doing, 1 of 3" in text_of(page)
    send(olga, card, "place", {"list": doing.pk, "where": "bottom"})
    assert order(doing) == ["First", "Second", card.title]


def test_undoing_a_move_puts_the_card_before_the_one_it_was_before(olga, todo, doing):
    _first, second, third = (create_card(actor=web(olga), list_id=todo.pk, title=t) for t in ("1", "2", "3"))
    moves = []
    for card in (second, third):
        answer = send(olga, card, "place", {"list": doing.pk, "where": "top"}, **SCRIPTED).content.decode()
        moves.append(Activity.objects.latest("version"))
        assert undo_button(moves[-1]) in answer
    for move in reversed(moves):
        browser(olga).post(f"/board/{todo.board_id}/undo", {"change": move.version})
    assert order(todo) == ["1", "2", "3"]


def test_moving_a_card_to_where_it_is_shows_no_message(ed, todo, card):
    before = Activity.objects.count()
    answer = send(ed, card, "place", {"list": todo.pk, "where": "top"}, **SCRIPTED)
    assert "toast" not in answer.content.decode()
    assert Activity.objects.count() == before


@pytest.mark.parametrize(
    "form, status",
    [
        ({"list": "1", "where": "top"}, 404),
        ({"before": "1"}, 404),
        ({"list": "", "where": "top"}, 404),
        ({"where": "middle"}, 422),
        ({}, 422),
    ],
)
def test_an_invalid_place_moves_nothing(ed, todo, card, form, status):
    create_card(actor=web(ed), list_id=todo.pk, title="Below")
    assert send(ed, card, "place", form).status_code == status
    assert order(todo) == [card.title, "Below"]


def test_labels_are_added_and_removed(ed, board, card):
    label = create_label(actor=web(ed), board_id=board.pk, name="Bug")
    send(ed, card, "labels", {"add": label.pk})
    assert list(card.labels.all()) == [label]
    send(ed, card, "labels", {"remove": label.pk})
    assert not card.labels.exists()


def test_a_new_label_is_created_and_added_in_one_step(ed, card):
    send(ed, card, "labels", {"name": "Bug", "color": "5"})
    assert [(label.name, label.hue) for label in card.labels.all()] == [("Bug", 5)]


def test_a_label_that_cannot_be_added_is_not_created(ed, card):
    archive_card(actor=web(ed), card_id=card.pk)
    assert send(ed, card, "labels", {"name": "Bug", "color": "5"}).status_code == 409
    assert not Label.objects.exists()


def test_a_label_with_a_name_in_use_is_refused_and_the_text_kept(ed, board, card):
    create_label(actor=web(ed), board_id=board.pk, name="Bug")
    answer = send(ed, card, "labels", {"name": "Bug", "color": "5"})
    assert answer.status_code == 409
    assert "Bug</textarea>" in answer.content.decode()


def test_people_are_assigned_and_unassigned(ed, vera, card):
    send(ed, card, "assignees", {"add": vera.pk})
    assert list(card.assignees.all()) == [vera]
    send(ed, card, "assignees", {"remove": vera.pk})
    assert not card.assignees.exists()


def test_each_line_of_a_text_becomes_an_item_or_none_does(ed, card):
    client, checklist = browser(ed), create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    address = f"/checklist/{checklist.pk}/items"
    client.post(address, {"text": "alpha\r\n\n  beta\ngamma\n"})
    texts = [*checklist.items.order_by("position").values_list("text", flat=True)]
    assert texts == ["alpha", "beta", "gamma"]
    for refused in ("one\n" + "x" * 2000, "line\n" * 101, " \n "):
        assert client.post(address, {"text": refused}, **SCRIPTED).status_code == 422
    assert checklist.items.count() == 3


def test_a_checklist_and_its_items_are_created_changed_and_deleted(ed, card):
    client = browser(ed)
    client.post(f"/card/{card.pk}/checklists", {"title": "Steps"})
    checklist = Checklist.objects.get()
    client.post(f"/checklist/{checklist.pk}/title", {"title": "Stages"})
    client.post(f"/checklist/{checklist.pk}/items", {"text": "One"})
    item = ChecklistItem.objects.get()
    client.post(f"/item/{item.pk}/text", {"text": "The one"})
    client.post(f"/item/{item.pk}/completion", {"done": "1"})
    page = text_of(client.get(card.get_absolute_url()))
    assert "Stages 1 of 1" in page
    assert "The one" in page
    client.post(f"/item/{item.pk}/completion", {"done": "0"})
    item.refresh_from_db()
    assert not item.done
    assert client.post(f"/item/{item.pk}/deletion").url == card.get_absolute_url()
    assert client.post(f"/checklist/{checklist.pk}/deletion").url == card.get_absolute_url()
    assert not Checklist.objects.exists()


def items_in(checklist):
    return [*checklist.items.order_by("position").values_list("text", flat=True)]


def test_an_item_goes_beside_the_first_neighbor_that_is_left_or_to_an_end_of_its_checklist(ed, card):
    steps, other = (create_checklist(actor=web(ed), card_id=card.pk, title=title) for title in ("Steps", "Other"))
    a, b, c = (add_item(actor=web(ed), checklist_id=steps.pk, text=text) for text in "abc")
    add_item(actor=web(ed), checklist_id=other.pk, text="x")
    client = browser(ed)
    answer = client.post(f"/item/{c.pk}/place", {"checklist": steps.pk, "after": a.pk, "before": b.pk})
    assert (answer.url, items_in(steps)) == (card.get_absolute_url(), ["a", "c", "b"])
    client.post(f"/item/{a.pk}/place", {"checklist": other.pk, "where": "top"})
    client.post(f"/item/{c.pk}/place", {"checklist": steps.pk, "after": a.pk, "before": b.pk})  # a is elsewhere
    client.post(f"/item/{c.pk}/place", {"checklist": steps.pk, "after": a.pk})  # so it has no neighbor
    assert (items_in(steps), items_in(other)) == (["b", "c"], ["a", "x"])


def test_an_item_stays_on_its_card_and_keeps_its_place_there_if_it_is_archived(ed, todo, card):
    steps = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    item, _last = (add_item(actor=web(ed), checklist_id=steps.pk, text=text) for text in "ab")
    other = create_checklist(
        actor=web(ed), card_id=create_card(actor=web(ed), list_id=todo.pk, title="Other").pk, title="Other"
    )
    address, client = f"/item/{item.pk}/place", browser(ed)
    assert client.post(address, {"checklist": other.pk, "where": "top"}).status_code == 404
    assert client.post(address, {"checklist": steps.pk}).status_code == 422
    archive_card(actor=web(ed), card_id=card.pk)
    assert client.post(address, {"checklist": steps.pk, "where": "bottom"}).status_code == 409
    assert items_in(steps) == ["a", "b"]


def test_comments_are_written_changed_and_deleted(ed, card):
    client = browser(ed)
    client.post(f"/card/{card.pk}/comments", {"text": "**Strong** words"})
    comment = Comment.objects.get()
    assert "<strong>Strong</strong> words" in client.get(card.get_absolute_url()).content.decode()
    client.post(f"/comment/{comment.pk}", {"text": "Weak words"})
    page = text_of(client.get(card.get_absolute_url()))
    assert "Weak words" in page
    assert "edited" in page
    client.post(f"/comment/{comment.pk}/deletion")
    assert not Comment.objects.exists()


def test_a_card_shows_its_comments_without_reading_them_again(olga, card, monkeypatch):
    add_comment(actor=web(olga), card_id=card.pk, text="**Strong** <b>")
    monkeypatch.setattr("boards.actions.cards.comments.from_markdown", None)
    (comment,) = comments_on(browser(olga).get(card.get_absolute_url()))
    assert "<p><strong>Strong</strong> &lt;b&gt;</p>" in comment


def test_a_comment_of_the_time_before_is_shown_too(olga, card):
    add_comment(actor=web(olga), card_id=card.pk, text="**Strong**")
    Comment.objects.update(document=None, html="", html_version=0)
    (comment,) = comments_on(browser(olga).get(card.get_absolute_url()))
    assert "<p><strong>Strong</strong></p>" in comment


def test_an_archived_card_can_be_commented_on(ed, card):
    archive_card(actor=web(ed), card_id=card.pk)
    assert send(ed, card, "comments", {"text": "For the record"}).status_code == 302


def comments_on(page):
    """Return the HTML of each comment, without the card's history, which contains some of the same text."""
    return re.findall(r'<article\s+class="comment".*?</article>', page.content.decode(), re.DOTALL)


def test_a_comment_says_which_agent_wrote_it(olga, card):
    add_comment(actor=web(olga), card_id=card.pk, text="By hand")
    add_comment(actor=Actor(olga, Door.AGENT, None, "laptop"), card_id=card.pk, text="Checked")
    by_agent, by_hand = comments_on(browser(olga).get(card.get_absolute_url()))
    assert "via agent · laptop" in by_agent
    assert "via " not in by_hand


def test_only_the_owner_is_offered_to_delete_an_archived_card(olga, ed, card):
    archive_card(actor=web(ed), card_id=card.pk)
    assert f"/card/{card.pk}/deletion" in browser(olga).get(card.get_absolute_url()).content.decode()
    assert f"/card/{card.pk}/deletion" not in browser(ed).get(card.get_absolute_url()).content.decode()


def test_deleting_for_good_asks_first(olga, board, card):
    archive_card(actor=web(olga), card_id=card.pk)
    client = browser(olga)
    assert "Delete this card permanently?" in text_of(client.get(f"/card/{card.pk}/deletion"))
    assert Card.objects.exists()
    answer = client.post(f"/card/{card.pk}/deletion", follow=True)
    assert "“Write the announcement” was deleted." in text_of(answer)
    assert not Card.objects.exists()


def test_markdown_is_translated_into_a_document_and_back(ed):
    client = browser(ed)
    document = client.post("/markdown", {"markdown": "# Plan\n\n- [x] **one**"}).json()["document"]
    assert [node["type"] for node in document["content"]] == ["heading", "taskList"]
    assert client.post("/markdown", {"document": json.dumps(document)}).json() == {
        "markdown": "# Plan\n\n- [x] **one**"
    }
    assert client.post("/markdown", {"markdown": " \n"}).json() == {"document": None}
    assert client.post("/markdown", {"document": ""}).json() == {"markdown": ""}


@pytest.mark.parametrize(
    "form, status",
    [
        ({"markdown": "a" * 20_001}, 422),
        ({"markdown": "\x00"}, 422),
        ({"document": "{"}, 400),
        ({"document": '{"type": "doc", "content": [{"type": "script"}]}'}, 400),
    ],
)
def test_what_cannot_be_translated_is_refused_in_words(ed, form, status):
    answer = browser(ed).post("/markdown", form, headers={"HX-Request": "true"})
    assert (answer.status_code, "Description" in answer.content.decode()) == (status, True)


@pytest.mark.parametrize(
    "word, day", [("today", "2026-11-25"), ("tomorrow", "2026-11-26"), ("next-week", "2026-11-30")]
)
def test_a_button_sets_a_whole_day_counted_in_the_readers_zone(ed, card, word, day):
    ed.time_zone = "Asia/Tokyo"
    ed.save()
    with time_machine.travel("2026-11-24T20:00:00Z", tick=False):  # in Tokyo Wednesday, the 25th
        send(ed, card, "due", {"due": word})
    card.refresh_from_db()
    assert card.due_day.isoformat() == day
    send(ed, card, "due", {"due": ""})
    card.refresh_from_db()
    assert (card.due_day, card.due_at) == (None, None)


@pytest.mark.parametrize("start,day", [("monday", "2026-11-30"), ("saturday", "2026-11-28"), ("sunday", "2026-11-30")])
def test_next_week_is_that_of_the_reader(ed, card, start, day):
    ed.week_start = start
    ed.save()
    with time_machine.travel("2026-11-24T12:00:00Z", tick=False):
        send(ed, card, "due", {"due": "next-week"})
    card.refresh_from_db()
    assert card.due_day.isoformat() == day


def test_a_comment_from_the_editor_is_stored_as_its_markdown(ed, card):
    document = doc(p(text("Words", "bold")))
    send(ed, card, "comments", {"document": json.dumps(document), "text": "not this"})
    comment = Comment.objects.get()
    assert (comment.body, comment.document) == ("**Words**", document)
    browser(ed).post(f"/comment/{comment.pk}", {"document": json.dumps(doc(p(text("Others"))))})
    comment.refresh_from_db()
    assert comment.body == "Others"
    assert send(ed, card, "comments", {"document": json.dumps(doc())}).status_code == 422
