"""Cards that a person follows, and those in which somebody mentioned them."""

import pytest

from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.models import Card, Membership
from boards.reader import Reader
from boards.reading.work import Grouping, Work, bare_rows
from conftest import run_jobs, web
from notifications.concerned import followed_by, mentioning
from notifications.following import choose
from notifications.models import Chosen, Level


def followed(user) -> set[str]:
    return titles(user, followed_by)


def titles(user, which) -> set[str]:
    return {row.title for row in bare_rows(Work(Reader(user), which(user)), Grouping.BOARD, slice(9))}


@pytest.fixture
def cards(olga, ed, todo, doing) -> dict[str, Card]:
    """Ed follows by itself what he created."""
    made = {
        title: create_card(actor=web(who), list_id=place.pk, title=title)
        for title, who, place in (("Own", ed, todo), ("Other", olga, todo), ("Doing", olga, doing))
    }
    run_jobs()
    return made


def test_by_itself_one_follows_what_one_created(cards, olga, ed, vera):
    assert (followed(ed), followed(olga), followed(vera)) == ({"Own"}, {"Other", "Doing"}, set())


def test_a_choice_for_a_card_counts_more_than_what_happens_by_itself(cards, ed):
    choose(ed, cards["Own"], Level.CARD, Chosen.MUTE)
    choose(ed, cards["Other"], Level.CARD, Chosen.FOLLOW)
    assert followed(ed) == {"Other"}


def test_who_follows_a_list_or_a_board_follows_its_cards(cards, ed, board, doing):
    choose(ed, doing, Level.LIST, Chosen.FOLLOW)
    assert followed(ed) == {"Own", "Doing"}
    choose(ed, board, Level.BOARD, Chosen.FOLLOW)
    assert followed(ed) == {"Own", "Other", "Doing"}


def test_of_two_choices_the_nearer_one_counts(cards, ed, board, todo, doing):
    choose(ed, board, Level.BOARD, Chosen.FOLLOW)
    choose(ed, todo, Level.LIST, Chosen.MUTE)
    assert followed(ed) == {"Doing"}
    choose(ed, cards["Other"], Level.CARD, Chosen.FOLLOW)
    choose(ed, cards["Doing"], Level.CARD, Chosen.MUTE)
    assert followed(ed) == {"Other"}


def test_a_muted_board_hides_what_one_follows_by_itself(cards, ed, board):
    choose(ed, board, Level.BOARD, Chosen.MUTE)
    assert followed(ed) == set()


def test_cards_on_which_somebody_mentioned_me(cards, olga, ed, vera):
    add_comment(actor=web(olga), card_id=cards["Other"].pk, text=f"Look, [@Ed](mention:{ed.pk})")
    run_jobs()
    assert (titles(ed, mentioning), titles(vera, mentioning)) == ({"Other"}, set())


def test_who_left_a_board_neither_follows_nor_is_mentioned_there(cards, olga, ed):
    add_comment(actor=web(olga), card_id=cards["Other"].pk, text=f"Look, [@Ed](mention:{ed.pk})")
    run_jobs()
    Membership.objects.filter(user=ed).delete()
    assert followed(ed) == set()
    assert titles(ed, mentioning) == set()
