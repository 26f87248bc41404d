"""The start page takes as many statements for many boards, and for scripts reads *What's new* alone."""

import re
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.models import Assignment, Board, Card, List, Membership
from boards.reader import Reader
from conftest import join, run_jobs, web
from notifications.inbox.entries import unread_count
from notifications.models import Unseen
from web.tests.browsing import SCRIPTED, browser, text_of


def test_the_page_takes_as_many_statements_for_two_boards_as_for_two_hundred(olga, ed, vera, django_assert_num_queries):
    def add_boards(count):
        for number in range(count):
            board = create_board(actor=web(olga), title=f"Board {number}", template="kanban")
            for user in (ed, vera):
                join(user, board)
            for title in ("One", "Two"):
                due = {"assignee_ids": [olga.pk], "due_at": timezone.now() + timedelta(days=30)}
                card = create_card(actor=web(ed), board_id=board.pk, title=title, **due)
                add_comment(actor=web(ed), card_id=card.pk, text="Look")
            if number % 2:
                archive_board(actor=web(olga), board_id=board.pk)

    client = browser(olga)
    add_boards(2)
    run_jobs()
    # session, user, ids, boards, lists with their cards, members, what is new, archived boards, invitations, offers,
    # what is due; the rows of the inbox and how many stand in each, then of these boards, changes, cards and comments
    with django_assert_num_queries(17):
        client.get("/")
    add_boards(3)
    run_jobs()
    with django_assert_num_queries(17):
        assert len(client.get("/").context["boards"]) == 3
    add_many_boards(197, olga, ed)
    for page in (1, 2):
        with django_assert_num_queries(17):
            assert len(client.get(f"/?page={page}").context["boards"]) == 100


def add_many_boards(count: int, owner: User, other: User) -> None:
    """Add boards with two members, two lists and two cards that are due for the owner, in few statements."""
    boards = Board.objects.bulk_create(Board(title=f"Many {number}") for number in range(count))
    Membership.objects.bulk_create(Membership(board=board, user=owner, role="owner") for board in boards)
    Membership.objects.bulk_create(Membership(board=board, user=other, role="editor") for board in boards)
    Unseen.objects.bulk_create(Unseen(board=board, user=owner, count=3) for board in boards)
    lists = List.objects.bulk_create(
        List(board=board, title=title, position=place) for board in boards for place, title in enumerate(("A", "B"))
    )
    due = timezone.now() + timedelta(days=20)
    cards = Card.objects.bulk_create(
        Card(board=row.board, list=row, number=row.position + 1, position=1, title="Due", due_at=due, created_by=other)
        for row in lists
    )
    Assignment.objects.bulk_create(Assignment(board=card.board, card=card, user=owner) for card in cards)


def test_scripts_get_the_news_and_the_ids_of_open_boards_alone_in_nine_statements(
    olga, ed, board, todo, django_assert_num_queries
):
    for number in range(2):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"News {number}.", assignee_ids=[ed.pk])
        add_comment(actor=web(olga), card_id=card.pk, text=f"Look, [@Ed](mention:{ed.pk})")
        run_jobs()
    client = browser(ed)
    # session, user, the rows of the inbox and how many stand in each, then of these boards, changes, cards and comments;
    # the ids of open boards
    with django_assert_num_queries(9):
        answer = client.get("/", **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    assert answer.content.decode().startswith('<div id="start-news"')
    assert f'data-boards="{board.pk}"' in answer.content.decode()
    assert "News 0." in text_of(answer)
    assert "Your boards" not in text_of(answer)


def test_the_page_says_how_many_are_unread_as_the_bell_counts_unless_others_follow(olga, ed, board, todo):
    said = []
    for number in range(6):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"News {number}.", assignee_ids=[ed.pk])
        add_comment(actor=web(olga), card_id=card.pk, text=f"Look, [@Ed](mention:{ed.pk})")
        run_jobs()
        shown = re.search(r'id="start-news"(?: data-unread="(\d+)")?', browser(ed).get("/").content.decode())[1]
        said.append((shown, unread_count(Reader(ed))))
    assert all(int(shown) == unread for shown, unread in said if shown)
    assert [shown is None for shown, _unread in said] == [False] * 4 + [True] * 2


def test_signed_out_scripts_get_no_news(db):
    assert not browser().get("/", **SCRIPTED).has_header("X-Answer")
