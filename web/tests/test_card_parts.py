"""Pages of comments and items, and answers that hold only what changed on a card."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    move_item,
    update_item,
)
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.labels import add_label, create_label, update_label
from boards.actions.lists.list import archive_list, create_list, rename_list
from boards.actions.people.members import remove_member
from boards.models import Activity, Board, Card, Checklist, ChecklistItem, Comment, List
from conftest import web
from web.cards.parts import AT_MOST_OF_BOARD
from web.cards.stream import grouped
from web.tests.browsing import SCRIPTED, browser


def write(user, card, *numbers):
    return [add_comment(actor=web(user), card_id=card.pk, text=f"Comment {number}.") for number in numbers]


def texts_of(page):
    html = page.content.decode()
    return [
        re.search("Comment [0-9]+[.]", one)[0]
        for one in re.findall(r'<article\s+class="comment".*?</article>', html, re.S)
    ]


def link(page, words):
    """Return the address of the link with these words; None without one."""
    found = re.search(rf'href="([^"]*)"[^>]*>{words}<', page.content.decode())
    return unescape(found[1]) if found else None


def parts_of(answer):
    """Return the names of the parts in an answer, those that are gone with a minus."""
    return [
        minus.replace("gone", "-") + name for minus, name in re.findall(r'data-(?:part|(gone))="([^"]*)"', str(answer))
    ]


def changes_of(card):
    """Return the names of the entries for the card's changes, the newest first."""
    return [entry.name for entry in grouped(Activity.objects.filter(card_id=card.pk).select_related("user"))]


def since(user, card, version):
    return browser(user).get(f"/card/{card.pk}?since={version}", **SCRIPTED).content.decode()


def open_at(card, version=None):
    """Return the headers of a page on which the card is open."""
    return {**SCRIPTED, "HTTP_X_OPEN_CARD": f"{card.pk} {card.version if version is None else version}"}


def fresh(card):
    return Card.objects.get(pk=card.pk)


def test_a_card_shows_its_newest_comments_and_links_to_the_earlier_ones_page_by_page(olga, card):
    write(olga, card, *range(65))
    page = browser(olga).get(card.get_absolute_url())
    shown = [texts_of(page)]
    while address := link(page, "Show earlier comments"):
        page = browser(olga).get(address)
        shown.append(texts_of(page))
    pages = [range(35, 65), range(5, 35), range(5)]
    assert shown == [[f"Comment {number}." for number in reversed(numbers)] for numbers in pages]
    assert link(page, "Show newest comments") == card.get_absolute_url()


def test_pages_stay_the_same_while_comments_come_and_go(olga, card):
    comments = write(olga, card, *range(35))
    address = link(browser(olga).get(card.get_absolute_url()), "Show earlier comments")
    delete_comment(actor=web(olga), comment_id=comments[5].pk)
    write(olga, card, 99)
    assert texts_of(browser(olga).get(address)) == [f"Comment {number}." for number in (4, 3, 2, 1, 0)]


def test_comments_of_one_moment_are_on_one_page_or_the_other(olga, card):
    write(olga, card, *range(35))
    Comment.objects.update(created_at=timezone.now())
    page = browser(olga).get(card.get_absolute_url())
    both = texts_of(page) + texts_of(browser(olga).get(link(page, "Show earlier comments")))
    assert sorted(both) == sorted(f"Comment {number}." for number in range(35))


@pytest.mark.parametrize(
    "place", ["all", "", "x.y", "-5.0", "f" * 40, "fffffffffffffff.01a1fb62-dd88-7000-8000-000000000000"]
)
def test_a_place_that_is_none_shows_the_newest(olga, card, place):
    write(olga, card, *range(31))
    page = browser(olga).get(f"{card.get_absolute_url()}&comments={place}")
    assert texts_of(page) == [f"Comment {number}." for number in range(30, 0, -1)]


def test_long_comments_are_fewer_on_a_page(olga, card):
    for _number in range(8):
        add_comment(actor=web(olga), card_id=card.pk, text="Words " * 1_700)
    page = browser(olga).get(card.get_absolute_url())
    assert page.content.decode().count('data-part="comment-0') == 3
    assert link(page, "Show earlier comments")


def test_the_script_gets_earlier_comments_alone(olga, card):
    write(olga, card, *range(35))
    address = re.search('data-more="([^"]*)"', browser(olga).get(card.get_absolute_url()).content.decode())[1]
    answer = browser(olga).get(unescape(address), **SCRIPTED)
    assert texts_of(answer) == [f"Comment {number}." for number in (4, 3, 2, 1, 0)]
    assert parts_of(answer.content.decode())[-1] == "-earlier"
    assert browser(olga).get(unescape(address)).url.startswith(card.get_absolute_url())


@pytest.fixture
def steps(olga, card):
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    first = add_item(actor=web(olga), checklist_id=steps.pk, text="Item 0.")
    rows = [
        ChecklistItem(
            board_id=card.board_id,
            card=card,
            checklist=steps,
            text=f"Item {n}.",
            position=first.position + n,
            version=1,
        )
        for n in range(1, 250)
    ]
    ChecklistItem.objects.bulk_create(rows)
    return steps


def items_of(page):
    return [int(number) for number in re.findall(r'class="text" id="[^"]*">Item ([0-9]+)[.]', page.content.decode())]


def test_a_checklist_shows_its_first_items_and_links_to_the_others_page_by_page(olga, card, steps):
    page = browser(olga).get(card.get_absolute_url())
    shown = [items_of(page)]
    while address := link(page, "Show more items"):
        page = browser(olga).get(address)
        shown.append(items_of(page))
    assert shown == [list(range(40)), list(range(40, 140)), list(range(140, 240)), list(range(240, 250))]
    assert link(page, "Show first items") == card.get_absolute_url()
    assert "0 of 250" in page.content.decode()


def test_the_script_gets_further_items_alone(olga, card, steps):
    address = re.search('data-more="([^"]*)"', browser(olga).get(card.get_absolute_url()).content.decode())[1]
    answer = browser(olga).get(unescape(address), **SCRIPTED)
    assert items_of(answer) == list(range(40, 140))
    assert parts_of(answer.content.decode())[-1] == f"more-{steps.pk}"


@pytest.fixture
def twenty(olga, card):
    """Twenty checklists of eight items."""
    made = [create_checklist(actor=web(olga), card_id=card.pk, title=f"List {number}") for number in range(20)]
    for row in made:
        for item in range(8):
            add_item(actor=web(olga), checklist_id=row.pk, text=f"Item {item}.")
    return made


def checklists_of(page):
    return [int(number) for number in re.findall(r"<h2 id=[^>]*>\s*List ([0-9]+)", page.content.decode())]


def test_many_checklists_are_shown_page_by_page_with_some_items_of_each(olga, card, twenty):
    page = browser(olga).get(card.get_absolute_url())
    assert items_of(page) == list(range(5)) * 8
    shown = [checklists_of(page)]
    while address := link(page, "Show more checklists"):
        page = browser(olga).get(address)
        shown.append(checklists_of(page))
    assert shown == [list(range(8)), list(range(8, 16)), list(range(16, 20))]
    assert link(page, "Show first checklists") == card.get_absolute_url()


def test_the_script_gets_further_checklists_alone(olga, card, twenty):
    address = f"/card/{card.pk}/checklists?checklists={twenty[15].position:x}"
    answer = browser(olga).get(address, **SCRIPTED)
    assert checklists_of(answer) == [16, 17, 18, 19]
    assert parts_of(answer.content.decode())[-1] == "-more-checklists"
    assert browser(olga).get(address).url.startswith(card.get_absolute_url())


def test_further_items_of_a_later_checklist_are_shown_without_scripts(olga, card, twenty):
    page = browser(olga).get(f"{card.get_absolute_url()}&checklists={twenty[7].position:x}")
    page = browser(olga).get(link(page, "Show more items"))
    assert checklists_of(page) == list(range(8, 16))
    assert items_of(page) == [5, 6, 7, *list(range(5)) * 7]


def test_a_change_in_a_later_checklist_is_sent_to_pages_that_may_show_it(olga, card, twenty):
    opened = open_at(fresh(card))
    update_item(actor=web(olga), item_id=ChecklistItem.objects.filter(checklist=twenty[17]).first().pk, done=True)
    found = parts_of(browser(olga).post(f"/card/{card.pk}/title", {"title": "Better"}, **opened).content.decode())
    assert f"checklist-head-{twenty[17].pk}" in found
    assert f"checklist-head-{twenty[16].pk}" not in found


def fill(board, card, author, *, comment, checklists):
    """Give the board 200 lists, and the card 2,000 such comments and 2,000 items."""
    made = add_comment(actor=web(author), card_id=card.pk, text=comment)
    mine = {"board_id": board.pk, "version": 1}
    List.objects.bulk_create(List(title=f"List {n}", position=1 + n, **mine) for n in range(200 - board.lists.count()))
    mine["card"] = card
    text = {"author": author, "body": comment, "document": made.document}
    Comment.objects.bulk_create(Comment(**text, **mine) for _number in range(1999))
    rows = Checklist.objects.bulk_create(Checklist(title=f"Steps {n}", position=n, **mine) for n in range(checklists))
    ChecklistItem.objects.bulk_create(
        ChecklistItem(checklist=row, text=f"Item {n} of {row.title}.", position=n, **mine)
        for row in rows
        for n in range(2000 // checklists)
    )


SENTENCE = "It **grew** to what people write when they explain things. "


@pytest.mark.parametrize(
    ("comment", "checklists", "shown"),
    [("Comment 1. **Words** of some length.", 100, 30), (f"Comment 1. {SENTENCE * 9}"[:500], 20, 21)],
)
def test_a_card_with_2000_comments_2000_items_and_200_lists_is_read_and_sent_in_parts(
    olga, board, card, comment, checklists, shown
):
    fill(board, card, olga, comment=comment, checklists=checklists)
    page = browser(olga).get(f"/card/{card.pk}", **SCRIPTED)
    assert len(texts_of(page)) == shown
    assert page.content.decode().count("<option value") >= 200
    assert len(page.content) < 200_000


def test_a_form_is_answered_with_its_part_a_line_of_history_and_the_tile(olga, board, card):
    for number in range(100):
        create_list(actor=web(olga), board_id=board.pk, title=f"List {number}")
    write(olga, card, *range(10))
    opened = open_at(fresh(card))
    answer = browser(olga).post(f"/card/{card.pk}/title", {"title": "Better"}, **opened).content.decode()
    changed = fresh(card)
    newest, *_older = changes_of(card)  # the card may have been made in the minute before
    assert parts_of(answer) == ["head", "completion", newest]
    assert f'data-version="{changed.version}" data-title="Better"' in answer
    assert f'<li class="card" id="card-{card.pk}"' in answer
    assert len(answer) < 5000


FORMS = {
    "description": ({"description": "Words", "version": "99"}, "description"),
    "due": ({"due": "2030-01-02T03:04"}, "due"),
    "recurrence": ({"recurrence": "weekly"}, "recurrence"),
    "completion": ({"done": "1"}, "completion"),
    "labels": ({"name": "Bug", "color": "5"}, "labels"),
    "comments": ({"text": "Word"}, "new-comment"),
    "checklists": ({"title": "Steps"}, "new-checklist"),
    "place": ({"where": "bottom"}, "place"),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_answered_with_its_own_part_and_never_with_the_card(olga, todo, card, form):
    create_card(actor=web(olga), list_id=todo.pk, title="Below")
    values, part = FORMS[form]
    values = {**values, **({"version": card.version} if form == "description" else {})}
    answer = browser(olga).post(f"/card/{card.pk}/{form}", values, **open_at(card)).content.decode()
    assert part in parts_of(answer)
    assert 'id="open-card"' not in answer


def test_a_form_that_changes_nothing_is_answered_with_its_own_part(olga, card):
    answer = browser(olga).post(f"/card/{card.pk}/title", {"title": f" {card.title} "}, **open_at(card))
    assert parts_of(answer.content.decode()) == ["head", "completion"]


def test_an_answer_holds_what_others_changed_meanwhile(olga, ed, card):
    seen = open_at(card)
    update_card(actor=web(ed), card_id=card.pk, description="Ed's words")
    assign(actor=web(ed), card_id=card.pk, user_id=ed.pk)
    answer = browser(olga).post(f"/card/{card.pk}/title", {"title": "Better"}, **seen).content.decode()
    assert {"head", "description", "people"} <= set(parts_of(answer))


def test_a_page_without_an_open_card_or_with_another_gets_the_tile_alone(olga, card):
    for opened in ("", "01a1fb62-dd88-7000-8000-000000000000 5"):
        headers = {**SCRIPTED, "HTTP_X_OPEN_CARD": opened}
        answer = browser(olga).post(f"/card/{card.pk}/completion", {"done": "1"}, **headers).content.decode()
        assert "data-part" not in answer
        assert f'id="card-{card.pk}"' in answer


def test_a_page_that_does_not_say_what_it_shows_gets_the_whole_card(olga, card):
    answer = browser(olga).post(f"/card/{card.pk}/title", {"title": "Better"}, **SCRIPTED).content.decode()
    assert 'id="open-card"' in answer


def test_one_new_comment_is_all_that_is_sent_of_the_comments(olga, ed, card):
    write(olga, card, *range(5))
    before = fresh(card).version
    made = add_comment(actor=web(ed), card_id=card.pk, text="Comment 99.")
    answer = since(olga, card, before)
    assert parts_of(answer) == ["new-comment", f"comment-{made.pk}"]
    assert re.search(rf'data-part="comment-{made.pk}"[^>]* data-new', answer)


def test_a_renamed_label_is_sent_with_what_changed_after_it(olga, card):
    label = create_label(actor=web(olga), board_id=card.board_id, name="Bug")
    add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    before = fresh(card).version
    update_label(actor=web(olga), label_id=label.pk, name="Fault")
    add_comment(actor=web(olga), card_id=card.pk, text="Comment 99.")
    answer = since(olga, card, before)
    assert "labels" in parts_of(answer)
    assert "Fault" in answer


def test_a_card_that_has_not_changed_for_long_gets_its_labels_without_a_look_for_their_changes(olga, board, card):
    def asked_for_labels():
        with CaptureQueriesContext(connection) as asked:
            parts = parts_of(since(olga, card, card.version))
        return parts, [query for query in asked if "'label." in query["sql"]]

    assert asked_for_labels()[1]
    Board.objects.filter(pk=board.pk).update(version=card.version + AT_MOST_OF_BOARD + 1)
    assert asked_for_labels() == (["head", "completion", "labels", "people", "place"], [])


def test_a_card_gets_the_new_name_of_its_list_and_all_of_itself_when_that_is_archived(olga, todo, doing, card):
    before = fresh(card).version
    rename_list(actor=web(olga), list_id=todo.pk, title="Someday")
    answer = since(olga, card, before)
    assert (parts_of(answer), "Someday" in answer) == (["head", "completion", "place"], True)
    archive_list(actor=web(olga), list_id=doing.pk)
    assert 'id="open-card"' not in since(olga, card, before)
    archive_list(actor=web(olga), list_id=todo.pk)
    assert 'id="open-card"' in since(olga, card, before)


def test_a_removed_member_leaves_the_people_of_an_open_card(olga, ed, card):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    before = fresh(card).version
    remove_member(actor=web(olga), board_id=card.board_id, user_id=ed.pk)
    assert "people" in parts_of(since(olga, card, before))


def test_an_edited_comment_is_sent_as_one_to_replace_and_a_deleted_one_by_its_name(olga, card):
    edited, deleted = write(olga, card, 1, 2)
    before = fresh(card).version
    edit_comment(actor=web(olga), comment_id=edited.pk, text="Comment 11.")
    delete_comment(actor=web(olga), comment_id=deleted.pk)
    answer = since(olga, card, before)
    assert {f"comment-{edited.pk}", f"-comment-{deleted.pk}"} <= set(parts_of(answer))
    assert not re.search(rf'data-part="comment-{edited.pk}"[^>]* data-new', answer)


def test_items_that_changed_are_sent_with_the_head_of_their_checklist(olga, card):
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    one, two, three = (add_item(actor=web(olga), checklist_id=steps.pk, text=text) for text in "123")
    other = create_checklist(actor=web(olga), card_id=card.pk, title="Other")
    before = fresh(card).version
    update_item(actor=web(olga), item_id=one.pk, done=True)
    delete_item(actor=web(olga), item_id=two.pk)
    found = parts_of(since(olga, card, before))
    assert {f"item-{one.pk}", f"-item-{two.pk}", f"checklist-head-{steps.pk}"} <= set(found)
    assert not {f"item-{three.pk}", f"checklist-head-{other.pk}"} & set(found)


def test_an_item_that_moved_is_sent_alone_for_pages_that_may_not_have_it_yet(olga, card):
    steps, other = (create_checklist(actor=web(olga), card_id=card.pk, title=title) for title in ("Steps", "Other"))
    one, _two = (add_item(actor=web(olga), checklist_id=steps.pk, text=text) for text in "12")
    before = fresh(card).version
    move_item(actor=web(olga), item_id=one.pk, checklist_id=other.pk)
    answer = since(olga, card, before)
    heads = {f"checklist-head-{row.pk}" for row in (steps, other)}
    assert set(parts_of(answer)) == {f"item-{one.pk}", *heads, *changes_of(card)[:1]}
    assert re.search(rf'data-part="item-{one.pk}" data-in="items-{other.pk}"[^>]* data-new', answer)


def test_an_item_that_becomes_a_card_leaves_the_open_card_and_brings_a_tile(olga, card):
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    item = add_item(actor=web(olga), checklist_id=steps.pk, text="Ask <b>")
    answer = browser(olga).post(f"/item/{item.pk}/card", {"text": "Ask <i>"}, **open_at(fresh(card)))
    html, made = answer.content.decode(), Card.objects.latest("number")
    assert f"-item-{item.pk}" in parts_of(html)
    assert f'id="card-{made.pk}"' in html
    assert "“Ask &lt;i&gt;” · Card created below this one." in html
    assert f'name="change" value="{card.board_id}:{fresh(card).version - 1}-{fresh(card).version}"' in html


def test_a_new_checklist_is_sent_whole_and_a_deleted_one_by_its_name(olga, card):
    old = create_checklist(actor=web(olga), card_id=card.pk, title="Old")
    before = fresh(card).version
    delete_checklist(actor=web(olga), checklist_id=old.pk)
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    item = add_item(actor=web(olga), checklist_id=steps.pk, text="1")
    found = parts_of(since(olga, card, before))
    assert {f"-checklist-{old.pk}", f"checklist-{steps.pk}"} <= set(found)
    assert found.count(f"item-{item.pk}") == 1


def test_nothing_is_sent_of_a_card_that_did_not_change(olga, card):
    assert parts_of(since(olga, card, card.version)) == []


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30, "１"])
def test_a_version_that_is_none_gets_the_whole_card(olga, card, version):
    assert 'id="open-card"' in since(olga, card, version)


def test_a_page_that_missed_a_lot_or_an_archiving_gets_the_whole_card(olga, card):
    before = card.version
    for _number in range(26):
        update_card(actor=web(olga), card_id=card.pk, title="One")
        update_card(actor=web(olga), card_id=card.pk, title="Other")
    assert 'id="open-card"' in since(olga, card, before)
    before = fresh(card).version
    archive_card(actor=web(olga), card_id=card.pk)
    assert 'id="open-card"' in since(olga, card, before)


def test_a_viewer_gets_parts_without_controls(olga, vera, card):
    before = card.version
    complete_card(actor=web(olga), card_id=card.pk)
    add_comment(actor=web(olga), card_id=card.pk, text="Comment 1.")
    answer = since(vera, card, before)
    assert {"completion", "head"} <= set(parts_of(answer))
    assert not re.search("<form|<button|<textarea|<select", answer)


def test_what_changed_takes_as_many_statements_however_much_belongs_to_the_card(olga, card):
    def statements():
        before = fresh(card).version
        write(olga, card, 1)
        update_card(actor=web(olga), card_id=card.pk, title=f"Title {before}")
        client = browser(olga)
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"/card/{card.pk}?since={before}", **SCRIPTED).status_code == 200
        return len(found)

    few = statements()
    write(olga, card, *range(40))
    assert statements() == few <= 7
