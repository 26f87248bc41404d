"""Many calls at once, each in a thread with its own connection: nothing is lost or doubled, and no cap is exceeded."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Plan
from boards.actions.allowances import HOUR
from boards.actions.boards.board import archive_board, create_board, delete_board, restore_board
from boards.actions.boards.copies import copy_card
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.files.attachments import attach_file
from boards.actions.files.caps import used_by_account, used_by_board
from boards.actions.lists.list import create_list
from boards.actions.ordering import TOP, Place
from boards.actions.people.handover import accept_offer, decline_offer, offer_board
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitation_links import create_invitation_link, join_by_link, withdraw_invitation_link
from boards.actions.sharing.invitations import (
    MOST_SENT,
    accept_invitation,
    decline_invitation,
    invite_member,
    withdraw_invitation,
)
from boards.errors import Conflict, LimitReached, NotAllowed, NotFound
from boards.models import Assignment, Board, Card, Counted, InvitationLink, Label, Membership, Offer, Role, Use
from boards.models.invitation_link import digest_of
from boards.tests.at_once import at_once, outcome, wait_until_somebody_waits_for_a_lock
from boards.tests.world import history, rows_of
from conftest import join, person, web
from core.files.storage import store

pytestmark = pytest.mark.django_db(transaction=True)


def assert_in_order(board: Board) -> None:
    """Assert that versions have no gaps or duplicates, no row is ahead of them, and positions differ in every list."""
    board.refresh_from_db()
    assert [line.version for line in history(board)] == list(range(1, board.version + 1))
    assert max(row["version"] for row in rows_of(board).values()) <= board.version
    for row in board.lists.all():
        positions = list(row.cards.values_list("position", flat=True))
        assert len(positions) == len(set(positions))


def test_of_fifty_boards_created_at_once_ten_are_within_the_cap(olga):
    results = at_once(
        lambda n=n: create_board(actor=web(olga), title=f"Board {n}", template="kanban") for n in range(50)
    )
    assert outcome(results) == {None: 10, LimitReached: 40}
    assert Board.objects.owned_by(olga).count() == 10


def test_boards_restored_and_created_at_once_do_not_exceed_the_cap(olga):
    attic = [create_board(actor=web(olga), title=f"Attic {n}") for n in range(10)]
    for board in attic:
        archive_board(actor=web(olga), board_id=board.pk)
    for n in range(5):
        create_board(actor=web(olga), title=f"Board {n}")
    restoring = [lambda board=board: restore_board(actor=web(olga), board_id=board.pk) for board in attic]
    making = [lambda: create_board(actor=web(olga), title="New")] * 10
    assert outcome(at_once(restoring + making)) == {None: 5, LimitReached: 15}
    assert Board.objects.owned_by(olga).open().count() == 10


def test_boards_transferred_to_one_user_at_once_do_not_exceed_the_cap(olga, ed, board):
    boards = [board] + [create_board(actor=web(olga), title=f"Board {n}") for n in range(5)]
    for other in boards[1:]:
        join(ed, other)
    for n in range(8):
        create_board(actor=web(ed), title=f"Own {n}")
    for one in boards:
        offer_board(actor=web(olga), board_id=one.pk, user_id=ed.pk)
    results = at_once(lambda b=b: accept_offer(actor=web(ed), board_id=b.pk) for b in boards)
    assert outcome(results) == {None: 2, LimitReached: 4}
    assert Board.objects.owned_by(ed).count() == 10


def test_fifty_cards_created_at_once_are_all_there(board, todo, olga, ed):
    people = islice(cycle([olga, ed]), 50)
    results = at_once(
        lambda n=n, user=user: create_card(actor=web(user), list_id=todo.pk, title=f"Card {n}")
        for n, user in enumerate(people)
    )
    assert outcome(results) == {None: 50}
    cards = list(todo.cards.all())
    assert {card.title for card in cards} == {f"Card {n}" for n in range(50)}
    assert sorted(card.number for card in cards) == list(range(1, 51))
    assert len({card.version for card in cards}) == 50
    assert_in_order(board)


def test_eight_people_moving_the_same_five_cards_between_three_lists_lose_none(board, todo, doing, olga, ed):
    lists = [todo, doing, create_list(actor=web(olga), board_id=board.pk, title="Done")]
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {n}") for n in range(5)]

    def shuffle(seed: int) -> list[Any]:
        """Move cards twelve times. NotFound is an answer too, for a neighbour that has left the list meanwhile."""
        chance, results = Random(seed), []
        for _move in range(12):
            neighbour = chance.choice(cards).pk
            place = chance.choice([TOP, Place("bottom"), Place("before", neighbour), Place("after", neighbour)])
            try:
                move_card(
                    actor=web(chance.choice([olga, ed])),
                    card_id=chance.choice(cards).pk,
                    list_id=chance.choice(lists).pk,
                    place=place,
                )
                results.append(None)
            except NotFound:
                results.append(NotFound)
        return results

    results = at_once(lambda seed=seed: shuffle(seed) for seed in range(8))
    assert outcome(results) == {None: 8}
    assert sum(result is None for moves in results for result in moves) > 40
    assert sorted(card.title for row in lists for card in row.cards.all()) == [card.title for card in cards]
    assert_in_order(board)


def test_cards_squeezed_into_one_gap_at_once_keep_distinct_places(board, todo, olga):
    first, *others = (create_card(actor=web(olga), list_id=todo.pk, title=f"Card {n}") for n in range(9))
    for place, card in enumerate([first, *others]):
        Card.objects.filter(pk=card.pk).update(position=place)
    results = at_once(
        lambda card=card: move_card(actor=web(olga), card_id=card.pk, place=Place("after", first.pk)) for card in others
    )
    assert outcome(results) == {None: 8}
    assert todo.cards.first() == first
    assert_in_order(board)


def test_a_recurring_card_archived_by_many_at_once_makes_one_next_occurrence(board, todo, olga, ed):
    due = timezone.now() + timedelta(hours=1)
    card = create_card(actor=web(olga), list_id=todo.pk, title="Water", due_at=due, recurrence="daily")
    results = at_once([lambda user=user: archive_card(actor=web(user), card_id=card.pk) for user in (olga, ed) * 4])
    assert outcome(results) == {None: 8}
    assert sum(result.next is not None for result in results) == 1
    assert Card.objects.filter(repeats=card).count() == todo.cards.open().count() == 1
    assert_in_order(board)


def test_archiving_and_restoring_at_once_leaves_one_card_with_the_recurrence(board, todo, olga, ed):
    due = timezone.now() + timedelta(hours=1)
    card = create_card(actor=web(olga), list_id=todo.pk, title="Water", due_at=due, recurrence="daily")
    both = [
        lambda: archive_card(actor=web(olga), card_id=card.pk),
        lambda: restore_card(actor=web(ed), card_id=card.pk),
    ]
    assert outcome(at_once(both * 5)) == {None: 10}
    assert todo.cards.open().count() == Card.objects.filter(recurrence="daily").count() == 1
    assert_in_order(board)


def test_an_offer_that_is_accepted_by_many_clicks_at_once_makes_one_owner(board, olga, ed):
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    answers = [lambda: accept_offer(actor=web(ed), board_id=board.pk)] * 5
    answers += [lambda: decline_offer(actor=web(ed), board_id=board.pk)] * 3
    assert outcome(at_once(answers)) == {None: 1, NotFound: 7}
    assert Membership.objects.filter(board=board, role=Role.OWNER).count() == 1
    assert [line.verb for line in history(board)][-1] in ("owner.changed", "offer.declined")
    assert_in_order(board)


def test_two_offers_at_once_leave_one(board, olga, ed, vera):
    results = at_once(
        lambda heir=heir: offer_board(actor=web(olga), board_id=board.pk, user_id=heir.pk) for heir in (ed, vera)
    )
    assert outcome(results) == {None: 2}
    assert Offer.objects.count() == 1
    assert_in_order(board)


def test_an_invitation_that_is_accepted_by_many_clicks_at_once_makes_one_member(board, olga, stan):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    accepting = [lambda: accept_invitation(actor=web(stan), invitation_id=invitation.pk)] * 8
    assert outcome(at_once(accepting)) == {None: 1, NotFound: 7}
    assert [line.user for line in history(board) if line.verb == "member.added"].count(stan) == 1
    assert_in_order(board)


@pytest.mark.parametrize("other", ["declined", "withdrawn"])
def test_of_accepting_and_ending_an_invitation_at_once_one_wins(board, olga, stan, other):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    ends = {
        "declined": lambda: decline_invitation(actor=web(stan), invitation_id=invitation.pk),
        "withdrawn": lambda: withdraw_invitation(actor=web(olga), invitation_id=invitation.pk),
    }
    accepted, ended = at_once([lambda: accept_invitation(actor=web(stan), invitation_id=invitation.pk), ends[other]])
    assert isinstance(accepted, NotFound) != isinstance(ended, NotFound)
    assert Membership.objects.filter(board=board, user=stan).exists() is isinstance(ended, NotFound)


def test_one_address_invited_many_times_at_once_is_invited_once(board, olga):
    inviting = [lambda: invite_member(actor=web(olga), board_id=board.pk, email="new@example.com")] * 8
    assert outcome(at_once(inviting)) == {None: 1, Conflict: 7}


def test_invitations_sent_at_once_do_not_exceed_the_hourly_number(board, olga):
    used = Use.objects.filter(user=olga, what=Counted.INVITATION).count()
    inviting = [
        lambda n=n: invite_member(actor=web(olga), board_id=board.pk, email=f"new{n}@example.com") for n in range(40)
    ]
    left = MOST_SENT[HOUR] - used
    assert outcome(at_once(inviting)) == {None: left, LimitReached: 40 - left}


def test_boards_created_and_deleted_at_once_do_not_exceed_the_daily_number(olga):
    def create_and_delete() -> None:
        delete_board(actor=web(olga), board_id=create_board(actor=web(olga), title="Short").pk)

    def many() -> int:
        made = 0
        for _time in range(10):
            try:
                create_and_delete()
            except LimitReached:
                break
            made += 1
        return made

    assert sum(at_once([many] * 5)) == 30


def test_a_user_who_loses_the_editors_role_changes_nothing_afterwards(board, card, olga, ed):
    edits = [lambda n=n: update_card(actor=web(ed), card_id=card.pk, title=f"Title {n}") for n in range(10)]
    results = at_once([*edits, lambda: change_role(actor=web(olga), board_id=board.pk, user_id=ed.pk, role="viewer")])
    assert outcome(results).keys() <= {None, NotAllowed}
    lines = history(board)
    lost = next(line.version for line in lines if line.verb == "member.changed")
    assert not any(line.user == ed and line.version > lost for line in lines)
    assert_in_order(board)


def test_a_member_who_is_removed_during_an_assignment_does_not_stay_assigned(board, todo, olga, ed):
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {n}") for n in range(8)]
    calls = [lambda card=card: assign(actor=web(olga), card_id=card.pk, user_id=ed.pk) for card in cards]
    results = at_once([*calls, lambda: remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)])
    assert outcome(results).keys() <= {None, NotFound}
    assert not Assignment.objects.filter(user=ed).exists()
    assert_in_order(board)


def test_of_two_edits_of_one_version_at_once_one_succeeds_and_one_is_refused(board, card, olga, ed):
    results = at_once(
        lambda user=user: update_card(actor=web(user), card_id=card.pk, title=user.name, if_version=card.version)
        for user in (olga, ed)
    )
    assert outcome(results) == {None: 1, Conflict: 1}
    assert_in_order(board)


def test_of_two_labels_with_one_name_at_once_one_is_created(board, olga, ed):
    results = at_once(
        lambda user=user: create_label(actor=web(user), board_id=board.pk, name="Bug") for user in (olga, ed)
    )
    assert outcome(results) == {None: 1, Conflict: 1}
    assert Label.objects.count() == 1


@pytest.fixture
def two_boards(board, todo, olga, ed):
    """Two boards that Olga and Ed may write, as (board, list)."""
    other = create_board(actor=web(olga), title="Other")
    join(ed, other)
    return [(board, todo), (other, create_list(actor=web(olga), board_id=other.pk, title="Inbox"))]


def test_cards_crossing_between_two_boards_both_ways_at_once_all_arrive(two_boards, olga, ed):
    cards = [
        create_card(actor=web(olga), list_id=row.pk, title=f"From {board.title} {n}")
        for (board, row), n in product(two_boards, range(6))
    ]
    label = create_label(actor=web(olga), board_id=two_boards[0][0].pk, name="Bug")
    for card in cards[:6]:
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    targets = [two_boards[1][1]] * 6 + [two_boards[0][1]] * 6
    results = at_once(
        lambda card=card, target=target: move_card(actor=web(ed), card_id=card.pk, list_id=target.pk)
        for card, target in zip(cards, targets, strict=True)
    )
    assert outcome(results) == {None: 12}
    assert {card.list for card in Card.objects.filter(pk__in=[card.pk for card in cards[:6]])} == {two_boards[1][1]}
    for board, row in two_boards:
        assert row.cards.count() == 6
        assert_in_order(board)
    assert [label.name for label in two_boards[1][0].labels.all()] == ["Bug"]


def test_one_card_moved_back_and_forth_by_many_at_once_is_in_one_place(two_boards, olga, ed):
    card = create_card(actor=web(olga), list_id=two_boards[0][1].pk, title="Ball")

    def play(user: Any, seed: int) -> None:
        chance = Random(seed)
        for turn in range(6):
            move_card(actor=web(user), card_id=card.pk, list_id=chance.choice(two_boards)[1].pk)
            update_card(actor=web(user), card_id=card.pk, title=f"Ball {seed} {turn}")

    results = at_once(lambda seed=seed: play((olga, ed)[seed % 2], seed) for seed in range(8))
    assert outcome(results) == {None: 8}
    card.refresh_from_db()
    assert card.list.board == card.board
    for board, _row in two_boards:
        assert_in_order(board)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the whole database, so there is no order")
@pytest.mark.parametrize("start", ["low", "high"])
def test_two_boards_are_locked_in_the_order_of_their_ids(two_boards, olga, start):
    """While somebody else holds the lock of the first board, a move holds no lock of the second."""
    (low, low_list), (high, high_list) = sorted(two_boards, key=lambda pair: pair[0].pk)
    here, there = (low_list, high_list) if start == "low" else (high_list, low_list)
    card = create_card(actor=web(olga), list_id=here.pk, title="On its way")
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            Board.objects.select_for_update().get(pk=low.pk)
            moving = threads.submit(at_once, [lambda: move_card(actor=web(olga), card_id=card.pk, list_id=there.pk)])
            wait_until_somebody_waits_for_a_lock()
            assert Board.objects.select_for_update(nowait=True).get(pk=high.pk) == high
        assert outcome(moving.result()) == {None: 1}
    assert list(there.cards.all()) == [card]


@pytest.fixture
def link(board, olga):
    """A link with one use, and its digest."""
    until = timezone.now() + timedelta(days=1)
    made, key = create_invitation_link(actor=web(olga), board_id=board.pk, expires_at=until, uses=1)
    return made.pk, digest_of(key)


def follow(link, user):
    pk, digest = link
    return lambda: join_by_link(actor=web(user), link_id=pk, digest=digest)


def test_of_twenty_people_with_a_link_for_one_one_joins(board, link):
    people = [person(f"guest{n}") for n in range(20)]
    before = Membership.objects.filter(board=board).count()
    assert outcome(at_once(follow(link, user) for user in people)) == {None: 1, NotFound: 19}
    assert Membership.objects.filter(board=board).count() == before + 1
    assert_in_order(board)


def test_one_person_who_accepts_a_link_twenty_times_at_once_joins_once(board, olga, stan):
    until = timezone.now() + timedelta(days=1)
    made, key = create_invitation_link(actor=web(olga), board_id=board.pk, expires_at=until, uses=30)
    results = at_once([follow((made.pk, digest_of(key)), stan)] * 20)
    assert outcome(results) == {None: 20}
    assert InvitationLink.objects.get().uses_left == 29


def test_a_link_is_withdrawn_or_followed_and_never_both_out_of_order(board, olga, stan, link):
    withdrawing = [lambda: withdraw_invitation_link(actor=web(olga), link_id=link[0])]
    first, second = at_once([follow(link, stan), *withdrawing])
    assert not isinstance(second, Exception)
    verbs = [line.verb for line in history(board)][-2:]
    is_member = Membership.objects.filter(board=board, user=stan).exists()
    assert is_member == (not isinstance(first, Exception))
    assert (verbs == ["member.added", "invitation_link.withdrawn"]) == is_member


def test_files_attached_at_once_to_two_boards_do_not_exceed_the_caps(olga, ed):
    """Each board takes three files of five bytes, and the account four."""
    Plan.objects.update(max_board_bytes=17, max_account_bytes=24)
    cards = []
    for title in ("One", "Two"):
        board = create_board(actor=web(olga), title=title, template="kanban")
        join(ed, board)
        cards.append(create_card(actor=web(olga), board_id=board.pk, title="Card"))
    before = {path.name for path in files_on_disk()}
    users = cycle([olga, ed])
    results = at_once(
        lambda user=user, card=card: attach_file(
            actor=web(user), card_id=card.pk, stored=store([b"12345"], most=5), file_name="Five.txt"
        )
        for user, card in islice(zip(users, cycle(cards), strict=False), 16)
    )
    assert outcome(results) == {None: 4, LimitReached: 12}
    assert used_by_account(olga.pk) == 20
    assert max(used_by_board(card.board_id) for card in cards) <= 15
    assert len({path.name for path in files_on_disk()} - before) == 4


def files_on_disk() -> list[Path]:
    return [path for path in Path(settings.FILES, "attachments").rglob("*") if path.is_file()]


def test_moves_copies_and_uploads_to_one_board_at_once_do_not_deadlock_nor_exceed_its_cap(olga, ed):
    boards = [create_board(actor=web(olga), title=title, template="kanban") for title in ("One", "Two")]
    for board in boards:
        join(ed, board)
    cards = [create_card(actor=web(olga), board_id=boards[n % 2].pk, title=f"Card {n}") for n in range(8)]
    for card in cards:
        attach_file(actor=web(olga), card_id=card.pk, stored=store([b"12345"], most=5), file_name="Five.txt")
    Plan.objects.update(max_board_bytes=30, max_account_bytes=45)
    lists = [board.lists.first().pk for board in boards]
    calls = []
    for n, card in enumerate(cards):
        into = lists[(n + 1) % 2]
        calls.append(lambda card=card, into=into: move_card(actor=web(ed), card_id=card.pk, list_id=into))
        calls.append(lambda card=card, into=into: copy_card(actor=web(ed), card_id=card.pk, list_id=into))
    assert outcome(at_once(calls)).keys() <= {None, LimitReached}
    assert max(used_by_board(board.pk) for board in boards) <= 30
    assert used_by_account(olga.pk) <= 45
