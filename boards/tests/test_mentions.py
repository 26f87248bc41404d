"""Mentions in descriptions and comments: the people who can be mentioned."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from boards.actions.cards.card import create_card, create_cards, draft_card, update_card
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.people.members import remove_member
from boards.richtext import to_markdown
from boards.tests.richtext_nodes import doc, mention, p, table
from conftest import join, person, web


def link(user, label=None):
    return f"[@{label or user.display_name}](mention:{user.pk})"


@pytest.fixture
def made(ed, todo):
    """Make three cards with a description at once; return what they got, and the number of statements."""

    def make(description):
        drafts = [draft_card(title=str(number), description=description) for number in range(3)]
        with CaptureQueriesContext(connection) as found:
            cards = create_cards(actor=web(ed), list_id=todo.pk, drafts=drafts)
        return [to_markdown(card.description) for card in cards], len(found)

    return make


def test_a_member_is_mentioned_by_the_name_that_they_have(ed, todo, vera):
    card = create_card(actor=web(ed), list_id=todo.pk, title="A", description=f"Ask {link(vera, 'Olga')}")
    assert card.description == doc(p("Ask ", mention("Vera", str(vera.pk))))
    assert "@vera" in card.search_text


def test_a_stranger_is_not_mentioned_and_the_text_stays(ed, todo, stan):
    card = create_card(actor=web(ed), list_id=todo.pk, title="A", description=f"Ask {link(stan, 'Somebody')} now")
    assert card.description == doc(p("Ask @Somebody now"))


def test_the_editor_cannot_mention_a_stranger_either(ed, card, stan, vera):
    both = doc(
        p(mention("Stan", str(stan.pk)), " ", mention("X", str(vera.pk))), table([mention("Stan", str(stan.pk))])
    )
    changed = update_card(actor=web(ed), card_id=card.pk, document=both)
    assert changed.description == doc(p("@Stan ", mention("Vera", str(vera.pk))), table(["@Stan"]))


def test_many_new_cards_take_one_statement_for_their_mentions(made, vera, stan):
    _texts, without = made("Vera")
    assert made(f"{link(vera)} {link(stan, 'S')}") == ([f"{link(vera)} @S"] * 3, without + 1)


def test_who_has_left_stays_mentioned_where_they_were(olga, ed, card, vera):
    update_card(actor=web(ed), card_id=card.pk, description=link(vera))
    remove_member(actor=web(olga), board_id=card.board_id, user_id=vera.pk)
    changed = update_card(actor=web(ed), card_id=card.pk, description=f"{link(vera)} has left")
    assert changed.description == doc(p(mention("Vera", str(vera.pk)), " has left"))


def test_a_new_name_changes_no_text_that_is_sent_back(ed, card, vera):
    kept = update_card(actor=web(ed), card_id=card.pk, description=link(vera))
    vera.name = "Vera B"
    vera.save()
    again = update_card(actor=web(ed), card_id=card.pk, description=to_markdown(kept.description))
    assert again.version == kept.version


@pytest.mark.parametrize("name", ["**V**", "a|b", "[x](y)", "  two   words "])
def test_every_name_can_be_mentioned(ed, card, vera, name):
    vera.name = name
    vera.save()
    changed = update_card(actor=web(ed), card_id=card.pk, description=link(vera, "x"))
    assert changed.description == doc(p(mention(" ".join(name.split()), str(vera.pk))))


def test_only_members_are_mentioned_in_comments(ed, card, vera, stan):
    comment = add_comment(actor=web(ed), card_id=card.pk, text=f"{link(vera, 'X')} {link(stan, 'Y')}")
    assert comment.html == '<p><span class="mention">@Vera</span> @Y</p>'
    assert comment.body == f"{link(vera, 'X')} {link(stan, 'Y')}"
    edited = edit_comment(actor=web(ed), comment_id=comment.pk, text=f"{link(stan, 'Z')}")
    assert edited.html == "<p>@Z</p>"


def test_members_are_mentioned_by_an_at_and_their_name_or_its_first_word(ed, card, olga, vera):
    olga.name = "Olga O'Neill"
    olga.save()
    text = "@vera, @Olga O'Neill and (@OLGA): ask **@Vera**. Not @ver, x@vera, @vera@x, @vera.com, `@vera`, [@vera](https://x.y)"
    description = update_card(actor=web(ed), card_id=card.pk, description=text).description
    [paragraph] = description["content"]
    assert [one["attrs"]["label"] for one in paragraph["content"] if one["type"] == "mention"] == [
        "Vera",
        "Olga O'Neill",
        "Olga O'Neill",
        "Vera",
    ]
    assert to_markdown(description).endswith("Not @ver, x@vera, @vera@x, @vera.com, `@vera`, [@vera](https://x.y)")


def test_a_name_that_two_members_have_names_nobody(ed, card, board):
    for number in range(2):
        twin = person(f"kim{number}")
        twin.name = "Kim Park"
        twin.save()
        join(twin, board)
    assert add_comment(actor=web(ed), card_id=card.pk, text="@Kim Park").html == "<p>@Kim Park</p>"


def test_strangers_are_not_named(ed, card, stan):
    assert add_comment(actor=web(ed), card_id=card.pk, text="Ask @Stan").html == "<p>Ask @Stan</p>"


def test_what_stood_as_text_stays_text(ed, card, board, stan):
    update_card(actor=web(ed), card_id=card.pk, description="Ask @Stan")
    join(stan, board)
    changed = update_card(actor=web(ed), card_id=card.pk, description="Ask @Stan today")
    assert changed.description == doc(p("Ask @Stan today"))


def test_a_name_that_is_sent_again_changes_nothing(ed, card, vera):
    kept = update_card(actor=web(ed), card_id=card.pk, description="Ask @vera")
    assert update_card(actor=web(ed), card_id=card.pk, description="Ask @vera").version == kept.version


def test_many_new_cards_take_one_statement_for_the_names_in_them(made, vera):
    _texts, without = made("Vera")
    assert made("@vera") == ([link(vera)] * 3, without + 1)
