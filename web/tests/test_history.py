"""History: a sentence for every verb, and the activity pages of a board."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.tokens import create_token
from apiv1.authentication import actor_of
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, delete_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.actor import Actor
from boards.models import Activity, Card, Verb
from boards.models.verbs import Door
from boards.reading.sentences import MORE_EXACT, ON_ITS_CARD, SENTENCES
from boards.tests.world import CASES, last, taken_back
from conftest import hand_over, join, web
from web.boards import activity as activity_page
from web.history import lines
from web.tests.browsing import browser, text_of


def newest(board, *, of_board=True):
    [line] = lines(Activity.objects.filter(pk=last(board).pk), of_board=of_board)
    return re.sub("<[^>]+>", "", line.sentence), list(line.details)


def test_there_is_a_sentence_for_every_verb():
    assert set(SENTENCES) == set(Verb)


def test_every_action_gives_a_complete_sentence_that_names_the_actor(world, subtests):
    for case in CASES:
        if not case.is_recorded or case.name in ("create_board", "delete_board", "delete_list", "delete_card"):
            continue
        with subtests.test(action=case.name), taken_back():
            case.call(world, case.actor(world))
            board = case.board(world)
            for sentence in (newest(board)[0], newest(board, of_board=False)[0]):
                assert sentence.startswith(f"{case.actor(world).user.name} ")
                assert "{" not in sentence
                assert "  " not in sentence
                assert not sentence.endswith((" to", " from", " as", " on", " "))


def test_every_sentence_that_names_a_card_has_one_that_does_not():
    naming = {kind for kind, sentence in {**SENTENCES, **MORE_EXACT}.items() if "{card}" in str(sentence)}
    assert set(ON_ITS_CARD) == naming
    assert not any("{card}" in str(sentence) for sentence in ON_ITS_CARD.values())


def test_on_its_own_page_a_card_is_not_named(ed, board, todo, doing, card):
    move_card(actor=web(ed), card_id=card.pk, list_id=doing.pk)
    assert newest(board, of_board=False)[0] == "Ed moved the card from To do to Doing"
    assert "Ed moved the card from To do to Doing" in text_of(browser(ed).get(card.get_absolute_url()))


def test_a_move_says_from_where_to_where(ed, board, todo, doing, card):
    move_card(actor=web(ed), card_id=card.pk, list_id=doing.pk)
    assert newest(board)[0] == "Ed moved Write the announcement #1 from To do to Doing"


def test_a_change_says_what_changed(ed, board, card):
    update_card(
        actor=web(ed),
        card_id=card.pk,
        title="Announce",
        description="How",
        due_at=datetime(2030, 1, 2, 3, 4, tzinfo=UTC),
        recurrence="weekly",
    )
    sentence, details = newest(board)
    assert sentence == "Ed changed Announce #1"
    assert sorted(details) == [
        "Description",
        "Due: – → Jan\xa02,\xa02030, 3:04\xa0AM",
        "Repeats: Never → Weekly",
        "Title: Write the announcement → Announce",
    ]


def test_a_comment_is_not_repeated_in_the_activity(ed, board, card):
    add_comment(actor=web(ed), card_id=card.pk, text="Some **words**")
    assert newest(board) == ("Ed commented on Write the announcement #1", [])


def test_a_new_member_is_named_with_the_role_and_the_inviter(stan, board):
    join(stan, board, "viewer")
    assert newest(board)[0] == "Stan joined as Viewer, invited by Olga"


def test_a_member_who_was_added_before_people_had_to_accept_is_named_as_before(olga, stan, board):
    join(stan, board, "viewer")
    Activity.objects.filter(pk=last(board).pk).update(user=olga)
    assert newest(board)[0] == "Olga added Stan as Viewer"


def test_a_new_owner_is_named_with_the_old_one(ed, board):
    hand_over(board, ed)
    assert newest(board)[0] == "Ed took over the board from Olga"


def test_an_owner_who_was_made_so_before_receivers_had_to_accept_is_named_as_before(olga, ed, board):
    hand_over(board, ed)
    Activity.objects.filter(pk=last(board).pk).update(user=olga)
    assert newest(board)[0] == "Olga transferred the board to Ed"


def test_titles_are_shown_as_text_whatever_they_contain(olga, board, todo):
    create_card(actor=web(olga), list_id=todo.pk, title="<script>alert(1)</script> {person}")
    page = browser(olga).get(f"/board/{board.pk}/activity").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {person}" in page


def test_a_card_that_is_gone_is_named_without_a_link(olga, board, card):
    archive_card(actor=web(olga), card_id=card.pk)
    address = f"/board/{board.pk}?card={card.pk}"
    assert address in browser(olga).get(f"/board/{board.pk}/activity").content.decode()
    delete_card(actor=web(olga), card_id=card.pk)
    page = browser(olga).get(f"/board/{board.pk}/activity")
    assert address not in page.content.decode()
    assert "Olga permanently deleted Write the announcement #1" in text_of(page)


def test_each_line_says_through_which_door_it_came(olga, board, card):
    complete_card(actor=Actor(olga, Door.AGENT, uuid7(), "laptop"), card_id=card.pk)
    page = text_of(browser(olga).get(f"/board/{board.pk}/activity"))
    assert "via agent · laptop" in page
    assert "in the web app" in page


def test_ones_own_token_links_to_what_it_may_do(olga, ed, board, todo):
    token, _value = create_token(ed, "laptop")
    create_card(actor=actor_of(token, Door.API), list_id=todo.pk, title="New")
    link = f'href="/settings/tokens#token-{token.pk}"'
    assert link in browser(ed).get(f"{board.get_absolute_url()}/activity").text
    assert f'id="token-{token.pk}"' in browser(ed).get("/settings/tokens").text
    assert link not in browser(olga).get(f"{board.get_absolute_url()}/activity").text


def test_the_activity_of_one_card_shows_no_other(olga, board, todo, card):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Another")
    page = text_of(browser(olga).get(f"/board/{board.pk}/activity?card={other.pk}"))
    assert "Another" in page
    assert "Write the announcement" not in page


def test_the_activity_of_one_member_or_of_programs_shows_no_other(olga, ed, vera, stan, board, card):
    changes = [web(olga), web(ed), Actor(ed, Door.AGENT, uuid7(), "laptop"), Actor(olga, Door.API, uuid7(), "script")]
    for number, actor in enumerate(changes):
        update_card(actor=actor, card_id=card.pk, title=f"Title {number}.")
    for by, shown in ((ed.pk, {1, 2}), ("programs", {2, 3}), (vera.pk, set()), (stan.pk, {0, 1, 2, 3})):
        page = text_of(activity_of(vera, board, by=str(by)))
        assert {number for number in range(4) if f"→ Title {number}." in page} == shown


def test_older_changes_of_one_member_are_of_that_member_too(olga, ed, board, card, monkeypatch):
    monkeypatch.setattr(activity_page, "CHANGES", 3)
    for number in range(8):
        update_card(actor=web((olga, ed)[number % 2]), card_id=card.pk, title=f"Title {number}.")
    client, address = browser(ed), f"/board/{board.pk}/activity?by={ed.pk}"
    older = re.search(r'rel="next"\s+href="([^"]+)"', client.get(address).text)[1]
    answer = client.get(f"/board/{board.pk}/activity{unescape(older)}")
    assert {line.activity.user for entry in answer.context["entries"] for line in entry.lines} == {ed}
    assert f'value="{ed.pk}" selected' in answer.text


def versions(*answers):
    return [line.activity.version for answer in answers for entry in answer.context["entries"] for line in entry.lines]


def sizes(answer):
    return [len(entry.lines) for entry in answer.context["entries"]]


def activity_of(user, board, **query):
    return browser(user).get(f"/board/{board.pk}/activity", query)


def test_pages_have_no_gaps_while_more_happens(olga, ed, board, todo):
    for number in range(60):
        create_card(actor=web((olga, ed)[number % 2]), list_id=todo.pk, title=f"Card {number}.")
    first = activity_of(olga, board)
    create_card(actor=web(olga), list_id=todo.pk, title="Meanwhile")
    second = activity_of(olga, board, before=first.context["next"])
    assert len(first.context["entries"]) == 50
    assert versions(first, second) == list(range(board.activities.count() - 1, 0, -1))
    assert second.context["next"] is None


def test_a_page_reads_so_many_changes_at_most_and_the_next_goes_on(olga, board, todo, monkeypatch):
    monkeypatch.setattr(activity_page, "CHANGES", 5)
    for number in range(7):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}.")
    first = activity_of(olga, board)
    assert sizes(first) == [5]
    second = activity_of(olga, board, before=first.context["next"])
    assert versions(first, second)[:7] == [*range(board.activities.count(), board.activities.count() - 7, -1)]


def test_the_same_to_many_cards_is_one_line_that_opens(olga, board, todo):
    for number in range(40):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}.")
    answer = activity_of(olga, board)
    assert sizes(answer)[0] == 40
    line, _summary, more = answer.content.decode().partition('class="history')[2].partition("</summary>")
    assert "and 39 more changes" in " ".join(line.split())
    assert [title in line for title in ("Card 39.", "Card 38.", "Card 0.")] == [True, False, False]
    assert [title in more for title in ("Card 39.", "Card 38.", "Card 0.")] == [False, True, True]


def test_several_changes_of_one_card_are_one_line(olga, board, card):
    complete_card(actor=web(olga), card_id=card.pk)
    update_card(actor=web(olga), card_id=card.pk, title="Better")
    add_comment(actor=web(olga), card_id=card.pk, text="A word")
    assert sizes(activity_of(olga, board))[0] >= 3
    assert sizes(activity_of(olga, board, card=str(card.pk)))[0] >= 3


def test_different_changes_of_different_cards_are_lines_of_their_own(olga, board, todo, card):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Another")
    complete_card(actor=web(olga), card_id=card.pk)
    update_card(actor=web(olga), card_id=other.pk, title="Better")
    assert sizes(activity_of(olga, board))[:2] == [1, 1]


def test_the_changes_of_different_people_doors_and_tokens_are_lines_of_their_own(olga, ed, board, card):
    actors = [web(ed), web(olga), Actor(ed, Door.API, uuid7(), "a"), Actor(ed, Door.API, uuid7(), "b")]
    for number, actor in enumerate(actors):
        update_card(actor=actor, card_id=card.pk, title=f"Title {number}")
    assert sizes(activity_of(olga, board))[:4] == [1, 1, 1, 1]


def test_what_somebody_else_did_between_parts_an_entry(olga, ed, board, card):
    for number, user in enumerate((ed, olga, ed)):
        update_card(actor=web(user), card_id=card.pk, title=f"Title {number}")
    assert sizes(activity_of(olga, board))[:3] == [1, 1, 1]


def test_ten_minutes_are_one_entry_and_more_are_two(olga, board, card):
    moment = timezone.now()
    for number in range(3):
        update_card(actor=web(olga), card_id=card.pk, title=f"Title {number}")
    for minutes, pk in zip(
        (0, 10, 11), board.activities.order_by("-version").values_list("pk", flat=True), strict=False
    ):
        Activity.objects.filter(pk=pk).update(created_at=moment - timedelta(minutes=minutes))
    assert sizes(activity_of(olga, board))[0] == 2


@pytest.mark.parametrize("query", ["by=x", "before=x", "before=-1", "before=" + "9" * 40, "before=１", "card=x"])
def test_an_invalid_page_shows_the_first_one(olga, board, query):
    answer = browser(olga).get(f"/board/{board.pk}/activity?{query}")
    assert answer.status_code == 200
    assert answer.context["entries"]


def test_the_page_takes_as_many_statements_for_few_lines_as_for_many(olga, ed, board, todo, django_assert_num_queries):
    client = browser(olga)
    for people in ((olga, ed), (olga, ed, olga, ed)):
        for user in people:
            made = create_card(actor=web(user), list_id=todo.pk, title="Card")
            add_comment(actor=web(user), card_id=made.pk, text="Comment")
        with django_assert_num_queries(6):  # session, user, board and role, members, lines, cards that still exist
            client.get(f"/board/{board.pk}/activity")


def describe(actor, card, text):
    """Change the description, and return the address of the page that shows the one before."""
    update_card(actor=actor, card_id=card.pk, description=text)
    return f"/card/{card.pk}/description/before/{last(card.board).pk}"


def test_a_description_that_an_agent_wrote_over_is_shown_and_restored(ed, board, card):
    describe(web(ed), card, "By **hand** @[Ed](x)")
    written = Card.objects.get(pk=card.pk).description
    address = describe(Actor(ed, Door.AGENT, uuid7(), "laptop"), card, "By an agent")
    client = browser(ed)
    for page in (activity_of(ed, board), client.get(card.get_absolute_url())):
        assert f'href="{address}"' in page.text
    page = client.get(address)
    assert "By <strong>hand</strong>" in page.text
    assert "via agent · laptop" in text_of(page)
    form = {"document": page.context["former"], "version": page.context["card"].version}
    assert client.post(f"/card/{card.pk}/description", form).status_code == 302
    assert Card.objects.get(pk=card.pk).description == written
    assert "The card has this description now." in text_of(client.get(address))


def test_the_link_to_a_former_description_stands_beside_the_line_that_unfolds_not_in_it(ed, card):
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    address = describe(web(ed), card, "First")
    page = browser(ed).get(card.get_absolute_url()).text
    summary, _end, inside = page.partition('id="changes-')[2].partition("</summary>")
    assert address not in summary
    assert f'href="{address}"' in inside


def test_a_description_that_was_changed_again_is_not_replaced_unasked(olga, ed, card):
    describe(web(ed), card, "First")
    address = describe(web(ed), card, "Second")
    page = browser(ed).get(address)
    describe(web(olga), card, "Third")
    form = {"document": page.context["former"], "version": page.context["card"].version}
    answer = browser(ed).post(f"/card/{card.pk}/description", form)
    assert answer.status_code == 409
    assert "First" in answer.text
    assert "Third" in answer.text


def test_the_page_of_a_first_description_says_that_there_was_none(ed, card):
    assert "The description was empty." in text_of(browser(ed).get(describe(web(ed), card, "First")))


def test_viewers_are_not_led_to_a_former_description(ed, vera, board, card):
    describe(web(ed), card, "A secret")
    address = describe(web(ed), card, "Without it")
    for page in (activity_of(vera, board), browser(vera).get(card.get_absolute_url())):
        assert page.status_code == 200
        assert address not in page.text
    assert browser(vera).get(address).status_code == 403


def test_a_former_description_stays_on_the_board_that_the_card_has_left(olga, ed, board, card):
    address = describe(web(ed), card, "Written here")
    other = create_board(actor=web(olga), title="Elsewhere")
    there = create_list(actor=web(olga), board_id=other.pk, title="To do")
    move_card(actor=web(olga), card_id=card.pk, list_id=there.pk)
    assert address not in activity_of(olga, board).text
    assert browser(olga).get(address).status_code == 404


def test_only_a_change_of_the_description_has_a_former_one(ed, todo, card):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Another")
    address = describe(web(ed), card, "Words")
    assert browser(ed).get(address.replace(str(card.pk), str(other.pk))).status_code == 404
    update_card(actor=web(ed), card_id=card.pk, title="Renamed")
    assert browser(ed).get(f"/card/{card.pk}/description/before/{last(card.board).pk}").status_code == 404


def test_an_archived_card_shows_its_former_description_without_a_button(ed, card):
    describe(web(ed), card, "First")
    address = describe(web(ed), card, "Second")
    archive_card(actor=web(ed), card_id=card.pk)
    page = browser(ed).get(address)
    assert "First" in text_of(page)
    assert "Restore this description" not in text_of(page)
