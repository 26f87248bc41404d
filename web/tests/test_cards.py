"""An open card in the browser."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.archive import archive_card
from boards.actions.boards import archive_board
from boards.actions.cards import complete_card, create_card, update_card
from boards.actions.checklists import add_item, create_checklist
from boards.actions.comments import add_comment
from boards.actions.labels import add_label, create_label
from boards.actions.lists import archive_list
from boards.actor import Actor
from boards.models import Activity, Card, Checklist, ChecklistItem, Comment, Label
from boards.models.verbs import Door
from boards.richtext import to_markdown
from boards.tests.filled_card import filled_card
from conftest import web
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
    assert "Mark as done" not in text_of(answer)


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
    assert statements() == before <= 14


def test_a_change_takes_as_many_statements_however_much_belongs_to_the_card(olga, ed, todo):
    client = browser(olga)
    card, other = filled_card(olga, ed, todo, "Card"), filled_card(olga, ed, todo, "Other")
    for _number in range(3):
        add_comment(actor=web(ed), card_id=other.pk, text="Further")

    def statements(one):
        with CaptureQueriesContext(connection) as found:
            assert client.post(f"/card/{one.pk}/title", {"title": f"New {one.number}"}, **SCRIPTED).status_code == 200
        return len(found)

    assert statements(card) == statements(other) <= 30


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


def test_a_due_date_is_read_and_shown_in_the_zone_of_the_account(ed, card):
    ed.time_zone = "America/New_York"
    ed.save()
    send(ed, card, "due", {"due": "2030-01-02T03:04"})
    card.refresh_from_db()
    assert card.due_at == datetime(2030, 1, 2, 8, 4, tzinfo=UTC)
    page = browser(ed).get(f"/card/{card.pk}", **SCRIPTED).content.decode()
    assert 'value="2030-01-02T03:04"' in page
    assert "Jan. 2, 2030, 3:04 a.m." in page


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


@pytest.mark.parametrize("value", ["tomorrow", "2030-02-30T10:00", "0001-01-01T00:00"])
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


@pytest.mark.parametrize("value, other", [("1", "0"), ("0", "1")])
def test_completing_and_reopening_offer_to_undo_it(ed, card, value, other):
    if value == "0":
        complete_card(actor=web(ed), card_id=card.pk)
    answer = browser(ed).post(f"/card/{card.pk}/completion", {"done": value}, follow=True)
    assert f'formaction="/card/{card.pk}/completion" name="done" value="{other}"' in answer.content.decode()
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
    assert f'formaction="/card/{card.pk}/archival" name="archived" value="0"' in by_script


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
    for card, back in (
        (second, f'?list={todo.pk}" name="before" value="{third.pk}"'),
        (third, f'?list={todo.pk}" name="where" value="bottom"'),
    ):
        answer = send(olga, card, "place", {"list": doing.pk, "where": "top"}, **SCRIPTED).content.decode()
        assert f'formaction="/card/{card.pk}/place{back}' in answer
    browser(olga).post(f"/card/{third.pk}/place?list={todo.pk}", {"where": "bottom"})
    browser(olga).post(f"/card/{second.pk}/place?list={todo.pk}", {"before": str(third.pk)})
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
    monkeypatch.setattr("boards.actions.comments.from_markdown", None)
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
    by_hand, by_agent = comments_on(browser(olga).get(card.get_absolute_url()))
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
