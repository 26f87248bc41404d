"""Updates of open pages: after every kind of change they show the same as a page that is reloaded."""

import contextlib
import json
import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

import boards.reading.tiles
from boards.actions.boards.board import archive_board, create_board, restore_board, update_board
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, delete_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label, delete_label, update_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, delete_list, rename_list, restore_list
from boards.actions.people.members import remove_member
from boards.models import Board, Card
from boards.reader import MEMBERS
from boards.statements import read_last_change
from boards.tests.world import CASES, taken_back
from conftest import join, web
from web import changes
from web.live import catchup
from web.live.catchup import changes_since

Thing = tuple[str, str]


def version_of(board: Board) -> int:
    return Board.objects.get(pk=board.pk).version


def message_since(board: Board, since: int) -> dict[str, Any]:
    update = changes_since(board.pk, since, "en", None, MEMBERS)
    return json.loads(update.text) if update.text else {"changed": [], "removed": []}


class Page:
    """A board as a browser shows it, which only applies messages.

    The board's version moves with every change, but its head is only sent when it looks different. So the version in
    the head is left out.
    """

    def __init__(self, board: Board) -> None:
        self.board, self.version, self.shown = board, -1, {}
        self.catch_up()

    def catch_up(self) -> "Page":
        update = changes_since(self.board.pk, self.version, "en", None, MEMBERS)
        self.version = update.version
        if update.text:
            self.take(json.loads(update.text))
        return self

    def take(self, message: dict[str, Any]) -> None:
        for thing in message["changed"]:
            html = thing["html"]
            self.shown[thing["kind"], thing["id"]] = without_version(html) if thing["kind"] == "board" else html
        for thing in message["removed"]:
            self.shown.pop((thing["kind"], thing["id"]), None)
            if thing["kind"] == "list":
                self.shown = {key: html for key, html in self.shown.items() if not is_on_list(html, thing["id"])}


def is_on_list(html: str, list_id: str) -> bool:
    return f'data-list="{list_id}"' in html


def things(named: list[dict[str, str]]) -> set[Thing]:
    return {(thing["kind"], thing["id"]) for thing in named}


def test_after_every_action_an_open_page_shows_what_a_new_one_shows(world, subtests):
    for case in CASES:
        if case.name not in ("create_board", "archive_board", "delete_board", "restore_board"):
            with subtests.test(action=case.name), taken_back():
                page = Page(world.board)
                case.call(world, case.actor(world))
                assert page.catch_up().shown == Page(world.board).shown
                assert page.version == version_of(world.board)


SIDES = {"assignments", "checklists", "comments", "labels"}
INSIDE = {"rename_checklist", "create_checklist", "move_checklist", "move_item", "edit_comment"}  # tiles do not show it


def without_version(html: str) -> str:
    return re.sub(r' data-version="\d+"', "", html)


def test_a_change_of_what_belongs_to_a_card_sends_the_card(world, subtests):
    cases = [
        case for case in CASES if case.action.__module__.rpartition(".")[2] in SIDES and case.name != "create_label"
    ]
    assert len(cases) == 17
    for case in cases:
        with subtests.test(action=case.name), taken_back():
            page, since = Page(world.board), version_of(world.board)
            case.call(world, world.by_olga)
            [sent] = [one for one in message_since(world.board, since)["changed"] if one["kind"] != "labels"]
            assert (sent["kind"], sent["id"]) == ("card", str(world.card.pk))
            before = page.shown["card", str(world.card.pk)]
            assert (without_version(sent["html"]) == without_version(before)) == (case.name in INSIDE)


def test_the_text_is_empty_if_nothing_changed(board, card):
    update = changes_since(board.pk, version_of(board), "en", None, MEMBERS)
    assert (update.version, update.text) == (version_of(board), "")


def test_a_message_says_from_and_to_which_version_it_brings_a_page(board, card, ed):
    since = version_of(board)
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    add_comment(actor=web(ed), card_id=card.pk, text="So")
    message = message_since(board, since)
    assert (message["board"], message["since"], message["version"]) == (str(board.pk), since, since + 2)
    assert "reload" not in message


def test_a_card_that_changed_twice_is_sent_once(board, card, ed):
    since = version_of(board)
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    update_card(actor=web(ed), card_id=card.pk, title="Best")
    message = message_since(board, since)
    assert things(message["changed"]) == {("card", str(card.pk))}
    assert "Best" in message["changed"][0]["html"]


def test_an_archived_card_is_removed_and_a_restored_one_sent(board, card, ed):
    since = version_of(board)
    archive_card(actor=web(ed), card_id=card.pk)
    assert things(message_since(board, since)["removed"]) == {("card", str(card.pk))}
    assert message_since(board, since)["changed"] == []
    restore_card(actor=web(ed), card_id=card.pk)
    assert things(message_since(board, since)["changed"]) == {("card", str(card.pk))}
    assert message_since(board, since)["removed"] == []


def test_a_card_deleted_for_good_is_removed(board, card, olga):
    since = version_of(board)
    archive_card(actor=web(olga), card_id=card.pk)
    delete_card(actor=web(olga), card_id=card.pk)
    assert things(message_since(board, since)["removed"]) == {("card", str(card.pk))}


def test_a_card_moved_to_another_board_is_removed_here_and_sent_there_and_vice_versa(board, card, olga):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    here, there = version_of(board), version_of(other)
    thing = {("card", str(card.pk))}
    move_card(actor=web(olga), card_id=card.pk, list_id=other.lists.first().pk)
    assert things(message_since(board, here)["removed"]) == thing
    assert things(message_since(other, there)["changed"]) == thing
    move_card(actor=web(olga), card_id=card.pk, list_id=board.lists.first().pk)
    assert things(message_since(board, here)["changed"]) == thing
    assert message_since(board, here)["removed"] == []
    assert things(message_since(other, there)["removed"]) == thing


def test_a_label_that_is_renamed_or_deleted_sends_the_cards_that_carry_it_and_no_others(board, todo, card, ed):
    other = create_card(actor=web(ed), list_id=todo.pk, title="Without")
    label = create_label(actor=web(ed), board_id=board.pk, name="Bug")
    add_label(actor=web(ed), card_id=card.pk, label_id=label.pk)
    since = version_of(board)
    update_label(actor=web(ed), label_id=label.pk, name="Fault")
    names, sent = message_since(board, since)["changed"]
    assert sent["id"] == str(card.pk) != str(other.pk)
    assert (names["kind"], "Fault" in names["html"], "Fault" in sent["html"]) == ("labels", True, True)
    delete_label(actor=web(ed), label_id=label.pk)
    names, sent = message_since(board, since)["changed"]
    assert "Fault" not in names["html"] + sent["html"]


def test_an_archived_list_is_removed_and_a_restored_one_is_sent_with_its_cards(board, todo, card, ed):
    since = version_of(board)
    archive_list(actor=web(ed), list_id=todo.pk)
    assert things(message_since(board, since)["removed"]) == {("list", str(todo.pk))}
    archived = version_of(board)
    restore_list(actor=web(ed), list_id=todo.pk)
    assert things(message_since(board, archived)["changed"]) == {("list", str(todo.pk)), ("card", str(card.pk))}


def test_a_comment_on_a_card_of_an_archived_list_sends_no_tile(board, todo, card, ed):
    archive_list(actor=web(ed), list_id=todo.pk)
    since = version_of(board)
    add_comment(actor=web(ed), card_id=card.pk, text="Still")
    assert message_since(board, since)["changed"] == []


def test_a_list_deleted_for_good_is_removed_with_its_cards(board, todo, card, olga):
    since = version_of(board)
    archive_list(actor=web(olga), list_id=todo.pk)
    delete_list(actor=web(olga), list_id=todo.pk)
    assert things(message_since(board, since)["removed"]) == {("list", str(todo.pk)), ("card", str(card.pk))}


def test_a_renamed_list_is_sent_without_its_cards(board, todo, card, ed):
    since = version_of(board)
    rename_list(actor=web(ed), list_id=todo.pk, title="Later")
    [sent] = message_since(board, since)["changed"]
    assert "Later" in sent["html"]
    assert str(card.pk) not in sent["html"]


def test_the_head_is_sent_when_the_board_is_renamed_and_not_when_a_card_is(board, card, ed):
    since = version_of(board)
    update_card(actor=web(ed), card_id=card.pk, title="Better")
    assert things(message_since(board, since)["changed"]) == {("card", str(card.pk))}
    update_board(actor=web(ed), board_id=board.pk, title="Landing")
    sent = {thing["kind"]: thing["html"] for thing in message_since(board, since)["changed"]}
    assert "Landing" in sent["board"]


def test_the_members_are_sent_when_somebody_joins_or_leaves(board, olga, stan):
    since = version_of(board)
    join(stan, board)
    [sent] = message_since(board, since)["changed"]
    assert (sent["kind"], sent["id"]) == ("members", str(board.pk))
    assert str(stan.pk) in sent["html"]
    remove_member(actor=web(olga), board_id=board.pk, user_id=stan.pk)
    [sent] = message_since(board, since)["changed"]
    assert str(stan.pk) not in sent["html"]


def test_an_update_lists_the_ids_of_the_members(board, olga, ed, vera, stan):
    assert changes_since(board.pk, 0, "en", None, MEMBERS).members == {olga.pk, ed.pk, vera.pk}
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert changes_since(board.pk, 0, "en", None, MEMBERS).members == {olga.pk, vera.pk}


def test_an_archived_board_is_gone_until_it_is_restored(board, olga):
    archive_board(actor=web(olga), board_id=board.pk)
    assert changes_since(board.pk, 0, "en", None, MEMBERS) is None
    restore_board(actor=web(olga), board_id=board.pk)
    assert changes_since(board.pk, 0, "en", None, MEMBERS) is not None


def test_a_board_that_never_existed_is_gone(db):
    assert changes_since(uuid4(), 0, "en", None, MEMBERS) is None


@pytest.mark.parametrize("ahead", [1, 10**18])
def test_a_page_ahead_of_its_board_reloads(board, ahead):
    """This happens when the database is restored from a backup."""
    message = message_since(board, version_of(board) + ahead)
    assert (message["board"], message["version"]) == (str(board.pk), version_of(board))
    assert (message["reload"], message["restored"]) == (True, True)


class Lost(Exception):
    pass


def lost_change(board: Board, title: str, ed) -> tuple[int, UUID]:
    """Make a change that a restored backup takes back; return its number and its id."""
    with contextlib.suppress(Lost), transaction.atomic():
        changed = update_board(actor=web(ed), board_id=board.pk, title=title)
        number, change = changed.version, read_last_change(changed)
        raise Lost
    return number, change


@pytest.mark.parametrize("later", [1, 2])
def test_a_page_that_shows_a_change_which_a_restored_backup_lacks_reloads(board, ed, later):
    """Its version says nothing: other changes have reached it, or more, since."""
    version, change = lost_change(board, "Never happened", ed)
    for number in range(later):
        update_board(actor=web(ed), board_id=board.pk, title=f"Title {number}")
    message = json.loads(changes_since(board.pk, version, "en", change, MEMBERS).text)
    assert (message["reload"], message["restored"], message["version"]) == (True, True, version + later - 1)
    assert message["change"] == str(read_last_change(Board.objects.get(pk=board.pk)))


def test_a_page_that_shows_what_a_restored_backup_has_is_sent_the_changes_since(board, ed):
    version, change = version_of(board), read_last_change(board)
    lost_change(board, "Never happened", ed)
    update_board(actor=web(ed), board_id=board.pk, title="Happened")
    message = json.loads(changes_since(board.pk, version, "en", change, MEMBERS).text)
    assert (message["since"], message["version"]) == (version, version + 1)
    assert "Happened" in message["changed"][0]["html"]


def test_a_page_that_is_told_the_id_of_a_change_is_up_to_date_with_it(board, ed):
    update_board(actor=web(ed), board_id=board.pk, title="Now")
    update = changes_since(board.pk, version_of(board) - 1, "en", None, MEMBERS)
    assert json.loads(update.text)["change"] == str(update.change)
    assert changes_since(board.pk, update.version, "en", update.change, MEMBERS).text == ""


def test_a_page_that_names_no_version_is_sent_everything(board, todo, card):
    assert things(message_since(board, -1)["changed"]) == {
        ("board", str(board.pk)),
        ("members", str(board.pk)),
        ("list", str(todo.pk)),
        ("card", str(card.pk)),
    }


def cards_at_once(todo, olga, count: int, version: int) -> None:
    """Create `count` cards that all changed at `version`, without an action for each."""
    Card.objects.bulk_create(
        Card(
            board=todo.board,
            list=todo,
            number=1000 + number,
            position=number,
            version=version,
            title=f"Card {number}",
            created_by=olga,
        )
        for number in range(1, count + 1)
    )


def test_five_hundred_changed_things_are_sent_and_with_one_more_the_page_reloads(board, todo, olga):
    since = version_of(board)
    rename_list(actor=web(olga), list_id=todo.pk, title="Many")
    cards_at_once(todo, olga, changes.AT_MOST - 1, since + 1)
    assert len(message_since(board, since)["changed"]) == changes.AT_MOST == 500
    create_card(actor=web(olga), list_id=todo.pk, title="One more")
    assert message_since(board, since)["reload"] is True


def test_the_page_reloads_after_a_list_with_more_than_five_hundred_cards_is_deleted(board, todo, olga):
    since = version_of(board)
    cards_at_once(todo, olga, changes.AT_MOST + 1, 0)
    archive_list(actor=web(olga), list_id=todo.pk)
    delete_list(actor=web(olga), list_id=todo.pk)
    assert message_since(board, since)["reload"] is True


def test_the_page_reloads_after_more_changes_than_are_worth_reading(board, monkeypatch, ed):
    monkeypatch.setattr(catchup, "CHANGES_AT_MOST", 2)
    since = version_of(board)
    for title in ("A", "B"):
        update_board(actor=web(ed), board_id=board.pk, title=title)
    assert "changed" in message_since(board, since)
    update_board(actor=web(ed), board_id=board.pk, title="C")
    assert message_since(board, since)["reload"] is True


def furnish(card: Card, olga, ed) -> None:
    """Give the card every relation that a tile shows, two of each where possible."""
    for name in ("One", "Two"):
        label = create_label(actor=web(olga), board_id=card.board_id, name=f"{name} {card.number}")
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        add_comment(actor=web(olga), card_id=card.pk, text=name)
        checklist = create_checklist(actor=web(olga), card_id=card.pk, title=name)
        add_item(actor=web(olga), checklist_id=checklist.pk, text=name)
    for user in (olga, ed):
        assign(actor=web(olga), card_id=card.pk, user_id=user.pk)


def statements(board: Board) -> int:
    """Return the number of statements that bring a page from nothing to everything."""
    with CaptureQueriesContext(connection) as captured:
        message_since(board, -1)
    return len(captured)


@pytest.mark.parametrize("most, expected", [(10, 8), (1, 13)])
def test_the_number_of_statements_does_not_depend_on_how_much_changed(
    board, todo, olga, ed, stan, monkeypatch, most, expected
):
    monkeypatch.setattr(boards.reading.tiles, "FEW", most)
    for number in range(2):
        furnish(create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}"), olga, ed)
    few = statements(board)
    create_list(actor=web(olga), board_id=board.pk, title="More")
    join(stan, board)
    for number in range(6):
        furnish(create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}"), olga, ed)
    assert statements(board) == few == expected


def test_fragments_are_in_the_requested_language_whatever_the_threads_is(board, card, ed):
    complete = {"due_at": datetime(2026, 12, 1, 23, tzinfo=UTC)}
    update_card(actor=web(ed), card_id=card.pk, **complete)
    with translation.override("ja"):
        english, german = (
            changes_since(board.pk, 0, "en", None, MEMBERS).text,
            changes_since(board.pk, 0, "de", None, MEMBERS).text,
        )
    assert english == changes_since(board.pk, 0, "en", None, MEMBERS).text
    with translation.override("de"):
        assert german == changes_since(board.pk, 0, "de", None, MEMBERS).text
    assert english != german


def test_fragments_contain_no_time_zone_no_token_and_no_reader(board, card, olga, ed):
    update_card(actor=web(ed), card_id=card.pk, due_at=datetime(2026, 12, 1, 23, tzinfo=UTC))
    text = changes_since(board.pk, -1, "en", None, MEMBERS).text
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert changes_since(board.pk, -1, "en", None, MEMBERS).text == text
    assert "2026-12-01T23:00:00Z" in text
    assert "csrf" not in text.lower()
    assert olga.email not in text


def test_text_that_people_write_is_escaped(board, card, ed):
    update_card(actor=web(ed), card_id=card.pk, title="<script>\"&'")
    [sent] = [thing for thing in message_since(board, 0)["changed"] if thing["kind"] == "card"]
    assert "&lt;script&gt;" in sent["html"]
    assert "<script" not in sent["html"]


def test_ids_are_canonical(board, card):
    assert all(str(UUID(thing["id"])) == thing["id"] for thing in message_since(board, -1)["changed"])
