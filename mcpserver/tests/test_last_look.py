"""Since when: the last look of a token, a number of a change, or a time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.last_look import mark_seen, seen_by
from accounts.models import Access, Bounds, LastLook, Plan, User
from accounts.tokens import create_token, revoke_all, revoke_token
from boards.actions.boards.board import create_board
from boards.actions.cards.card import complete_card, create_card
from boards.dates import timestamp
from boards.models import Activity, Board
from conftest import join, web
from mcpserver.tests.conftest import lines


def test_the_first_look_goes_back_a_week(agent, olga, board, card):
    Activity.objects.filter(card_id=card.pk).update(created_at=timezone.now() - timedelta(days=6))
    assert [line["title"] for line in lines(agent)][-1] == card.title
    Activity.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert lines(agent) == []


def test_reading_does_not_move_the_last_look_and_marking_does(agent, card):
    first = lines(agent)
    assert first
    assert lines(agent) == first
    assert not LastLook.objects.exists()
    assert lines(agent, markSeen=True) == first
    assert lines(agent) == []
    assert lines(agent, markSeen=False) == []


def test_a_look_is_one_of_the_token(agent, other_agent, card):
    agent.call("list_changes", markSeen=True)
    assert lines(other_agent)


def test_a_token_that_may_only_read_may_mark(agent_of, olga, card):
    reading = agent_of(olga, Bounds(access=Access.READ))
    assert lines(reading, markSeen=True)
    assert lines(reading) == []


def test_a_board_that_was_not_looked_at_stays_unseen(agent, olga, board, card):
    other = create_board(actor=web(olga), title="Garden")
    agent.call("list_changes", boardId=other.pk, markSeen=True)
    assert {line["board"] for line in lines(agent)} == {"Launch"}


def test_a_mark_never_goes_back(agent, board, card):
    version = Board.objects.get(pk=board.pk).version
    agent.call("list_changes", markSeen=True)
    mark_seen(agent.token, {board.pk: 1})
    assert seen_by(agent.token) == {board.pk: version}


def test_a_mark_never_runs_ahead_of_the_board(agent, olga, board, card):
    agent.call("list_changes", boardId=board.pk, since=10**9, markSeen=True)
    complete_card(actor=web(olga), card_id=card.pk)
    assert [line["what"] for line in lines(agent)] == [["done"]]


@pytest.mark.parametrize("revoke", [revoke_token, lambda token: revoke_all(token.user)])
def test_a_revoked_token_loses_its_last_look_for_good(agent, olga, board, card, revoke):
    Plan.objects.update(max_tokens=None)
    other = create_token(User.objects.get(pk=olga.pk), "Other")[0]
    for token in (agent.token, other):
        mark_seen(token, {board.pk: 1})
    assert revoke(agent.token)
    assert agent.token.pk not in LastLook.objects.values_list("pk", flat=True)
    assert LastLook.objects.filter(pk=other.pk).exists() is (revoke is revoke_token)
    mark_seen(agent.token, {board.pk: 1})
    assert not LastLook.objects.filter(pk=agent.token.pk).exists()


def test_a_deleted_token_takes_its_last_look_along(agent, board):
    mark_seen(agent.token, {board.pk: 1})
    agent.token.delete()
    assert not LastLook.objects.exists()


def test_since_a_version_of_one_board(agent, olga, board, card):
    answer = agent.call("list_changes", boardId=board.pk)
    assert answer["version"] == Board.objects.get(pk=board.pk).version
    complete_card(actor=web(olga), card_id=card.pk)
    for sent in (answer["version"], str(answer["version"])):
        assert [line["what"] for line in lines(agent, boardId=board.pk, since=sent)] == [["done"]]
    assert lines(agent, boardId=board.pk, since=10**9) == []


def test_since_a_version_of_several_boards_is_refused(agent, olga, board):
    assert lines(agent, since=0)
    create_board(actor=web(olga), title="Garden")
    assert agent.refused("list_changes", since=3).startswith("since can be the number of a change only with boardId")


def test_since_a_time(agent, olga, board, todo):
    start = timezone.now()
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {hour}") for hour in range(9)]
    for hour, card in enumerate(cards):
        Activity.objects.filter(card_id=card.pk).update(created_at=start + timedelta(hours=hour))
    for hour in (0, 1, 4, 7, 8):
        moment = start + timedelta(hours=hour)
        titles = [line["title"] for line in lines(agent, since=timestamp(moment))]
        assert titles == [f"Card {later}" for later in range(hour + 1, 9)]
    assert lines(agent, since="2026-01-01") == lines(agent, since=timestamp(start - timedelta(days=30)))


def test_a_gap_in_the_history_hides_nothing(agent, olga, board, todo):
    """No action leaves one, but data that others have loaded may."""
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(9)]
    start = timezone.now() + timedelta(hours=1)
    Activity.objects.filter(card_id__in=[card.pk for card in cards[2:7]]).delete()
    Activity.objects.filter(card_id__in=[card.pk for card in cards[7:]]).update(created_at=start + timedelta(hours=1))
    assert [line["title"] for line in lines(agent, since=timestamp(start))] == ["Card 7", "Card 8"]


@pytest.mark.parametrize("since", ["yesterday", "", -1, 1.5, True, ["last"]])
def test_any_other_since_is_refused(agent, since):
    assert "since must be" in agent.refused("list_changes", since=since)


def test_joining_later_shows_the_week_before(agent_of, stan, board, card):
    theirs = agent_of(stan)
    theirs.call("list_changes", markSeen=True)
    join(stan, board)
    assert card.title in [line["title"] for line in lines(theirs)]
