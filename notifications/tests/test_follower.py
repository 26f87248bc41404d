"""The history is told to the people whom it concerns."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.boards.board import create_board, update_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.cards.labels import create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list
from boards.actions.ordering import TOP
from boards.actions.people.handover import accept_offer, offer_board
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitations import invite_member
from boards.models import Activity, Board
from boards.reader import Reader
from conftest import join, person, run_jobs, web
from notifications.events.bursts import LENGTH
from notifications.events.follower import tell_changes
from notifications.following import choose
from notifications.inbox.entries import mark_all_read, unread_count
from notifications.inbox.piles import Pile
from notifications.kinds import Kind
from notifications.models import Burst, Chosen, Follow, Habits, Level, Notification, Way
from notifications.tests.conftest import TELLS, agent, texts

pytestmark = pytest.mark.django_db


def mention(user) -> str:
    return f"Look at this, [@{user.display_name}](mention:{user.pk})"


def follows(user, subject, level=Level.CARD, chose="follow") -> None:
    choose(user, subject, level, chose)


def test_who_is_assigned_is_told_and_who_did_it_is_not(card, olga, ed, quiet):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
    assert f"Olga assigned you to {TELLS} #1" in texts(ed)
    assert texts(olga) == []


def test_who_is_assigned_by_the_creation_of_a_card_is_told(todo, olga, ed, quiet):
    create_card(actor=web(olga), list_id=todo.pk, title="New", assignee_ids=[ed.pk])
    assert texts(ed) == ["Olga assigned you to New #1"]


def test_who_is_unassigned_is_told(card, olga, ed, quiet):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    quiet()
    unassign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    assert texts(ed) == [f"Olga unassigned you from {TELLS} #1"]


def test_who_is_mentioned_in_a_comment_is_told_once_and_follows_from_then_on(card, olga, vera, ed, quiet):
    comment = add_comment(actor=web(olga), card_id=card.pk, text=mention(vera))
    edit_comment(actor=web(olga), comment_id=comment.pk, text=f"{mention(vera)} now")
    assert texts(vera) == [f"Olga mentioned you on {TELLS} #1"]
    assert Notification.objects.get(user=vera).count == 1
    assert texts(ed) == []
    quiet()
    complete_card(actor=web(olga), card_id=card.pk)
    assert texts(vera) == [f"Olga marked {TELLS} #1 as done"]


def test_who_is_mentioned_in_a_description_is_told_when_it_comes_in(card, olga, ed, quiet):
    update_card(actor=web(olga), card_id=card.pk, description=mention(ed))
    assert texts(ed) == [f"Olga mentioned you on {TELLS} #1"]
    quiet()
    Follow.objects.all().delete()
    update_card(actor=web(olga), card_id=card.pk, description=f"{mention(ed)} again")
    assert texts(ed) == []


def test_a_stranger_cannot_be_mentioned(card, olga, stan, quiet):
    add_comment(actor=web(olga), card_id=card.pk, text=mention(stan))
    assert texts(stan) == []
    assert not Follow.objects.filter(user=stan).exists()


def test_creators_hear_of_comments_and_changes_of_their_cards(card, olga, ed, vera, doing, quiet):
    add_comment(actor=web(ed), card_id=card.pk, text="Good")
    assert texts(olga) == [f"Ed commented on {TELLS} #1"]
    quiet()
    move_card(actor=web(ed), card_id=card.pk, list_id=doing.pk)
    assert texts(olga) == [f"Ed moved {TELLS} #1 from To do to Doing"]
    assert texts(vera) == texts(ed) == []


def test_who_commented_hears_of_the_next_comment(card, olga, ed, quiet):
    add_comment(actor=web(ed), card_id=card.pk, text="Good")
    add_comment(actor=web(olga), card_id=card.pk, text="Thanks")
    assert texts(ed) == [f"Olga commented on {TELLS} #1"]


def test_what_happened_before_one_followed_is_not_told_even_if_it_is_handed_on_together(todo, olga, ed, quiet):
    card = create_card(actor=web(olga), list_id=todo.pk, title="New")
    update_card(actor=web(olga), card_id=card.pk, title="Newer")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    complete_card(actor=web(olga), card_id=card.pk)
    assert sorted(texts(ed)) == ["Olga assigned you to Newer #1", "Olga marked Newer #1 as done"]


def test_reordering_tells_nobody(card, todo, olga, ed, quiet):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Other")
    quiet()
    move_card(actor=web(ed), card_id=other.pk, list_id=todo.pk, place=TOP)
    assert texts(olga) == []


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("habit", ["follow_created", "follow_commented", "follow_assigned", "follow_mentioned"])
def test_what_is_followed_by_itself_is_a_choice(todo, olga, ed, quiet, habit):
    Habits.objects.create(user=ed, **{habit: False})
    card = create_card(actor=web(ed if habit == "follow_created" else olga), list_id=todo.pk, title="New")
    if habit == "follow_commented":
        add_comment(actor=web(ed), card_id=card.pk, text="Good")
    if habit == "follow_assigned":
        assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    if habit == "follow_mentioned":
        add_comment(actor=web(olga), card_id=card.pk, text=mention(ed))
    quiet()
    complete_card(actor=web(olga), card_id=card.pk)
    assert texts(ed) == []


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "on_board, on_list, on_card, told",
    [
        ("follow", "", "", True),
        ("", "follow", "", True),
        ("", "", "follow", True),
        ("follow", "mute", "", False),
        ("mute", "follow", "", True),
        ("follow", "follow", "mute", False),
        ("mute", "mute", "follow", True),
        ("", "", "", False),
    ],
)
def test_the_nearest_choice_counts(board, todo, card, olga, vera, quiet, on_board, on_list, on_card, told):
    for subject, level, chose in ((board, 1, on_board), (todo, 2, on_list), (card, 3, on_card)):
        follows(vera, subject, Level(level), chose)
    complete_card(actor=web(olga), card_id=card.pk)
    assert bool(texts(vera)) is told


@pytest.mark.parametrize("level", Level)
def test_what_is_muted_tells_nothing_not_even_an_assignment(board, todo, card, olga, ed, quiet, level):
    follows(ed, {1: board, 2: todo, 3: card}[level], level, "mute")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    add_comment(actor=web(olga), card_id=card.pk, text=mention(ed))
    assert texts(ed) == []


def test_a_list_tells_of_a_card_that_leaves_it(card, doing, todo, olga, vera, quiet):
    follows(vera, todo, Level.LIST)
    move_card(actor=web(olga), card_id=card.pk, list_id=doing.pk)
    assert texts(vera) == [f"Olga moved {TELLS} #1 from To do to Doing"]


def test_a_board_tells_what_is_on_no_card(board, olga, ed, quiet):
    follows(ed, board, Level.BOARD)
    create_label(actor=web(olga), board_id=board.pk, name="Bug", hue=3)
    assert texts(ed) == ["Olga created the label Bug"]


def test_going_back_to_the_default_keeps_what_is_followed_by_itself(card, olga, vera, quiet):
    follows(olga, card, Level.CARD, "mute")
    follows(olga, card, Level.CARD, "")
    assert Follow.objects.get(user=olga, subject_id=card.pk).by_itself
    follows(vera, card, Level.CARD, "follow")
    follows(vera, card, Level.CARD, "")
    assert not Follow.objects.filter(user=vera).exists()


def test_a_burst_by_one_person_on_one_card_is_one_line(card, doing, olga, ed, quiet):
    complete_card(actor=web(ed), card_id=card.pk)
    run_jobs()
    update_card(actor=web(ed), card_id=card.pk, title="Write")
    move_card(actor=web(ed), card_id=card.pk, list_id=doing.pk)
    assert texts(olga) == ["Ed: 3 changes to Write #1"]


def test_a_burst_of_an_agent_is_one_line_whatever_it_changes(board, todo, olga, ed, quiet):
    by_agent = agent(ed)
    follows(olga, board, Level.BOARD)
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(7)]
    quiet()
    for card in cards:
        complete_card(actor=by_agent, card_id=card.pk)
        archive_card(actor=by_agent, card_id=card.pk)
    assert texts(olga) == ["Claude on laptop: 14 changes"]


def test_an_edit_tells_nobody_again_who_was_named_before(card, olga, ed, quiet):
    comment = add_comment(actor=web(ed), card_id=card.pk, text="@Olga, plan A")
    run_jobs()
    edit_comment(actor=web(ed), comment_id=comment.pk, text="@Olga, plan A or B")
    run_jobs()
    assert Notification.objects.get(user=olga, kind=Kind.MENTIONED).count == 1


def test_mentions_by_an_agent_are_a_row_for_each_card(card, todo, olga, ed, quiet):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Book the hall")
    by_agent = agent(ed)
    quiet()
    for one in (card, other, other):
        add_comment(actor=by_agent, card_id=one.pk, text=f"Please answer, [@Olga](mention:{olga.pk})")
    run_jobs()
    told = Notification.objects.filter(user=olga, kind=Kind.MENTIONED).order_by("count")
    assert list(told.values_list("card_id", "count")) == [(card.pk, 1), (other.pk, 2)]


def test_a_thousand_changes_of_an_agent_are_one_row_a_person(board, olga, ed, vera, quiet):
    follows(olga, board, Level.BOARD)
    follows(vera, board, Level.BOARD)
    by_agent = agent(ed)
    for number in range(1000):
        update_board(actor=by_agent, board_id=board.pk, title=f"Launch {number}")
    Activity.objects.filter(board=board).update(created_at=timezone.now())
    run_jobs()
    assert sorted(Notification.objects.values_list("user__name", "count")) == [("Olga", 1000), ("Vera", 1000)]


def test_what_an_agent_of_ones_own_does_on_followed_cards_is_one_line_too(card, olga, ed, quiet):
    by_agent = agent(olga)
    complete_card(actor=by_agent, card_id=card.pk)
    assert texts(olga) == [f"Claude on laptop marked {TELLS} #1 as done"]
    add_comment(actor=by_agent, card_id=card.pk, text="Done")
    assert texts(olga) == ["Claude on laptop: 2 changes"]


def test_a_burst_ends_after_ten_minutes(card, olga, ed, quiet):
    complete_card(actor=web(ed), card_id=card.pk)
    run_jobs()
    Burst.objects.update(began_at=timezone.now() - LENGTH - timedelta(seconds=1))
    update_card(actor=web(ed), card_id=card.pk, title="Write")
    assert texts(olga) == ["Ed changed Write #1", f"Ed marked {TELLS} #1 as done"]


def test_a_burst_that_began_while_the_clock_was_ahead_has_ended(card, olga, ed, quiet):
    complete_card(actor=web(ed), card_id=card.pk)
    run_jobs()
    Burst.objects.update(began_at=timezone.now() + timedelta(days=400))
    update_card(actor=web(ed), card_id=card.pk, title="Write")
    assert texts(olga) == ["Ed changed Write #1", f"Ed marked {TELLS} #1 as done"]


def test_what_comes_after_reading_is_unread_and_counted_anew(card, olga, ed, quiet):
    complete_card(actor=web(ed), card_id=card.pk)
    run_jobs()
    mark_all_read(Reader(olga), None, timezone.now())
    assert unread_count(Reader(olga)) == 0
    update_card(actor=web(ed), card_id=card.pk, title="Write")
    assert texts(olga, Pile.UNREAD) == ["Ed changed Write #1"]


def test_handing_the_same_changes_on_twice_writes_once(board, card, olga, ed, vera, quiet):
    follows(vera, board, Level.BOARD)
    before = Board.objects.get(pk=board.pk).version
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    complete_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    rows = list(Notification.objects.order_by("pk").values_list("pk", "user", "kind", "count", "version"))
    assert {row[3] for row in rows} == {1, 2}
    changes = list(Activity.objects.filter(board=board, version__gt=before).order_by("version"))
    tell_changes(board.pk, changes)
    assert list(Notification.objects.order_by("pk").values_list("pk", "user", "kind", "count", "version")) == rows


def test_a_change_that_is_rolled_back_with_its_cursor_is_told_later(card, olga, ed, quiet, monkeypatch):
    complete_card(actor=web(ed), card_id=card.pk)
    with monkeypatch.context() as patch:
        patch.setattr("notifications.events.follower.ring", lambda users: 1 / 0)
        run_jobs()
    assert not Notification.objects.exists()
    from jobs.models import Cursor

    Cursor.objects.update(next_try_at=None)
    assert texts(olga) == [f"Ed marked {TELLS} #1 as done"]


def test_a_removed_member_sees_nothing_of_the_board_but_that_they_were_removed(board, card, olga, ed, quiet):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    follows(ed, board, Level.BOARD)
    assert texts(ed)
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert unread_count(Reader(ed)) == 0  # at once, before the follower
    update_board(actor=web(olga), board_id=board.pk, title="Secret")
    assert texts(ed) == ["Olga removed you from Launch"]
    assert not Follow.objects.filter(user=ed).exists()
    join(ed, board)
    assert all("assigned" not in text for text in texts(ed))


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("new_board_first", [True, False])
def test_followers_who_may_not_see_the_new_board_are_told_that_a_card_left(
    board, card, olga, ed, vera, quiet, new_board_first
):
    other = create_board(actor=web(olga), title="Other")
    target = create_list(actor=web(olga), board_id=other.pk, title="There")
    join(vera, other)
    for user in (ed, vera):
        follows(user, card)
    quiet()
    move_card(actor=web(olga), card_id=card.pk, list_id=target.pk)
    for place in (other, board) if new_board_first else (board, other):
        tell_changes(place.pk, list(Activity.objects.filter(board=place, verb__in=["card.left", "card.arrived"])))
    assert [len(texts(user)) for user in (ed, vera)] == [1, 1]
    update_card(actor=web(olga), card_id=card.pk, title="Secret")
    assert [len(texts(user)) for user in (ed, vera)] == [1, 2]
    assert not Follow.objects.filter(user=ed, subject_id=card.pk).exists()


def test_a_reader_who_is_limited_to_other_boards_sees_nothing(board, card, olga, ed, quiet):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert unread_count(Reader(ed, boards=frozenset())) == 0
    assert unread_count(Reader(ed, boards=frozenset([board.pk]))) == 1


def test_access_is_told_even_where_the_board_is_muted(board, olga, ed, vera, quiet):
    for user in (ed, vera):
        follows(user, board, Level.BOARD, "mute")
    change_role(actor=web(olga), board_id=board.pk, user_id=vera.pk, role="editor")
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert texts(vera) == ["Olga changed your role to Editor"]
    assert texts(ed) == ["Olga offered to transfer the board to you"]
    quiet()
    accept_offer(actor=web(ed), board_id=board.pk)
    assert texts(olga) == ["Ed took over the board from Olga"]


def test_the_inviter_is_told_who_joined(board, olga, stan, quiet):
    join(stan, board)
    assert texts(olga) == ["Stan joined as Editor, invited by Olga"]


def test_a_kind_that_is_off_is_not_told_and_one_for_mails_alone_is_not_in_the_app(card, olga, ed, quiet, settings):
    Way.objects.create(user=ed, kind=Kind.ASSIGNED, in_app=False)
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    assert not Notification.objects.filter(user=ed).exists()
    unassign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    quiet()
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    Way.objects.update(mail="daily")
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    assert texts(ed) == []
    assert Notification.objects.get(user=ed).in_app is False


def test_a_card_that_moves_to_another_board_takes_those_along_who_may_see_it_there(board, card, olga, ed, vera, quiet):
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    target = create_list(actor=web(olga), board_id=other.pk, title="There")
    for user in (ed, vera):
        follows(user, card)
    quiet()
    move_card(actor=web(olga), card_id=card.pk, list_id=target.pk)
    run_jobs()
    assert set(Follow.objects.filter(subject_id=card.pk).values_list("user__name", "board_id")) == {
        ("Olga", other.pk),
        ("Ed", other.pk),
    }
    quiet()
    complete_card(actor=web(olga), card_id=card.pk)
    assert texts(ed) == [f"Olga marked {TELLS} #1 as done"]
    assert texts(vera) == []


@pytest.mark.parametrize("new_board_first", [True, False])
def test_who_comments_just_before_a_card_moves_to_another_board_follows_it_there(
    board, card, olga, ed, vera, quiet, monkeypatch, new_board_first
):
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    target = create_list(actor=web(olga), board_id=other.pk, title="There")
    for letter in "abcdefgh":
        update_board(actor=web(olga), board_id=board.pk, title=f"Launch {letter}")  # its changes have higher numbers
    quiet()
    add_comment(actor=web(ed), card_id=card.pk, text=mention(vera))
    move_card(actor=web(olga), card_id=card.pk, list_id=target.pk)

    def in_order(boards: list) -> None:
        boards.sort(key=lambda one: (one[0] == board.pk) == new_board_first)

    with monkeypatch.context() as patch:
        patch.setattr("jobs.delivery.random.shuffle", in_order)
        quiet()
    assert not Follow.objects.filter(user=vera, subject_id=card.pk).exists()
    assert Follow.objects.get(user=ed, subject_id=card.pk).board_id == other.pk
    complete_card(actor=web(olga), card_id=card.pk)
    assert texts(ed) == [f"Olga marked {TELLS} #1 as done"]
    assert texts(vera) == []


def statements_of_telling(board, olga) -> int:
    for title in "abcdefgh":
        update_board(actor=web(olga), board_id=board.pk, title=f"Launch {title}")
    before = Board.objects.get(pk=board.pk).version - 8
    changes = list(Activity.objects.filter(board=board, version__gt=before).order_by("version"))
    run_jobs()
    with CaptureQueriesContext(connection) as captured:
        tell_changes(board.pk, changes)
    return len(captured)


def test_telling_takes_as_many_statements_for_few_as_for_many(board, olga, ed, quiet):
    follows(ed, board, Level.BOARD)
    few = statements_of_telling(board, olga)
    for name in ("gina", "hugo", "will"):
        other = person(name)
        join(other, board)
        follows(other, board, Level.BOARD)
    run_jobs()
    assert statements_of_telling(board, olga) == few <= 3


def test_an_unknown_choice_is_refused(card, olga):
    from boards.errors import Invalid

    with pytest.raises(Invalid):
        choose(olga, card, Level.CARD, "shout")
    assert Chosen.values == ["", "follow", "mute"]


def test_an_invitation_alone_tells_the_inviters_board_nothing(board, olga, stan, quiet):
    invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    run_jobs()
    assert not Notification.objects.exists()
