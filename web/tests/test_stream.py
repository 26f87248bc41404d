"""The one stream of comments and changes on a card."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from boards.actions.cards.card import complete_card, reopen_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actor import Actor
from boards.models import Activity, Comment
from boards.models.verbs import Door
from conftest import web
from web.tests.browsing import SCRIPTED, browser

ENTRY = re.compile(
    r'<(?:article|div)\s+class="(?:comment|changes)"(?: id="[^"]*")? data-part="([^"]*)"(.*?)(?=<div class="changes|<article|</section>|$)',
    re.S,
)


@pytest.fixture(autouse=True)
def a_quiet_minute():
    """Let all changes of a test lie within one minute, long ago."""
    minute = timezone.now().replace(second=0, microsecond=0) - timedelta(days=1)

    def at(row, **ago):
        type(row).objects.filter(pk=row.pk).update(created_at=minute - timedelta(**ago))

    def settle():
        for number, row in enumerate(Activity.objects.order_by("-version")):
            at(row, microseconds=number + 1)

    return settle


def entries_of(html):
    """Return the entries as (name, text), in the order of the page."""
    return [(found[1], " ".join(re.sub(r"^[^>]*>|<[^>]*>", " ", found[2]).split())) for found in ENTRY.finditer(html)]


def opened(user, card, **query):
    return browser(user).get(f"/card/{card.pk}", query, **SCRIPTED).content.decode()


def last_minutes_apart(*rows):
    """Date the rows one minute apart, the last one now."""
    for number, row in enumerate(reversed(rows)):
        type(row).objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(minutes=number))


def newest(card):
    return Activity.objects.filter(card_id=card.pk).first()


def test_comments_and_changes_are_one_stream_with_the_newest_first(olga, ed, card):
    added = newest(card)
    comment = add_comment(actor=web(ed), card_id=card.pk, text="A word")
    complete_card(actor=web(olga), card_id=card.pk)
    last_minutes_apart(added, comment, newest(card))
    texts = [text for _name, text in entries_of(opened(olga, card))]
    assert [re.search("marked|A word|added", text)[0] for text in texts] == ["marked", "A word", "added"]


def test_what_one_person_changed_in_one_minute_is_one_line_that_unfolds(olga, ed, card, a_quiet_minute):
    complete_card(actor=web(olga), card_id=card.pk)
    reopen_card(actor=web(olga), card_id=card.pk)
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    a_quiet_minute()
    by_ed, by_olga = [text for _name, text in entries_of(opened(olga, card))]
    assert "Ed changed the card · Title:" in by_ed
    assert by_olga.startswith("Olga reopened the card")
    assert "and 2 more changes" in by_olga
    assert by_olga.count("Olga") == 3


def test_the_usual_door_is_not_named_and_others_are(olga, card):
    complete_card(actor=web(olga), card_id=card.pk)
    reopen_card(actor=Actor(olga, Door.AGENT), card_id=card.pk)
    agent, browser_ = [text for _name, text in entries_of(opened(olga, card))]
    assert "via agent" in agent
    assert "via" not in browser_


def test_a_comment_is_not_told_a_second_time_as_a_change(olga, ed, card):
    add_comment(actor=web(ed), card_id=card.pk, text="A word")
    html = opened(olga, card)
    assert html.count("A word") == 1
    assert "commented" not in html


def test_a_change_in_the_same_minute_joins_its_entry(olga, card):
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    items = [add_item(actor=web(olga), checklist_id=steps.pk, text=text) for text in "12"]
    Activity.objects.update(created_at=timezone.now())
    [(name, _text)] = entries_of(opened(olga, card))
    version = newest(card).version
    update_item(actor=web(olga), item_id=items[0].pk, done=True)
    Activity.objects.update(created_at=Activity.objects.filter(version=version).first().created_at)
    [(again, text)] = [entry for entry in entries_of(opened(olga, card, since=version)) if "changes" in entry[0]]
    assert again == name
    assert "checked off 1" in text
    assert "and 4 more changes" in text


def test_each_change_is_on_one_page_of_comments(olga, card):
    """Changes lie between the comments they were made among, however many pages there are."""
    Activity.objects.filter(card_id=card.pk).update(created_at=timezone.now() - timedelta(days=99))
    for number in range(65):
        made = add_comment(actor=web(olga), card_id=card.pk, text=f"Comment {number}.")
        Comment.objects.filter(pk=made.pk).update(created_at=timezone.now() - timedelta(days=70 - number))
        if number % 10 == 0:
            update_card(actor=web(olga), card_id=card.pk, title=f"Title {number}.")
            Activity.objects.filter(pk=newest(card).pk).update(
                created_at=timezone.now() - timedelta(days=69.5 - number)
            )
    html, told = opened(olga, card), []
    while True:
        told += [re.search("Comment [0-9]+|Title [0-9]+[.] ·|added the card", text)[0] for _n, text in entries_of(html)]
        more = re.search(r'data-more="/card/[^?"]*[?]comments=([^"]*)"', html)
        if not more:
            break
        html = browser(olga).get(f"/card/{card.pk}/comments", {"comments": more[1]}, **SCRIPTED).content.decode()
    expected = [
        entry
        for number in range(65)
        for entry in [f"Comment {number}", *([f"Title {number}. ·"] if number % 10 == 0 else [])]
    ]
    assert told == ["added the card", *expected][::-1]


@pytest.fixture
def long(olga, card):
    """The card, whose title was changed 70 times: twice a minute, and the last three times in one."""
    for number in range(1, 71):
        update_card(actor=web(olga), card_id=card.pk, title=f"Title {number}.")
    now = timezone.now().replace(second=30, microsecond=0)
    for place, row in enumerate(Activity.objects.filter(card_id=card.pk)):
        row.created_at = now - timedelta(minutes=max(0, place - 1) // 2, seconds=place / 10)
        row.save(update_fields=["created_at"])
    return card


def older(user, card, place):
    return browser(user).get(f"/card/{card.pk}/changes", {"from": place}, **SCRIPTED).content.decode()


def place_of_older(html):
    found = re.search(r'data-more="/card/[^?"]*/changes[?]from=([0-9]*)"', html)
    return found and found[1]


def titles_in(html):
    return re.findall("→ (Title [0-9]+[.])", html)


def test_an_opened_card_names_its_ten_newest_changes(olga, long):
    assert titles_in(opened(olga, long)) == [f"Title {number}." for number in range(70, 60, -1)]


def test_older_changes_come_page_by_page_and_end(olga, long):
    html, told = opened(olga, long), {}
    while True:
        told |= dict(entries_of(html))  # a later page replaces what has the same name
        place = place_of_older(html)
        if place is None:
            break
        html = older(olga, long, place)
    assert 'data-gone="older-changes"' in html
    titles = [title for text in told.values() for title in re.findall("→ (Title [0-9]+[.])", text)]
    assert titles == [f"Title {number}." for number in range(70, 0, -1)]


def test_a_minute_that_the_first_page_cuts_is_whole_in_the_next(olga, long):
    html = opened(olga, long)
    [(name, cut)] = entries_of(html)[-1:]
    again = dict(entries_of(older(olga, long, place_of_older(html))))
    assert titles_in(cut) == ["Title 61."]
    assert titles_in(again[name]) == ["Title 61.", "Title 60."]


def test_without_scripts_older_changes_are_on_the_activity_page(olga, long):
    address = re.search(r'href="(/board/[^"]*&amp;before=[0-9]*)"', opened(olga, long))[1].replace("&amp;", "&")
    page = browser(olga).get(address).content.decode()
    assert titles_in(page)[:2] == ["Title 61.", "Title 60."]


def test_a_card_with_few_changes_has_no_older_ones(olga, card):
    assert "older-changes" not in opened(olga, card)


@pytest.mark.parametrize("place", ["", "x", "-1", "9" * 19])
def test_changes_from_no_number_are_not_found(olga, long, place):
    assert browser(olga).get(f"/card/{long.pk}/changes", {"from": place}, **SCRIPTED).status_code == 404


def test_behind_a_minute_with_more_changes_than_a_page_come_older_ones(olga, long):
    newest = Activity.objects.filter(card_id=long.pk).order_by("-version").first()
    first = Activity.objects.filter(card_id=long.pk).order_by("version").first()
    Activity.objects.filter(card_id=long.pk).exclude(pk=first.pk).update(created_at=newest.created_at)
    html = older(olga, long, place_of_older(opened(olga, long)))
    assert place_of_older(html) == str(first.version)
    assert place_of_older(older(olga, long, first.version)) is None


def test_a_minute_with_more_changes_than_a_page_ends_the_list(olga, long):
    Activity.objects.filter(card_id=long.pk).update(created_at=timezone.now())
    html = older(olga, long, place_of_older(opened(olga, long)))
    assert place_of_older(html) is None
    assert "and 49 more changes" in html
