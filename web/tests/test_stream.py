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
    r'<(?:article|div)\s+class="(?:comment|changes)" data-part="([^"]*)"(.*?)(?=<div class="changes|<article|</section>|$)',
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


def test_a_page_names_no_more_than_fifty_changes_and_says_so(olga, card):
    for number in range(52):
        update_card(actor=web(olga), card_id=card.pk, title=f"Title {number}")
    html = opened(olga, card)
    assert "Title: Title 0 → Title 1" not in html
    assert "Title: Title 1 → Title 2" in html
    assert "Some earlier changes are not shown here." in html
