"""The lists of a board are kept as HTML, and made anew whenever they would look different."""

import gzip
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, restore_list
from boards.actions.ordering import TOP
from boards.models import Board
from boards.reader import MEMBERS
from boards.statements import read_last_change, read_members
from boards.tests.world import CASES, taken_back
from conftest import web
from web.boards import columns
from web.boards.columns import Shelf
from web.tests.browsing import browser


def seen_by(user: User, board: Board) -> str:
    client = Client()
    client.force_login(user)
    return client.get(board.get_absolute_url()).content.decode()


def test_a_board_that_nobody_changed_is_opened_without_reading_its_cards(olga, ed, board, card):
    seen_by(olga, board)
    with CaptureQueriesContext(connection) as statements:
        assert card.title in seen_by(ed, board)
    assert not [each["sql"] for each in statements.captured_queries if "boards_card" in each["sql"]]


@pytest.mark.parametrize("act", ["create", "rename", "complete", "move"])
def test_whatever_changes_on_the_board_is_on_the_page(ed, olga, board, todo, doing, card, act):
    before = seen_by(ed, board)
    if act == "create":
        create_card(actor=web(olga), list_id=todo.pk, title="Print flyers")
    elif act == "rename":
        update_card(actor=web(olga), card_id=card.pk, title="Print flyers")
    elif act == "complete":
        complete_card(actor=web(olga), card_id=card.pk)
    else:
        move_card(actor=web(olga), card_id=card.pk, list_id=doing.pk)
    after = seen_by(ed, board)
    columns.shelf = Shelf()
    assert after != before
    assert without_tokens(after) == without_tokens(seen_by(ed, board))


def test_after_every_action_the_kept_lists_are_those_made_anew(world, subtests, monkeypatch):
    def lists() -> list[str]:
        shown = Board.objects.get(pk=world.board.pk)
        return columns.columns(shown, read_last_change(shown), read_members(shown.pk), MEMBERS)

    for case in CASES:
        if case.name not in ("create_board", "archive_board", "delete_board", "restore_board"):
            with subtests.test(action=case.name), taken_back():
                lists()
                case.call(world, case.actor(world))
                kept = lists()
                monkeypatch.setattr(columns, "shelf", Shelf())
                assert kept == lists()


def without_tokens(page: str) -> list[str]:
    return [line for line in page.splitlines() if "csrf" not in line]


def test_a_person_who_took_another_name_has_it_on_the_tiles(olga, ed, board, card):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    assert 'title="Ed"' in seen_by(ed, board)
    User.objects.filter(pk=ed.pk).update(name="Edward")
    page = seen_by(ed, board)
    assert 'title="Ed"' not in page
    assert page.count('title="Edward"') >= 2  # among the members, and on the tile


def test_a_due_date_becomes_soon_and_late_though_nobody_changes_the_board(olga, ed, board, card):
    due = timezone.now() + timedelta(hours=30)
    update_card(actor=web(olga), card_id=card.pk, due_at=due)
    assert 'class="fact due "' in seen_by(ed, board)
    with time_machine.travel(due - timedelta(hours=1)):
        assert 'class="fact due soon"' in seen_by(ed, board)
    with time_machine.travel(due + timedelta(seconds=1)):
        assert 'class="fact due late"' in seen_by(ed, board)


def test_each_language_has_its_own(olga, ed, board, card):
    seen_by(olga, board)
    User.objects.filter(pk=ed.pk).update(language="de")
    page = seen_by(ed, board)
    assert "Karte hinzufügen" in page
    assert "Add card" in seen_by(olga, board)


def test_after_a_change_only_the_changed_cards_are_read(olga, board, todo, card):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Print flyers")
    seen_by(olga, board)
    update_card(actor=web(olga), card_id=card.pk, title="Mount the chalkboard")
    with CaptureQueriesContext(connection) as statements:
        page = seen_by(olga, board)
    assert "Mount the chalkboard" in page
    assert other.title in page
    titles = [each["sql"] for each in statements.captured_queries if 'this."title", this."excerpt"' in each["sql"]]
    assert len(titles) == 1
    assert [pk for pk in (card.pk, other.pk) if pk.hex in titles[0].replace("-", "")] == [card.pk]


def test_cards_of_a_list_that_comes_back_are_on_the_page(olga, board, todo, card):
    archive_list(actor=web(olga), list_id=todo.pk)
    assert card.title not in seen_by(olga, board)
    restore_list(actor=web(olga), list_id=todo.pk)
    assert card.title in seen_by(olga, board)


def test_cards_that_go_are_gone_and_the_others_stay_in_order(olga, board, todo, card):
    for title in ("Print flyers", "Find speakers"):
        create_card(actor=web(olga), list_id=todo.pk, title=title)
    seen_by(olga, board)
    last = board.cards.get(title="Find speakers")
    archive_card(actor=web(olga), card_id=card.pk)
    move_card(actor=web(olga), card_id=last.pk, list_id=todo.pk, place=TOP)
    page = seen_by(olga, board)
    assert card.title not in page
    assert page.index("Find speakers") < page.index("Print flyers")


def test_no_tile_is_used_again_after_a_backup_was_restored(olga, board, card):
    seen_by(olga, board)
    before = Board.objects.get(pk=board.pk).version
    update_card(actor=web(olga), card_id=card.pk, title="Before the restore")
    assert "Before the restore" in seen_by(olga, board)
    Board.objects.filter(pk=board.pk).update(version=before)
    board.activities.filter(version=before + 1).delete()
    update_card(actor=web(olga), card_id=card.pk, title="After the restore")
    update_card(actor=web(olga), card_id=card.pk, due_at=timezone.now())
    type(card).objects.filter(pk=card.pk).update(version=before + 1)  # the number it had before, in another history
    assert "After the restore" in seen_by(olga, board)


def kept(*html: str, version: int = 1) -> columns.Kept:
    return columns.Kept(columns.Shows(version, None, ()), None, [SafeString(one) for one in html], {})


def test_what_was_not_used_for_longest_goes_first(monkeypatch):
    monkeypatch.setattr(columns, "MOST", 45)
    shelf = Shelf()
    for name in ("a", "b"):
        shelf.put((name, "en"), kept("x" * 10))
    assert shelf.get(("a", "en"))
    shelf.put(("c", "en"), kept("x" * 10))
    assert shelf.get(("a", "en"))
    assert shelf.get(("b", "en")) is None
    assert shelf.get(("c", "en"))


def test_a_newer_version_takes_the_place_of_the_older_one(monkeypatch):
    monkeypatch.setattr(columns, "MOST", 45)
    shelf = Shelf()
    shelf.put(("a", "en"), kept("x" * 10))
    for version in range(10):
        shelf.put(("b", "en"), kept("x" * 10, version=version))
    assert shelf.get(("a", "en"))
    assert shelf.get(("b", "en")).shows.version == 9


def test_tiles_count_as_kept():
    assert kept("x" * 10)._replace(tiles={None: (1, SafeString("y" * 5))}).size == 25  # the list as text and as bytes


def test_short_lists_are_compressed_together_and_long_ones_alone(monkeypatch):
    monkeypatch.setattr(columns, "PIECE", 10)
    lists = [SafeString(letter * length) for letter, length in zip("abcde", (4, 8, 30, 4, 4), strict=True)]
    assert columns.pieces(lists) == ["a" * 4 + "b" * 8, "c" * 30, "d" * 4 + "e" * 4]
    assert columns.pieces([]) == []


def test_a_board_of_many_lists_is_nearly_as_small_as_if_it_were_compressed_whole(olga, board):
    for number in range(60):
        create_list(actor=web(olga), board_id=board.pk, title=f"List {number}")
    answer = browser(olga).get(f"/board/{board.pk}", headers={"accept-encoding": "gzip"})
    whole = gzip.compress(gzip.decompress(answer.content), 5)
    assert len(answer.content) < 1.25 * len(whole)
