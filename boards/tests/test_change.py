"""Every change has one number, one line of activity and one hint after commit; a repeated call has none of them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime

from accounts.models import User
from boards.actions.boards.board import delete_board, update_board
from boards.actions.cards.card import update_card
from boards.actions.cards.checklists import delete_checklist, update_item
from boards.actions.cards.comments import delete_comment
from boards.actions.cards.labels import delete_label
from boards.actions.cards.moves import move_card
from boards.actions.change import DERIVED, LONG_TEXTS, change
from boards.actions.people.members import remove_member
from boards.actor import Actor
from boards.errors import DomainError, NotAllowed, NotFound
from boards.hints import board_group
from boards.models import Activity, Board, Card, FormerValues, List, OwnerActivity, Verb
from boards.models.records import RECORDS, fields_of, ids_in
from boards.models.verbs import Door
from boards.richtext import from_markdown
from boards.tests.world import BY_NAME, CASES, MANY, history, last, rows_of, taken_back
from conftest import web
from core.bus import bus
from core.sql import Statement, keys

# delete_board deletes its history too; new boards and move_card to another board have tests of their own.
NEW_BOARDS = ("create_board", "create_board_from", "copy_board", "import_board")
WRITES = [case for case in CASES if case.is_recorded and case.name not in (*NEW_BOARDS, "delete_board", *MANY)]
BY_AGENT = {"door": Door.AGENT, "token_name": "laptop"}


def board_of(world, case) -> Board:
    return Board.objects.get(pk=case.board(world).pk)


def test_every_change_takes_the_next_number_and_one_line_of_activity(world, subtests):
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            board, before = board_of(world, case), len(history(board_of(world, case)))
            case.call(world, case.actor(world))
            after = board_of(world, case)
            assert after.version == board.version + 1
            assert [line.version for line in history(after)] == list(range(1, before + 2))
            assert after.changed_at > board.changed_at


def test_every_row_that_a_change_touched_carries_its_number(world, subtests):
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            before = rows_of(board_of(world, case))
            case.call(world, case.actor(world))
            board = board_of(world, case)
            touched = {key: row for key, row in rows_of(board).items() if row != before.get(key)}
            assert {row["version"] for row in touched.values()} <= {board.version}
            assert touched or case.name.endswith(("_board", "_background_picture")) or last(board).removed


# Rows that are deleted with the row that they belong to need no name of their own: a page that loses or redraws that
# row shows neither.
GOES_WITH = {
    "CardLabel": "card_id",
    "Assignment": "card_id",
    "Checklist": "card_id",
    "ChecklistItem": "checklist_id",
    "Attachment": "card_id",
}
KINDS = {"ChecklistItem": "item", "Membership": "member", "InvitationLink": "invitation_link"}


def test_every_row_that_a_change_deleted_is_named_or_its_card_is_touched(world, subtests):
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            before = rows_of(board_of(world, case))
            case.call(world, case.actor(world))
            board = board_of(world, case)
            after = rows_of(board)
            known = {thing["id"] for thing in last(board).removed or []}
            known |= {str(pk) for (_kind, pk), row in after.items() if row["version"] == board.version}
            for (kind, pk), row in before.items():
                if (kind, pk) not in after:
                    parents = {str(row.get(name)) for name in ("card_id", "checklist_id", "list_id")}
                    assert str(pk) in known or (kind != "Card" and parents & known)


def test_deleted_rows_are_named_by_kind_and_id(world, subtests):
    removed = {
        "remove_member": "member",
        "withdraw_invitation_link": "invitation_link",
        "delete_list": "list",
        "delete_card": "card",
        "delete_label": "label",
        "delete_checklist": "checklist",
        "delete_item": "item",
        "delete_comment": "comment",
        "delete_attachment": "attachment",
    }
    for action, kind in removed.items():
        with subtests.test(action=action), taken_back():
            BY_NAME[action].call(world, world.by_olga)
            assert kind in [thing["kind"] for thing in last(world.board).removed]


def test_the_activity_says_who_through_which_door_with_which_token(world, subtests):
    for case in [case for case in WRITES if case.needs != "operator"]:  # who has a door of their own
        with subtests.test(action=case.name), taken_back():
            user = case.actor(world).user
            case.call(world, Actor(user, token_id=world.card.pk, **BY_AGENT))
            line = last(board_of(world, case))
            assert (line.user, line.door, line.token_name) == (user, "agent", "laptop")
            assert line.token_id == world.card.pk


def test_the_activity_holds_old_and_new_values_and_no_derived_fields(world, subtests):
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            case.call(world, case.actor(world))
            line = last(board_of(world, case))
            pairs = {name: pair for name, pair in line.data.items() if name not in LONG_TEXTS}
            assert all(isinstance(pair, list) and len(pair) == 2 for pair in pairs.values())
            assert not pairs or any(old != new for old, new in pairs.values())
            assert not line.data.keys() & DERIVED


def test_every_verb_has_a_record_and_every_record_written_is_that_of_its_verb(world, subtests):
    assert RECORDS.keys() == {*Verb}
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            case.call(world, case.actor(world))
            line = last(board_of(world, case))
            allowed, required = fields_of(line.verb)
            assert required <= line.data.keys() <= allowed


def test_every_recorded_id_belonged_to_a_row(world, subtests):
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            rows = {str(pk) for _kind, pk in (*rows_of(world.board), *rows_of(world.attic))}
            rows |= {str(pk) for pk in (*User.objects.values_list("pk", flat=True), world.board.pk, world.attic.pk)}
            case.call(world, case.actor(world))
            board = board_of(world, case)
            rows |= {str(pk) for _kind, pk in rows_of(board)}
            line = last(board)
            for name in ids_in(line.verb) & line.data.keys():
                assert {pk for pk in line.data[name] if pk} <= rows, name


def test_values_that_the_record_of_the_verb_lacks_raise_an_error(world):
    for values in ({"title": ("First", "Last")}, {"hue": (1, 2)}):
        with (
            pytest.raises(RuntimeError, match="records"),
            change(world.by_olga, Card, world.card.pk) as c,
        ):
            c.record(Verb.CARD_COMPLETED, c.row, values)


def test_a_long_text_is_stored_once_in_former_values(world):
    first, second = "first " * 3000, "second " * 2000
    update_card(actor=world.by_olga, card_id=world.card.pk, description=first)
    assert not FormerValues.objects.exists()
    update_card(actor=world.by_olga, card_id=world.card.pk, description=second)
    line = last(world.board)
    assert line.data == {"description": None}
    assert line.former.values == {"description": from_markdown(first.strip())}


def test_former_values_suffice_to_recreate_a_deleted_comment(world):
    comment = world.comments[world.ed]
    delete_comment(actor=world.by_olga, comment_id=comment.pk)
    line = last(world.board)
    assert line.data == {"body": None, "author_id": [str(world.ed.pk), None], "author": ["Ed", None]}
    assert (
        line.former.values.items() >= {"body": comment.body, "door": "web", "token_name": "", "edited_at": None}.items()
    )
    assert parse_datetime(line.former.values["created_at"]) == comment.created_at


def test_former_values_suffice_to_recreate_a_deleted_checklist(world):
    update_item(actor=world.by_olga, item_id=world.item.pk, done=True)
    delete_checklist(actor=world.by_olga, checklist_id=world.steps.pk)
    line = last(world.board)
    assert line.subject["title"] == "Steps"
    assert line.data == {"next_id": [str(world.checks.pk), None]}
    assert line.former.values == {
        "title": "Steps",
        "items": [
            {"id": str(world.item.pk), "text": "One", "done": True},
            {"id": str(world.item_two.pk), "text": "Two", "done": False},
        ],
    }


def test_former_values_keep_the_cards_of_a_deleted_label_and_of_a_removed_member(world):
    delete_label(actor=world.by_olga, label_id=world.bug.pk)
    former = last(world.board).former.values
    assert former["card_ids"] == [str(world.card.pk)]
    assert parse_datetime(former["created_at"]) == world.bug.created_at
    remove_member(actor=world.by_olga, board_id=world.board.pk, user_id=world.ed.pk)
    line = last(world.board)
    assert line.data == {"member_id": [str(world.ed.pk), None], "member": ["Ed", None], "role": ["editor", None]}
    assert line.former.values == {"unassigned_ids": [str(world.card.pk)]}


def test_a_move_records_the_lists_and_the_card_behind_the_moved_one(world):
    move_card(actor=world.by_olga, card_id=world.card.pk, list_id=world.doing.pk)
    assert last(world.board).data == {
        "list_id": [str(world.todo.pk), str(world.doing.pk)],
        "list": ["To do", "Doing"],
        "next_id": [str(world.second.pk), None],
    }


def test_a_deleted_board_leaves_a_line_in_its_owners_history(world):
    cards = Card.objects.filter(board=world.board).count()
    delete_board(actor=Actor(world.olga, token_id=world.card.pk, **BY_AGENT), board_id=world.board.pk)
    line = OwnerActivity.objects.get()
    assert (line.owner, line.user, line.verb, line.door, line.token_name) == (
        world.olga,
        world.olga,
        "board.deleted",
        "agent",
        "laptop",
    )
    assert line.subject == {"kind": "board", "id": str(world.board.pk), "title": "Launch"}
    assert {*line.data.pop("member_ids")[0]} == {
        str(user.pk) for user in (world.olga, world.ed, world.vera, world.will, world.hugo)
    }
    assert line.data == {"lists": [3, None], "cards": [cards, None]}


def test_the_activity_remembers_what_the_subject_was_called(world):
    BY_NAME["rename_checklist"].call(world, world.by_olga)
    line = last(world.board)
    assert line.subject == {
        "kind": "checklist",
        "id": str(world.steps.pk),
        "title": "Stages",
        "card": "First",
        "number": str(world.card.number),
    }
    assert line.card_id == world.card.pk
    assert line.data == {"title": ["Steps", "Stages"]}


def test_a_repeated_call_changes_records_and_pushes_nothing(
    world, subtests, pushed, django_capture_on_commit_callbacks
):
    for case in [case for case in WRITES if case.again == "nothing"]:
        with subtests.test(action=case.name), taken_back():
            case.call(world, case.actor(world))
            before = (board_of(world, case).version, rows_of(board_of(world, case)))
            with django_capture_on_commit_callbacks(execute=True) as callbacks:
                case.call(world, case.actor(world))
            assert (board_of(world, case).version, rows_of(board_of(world, case))) == before
            assert callbacks == []


def test_a_repeated_call_returns_the_same(world, subtests):
    for case in [case for case in WRITES if case.again == "nothing"]:
        with subtests.test(action=case.name), taken_back():
            first, second = (case.call(world, case.actor(world)) for _ in range(2))
            if case.name == "archive_card":
                first, second = first.card, second.card
            assert first == second
            assert getattr(first, "version", None) == getattr(second, "version", None)


def test_a_deleted_row_is_not_found_the_second_time(world, subtests):
    for case in [case for case in CASES if case.again == "not found"]:
        with subtests.test(action=case.name), taken_back():
            case.call(world, case.actor(world))
            with pytest.raises(NotFound):
                case.call(world, case.actor(world))


def test_a_second_row_is_created_or_refused_as_the_table_says(world, subtests):
    for case in [case for case in CASES if case.again in ("another", "refused")]:
        with subtests.test(action=case.name), taken_back():
            first = case.call(world, case.actor(world))
            if case.again == "another":
                assert case.call(world, case.actor(world)) != first
            else:
                with pytest.raises(DomainError):
                    case.call(world, case.actor(world))


def test_the_hint_goes_out_once_and_after_commit(world, subtests, pushed, django_capture_on_commit_callbacks):
    for case in WRITES:
        with subtests.test(action=case.name), taken_back():
            pushed.clear()
            with django_capture_on_commit_callbacks() as callbacks:
                case.call(world, case.actor(world))
            assert pushed == []
            for callback in callbacks:
                callback()
            board = board_of(world, case)
            hints = [message for group, message in pushed if group == board_group(board.pk)]
            assert hints == [{"type": "board.changed", "version": board.version}]


def test_no_hint_goes_out_when_a_change_fails(world, subtests, django_capture_on_commit_callbacks):
    for case in WRITES:
        with subtests.test(action=case.name), django_capture_on_commit_callbacks() as callbacks:
            with pytest.raises(DomainError):
                case.call(world, web(world.vera))
            assert callbacks == []


def test_a_change_that_fails_halfway_leaves_nothing(world):
    def fail_half_way():
        with change(world.by_olga, Card, world.card.pk) as c:
            c.next_card_number()
            c.set(c.row, title="Half done")
            c.record(Verb.CARD_CHANGED, c.row)
            raise ZeroDivisionError

    before = (rows_of(world.board), history(world.board))
    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    board = Board.objects.get(pk=world.board.pk)
    assert (rows_of(board), history(board)) == before
    assert board.last_card_number == max(Card.objects.filter(board=board).values_list("number", flat=True))


def test_a_hint_that_cannot_be_sent_does_not_undo_or_fail_the_change(
    world, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(bus, "publish", lambda group, message: 1 / 0)
    with django_capture_on_commit_callbacks(execute=True):
        update_board(actor=world.by_olga, board_id=world.board.pk, title="Landing")
    assert Board.objects.get(pk=world.board.pk).title == "Landing"
    assert "ZeroDivisionError" in caplog.text


def test_saving_without_recording_raises_an_error_and_is_rolled_back(world):
    with pytest.raises(RuntimeError), change(world.by_olga, List, world.todo.pk) as c:
        c.set(c.row, title="Silently")
    assert List.objects.get(pk=world.todo.pk).title == "To do"


def test_recording_without_saving_raises_an_error(world):
    with pytest.raises(RuntimeError), change(world.by_olga, List, world.todo.pk) as c:
        c.record(Verb.LIST_CHANGED, c.row)


def test_a_change_has_one_line_of_activity_only(world):
    def record_twice():
        with change(world.by_olga, List, world.todo.pk) as c:
            c.set(c.row, title="Twice")
            c.record(Verb.LIST_CHANGED, c.row)
            c.record(Verb.LIST_CHANGED, c.row)

    with pytest.raises(RuntimeError):
        record_twice()
    assert not Activity.objects.filter(subject__title="Twice").exists()


def test_the_row_is_read_again_under_the_lock(world):
    """A change that waited for the lock sees what the previous one has written."""
    Card.objects.filter(pk=world.card.pk).update(title="Meanwhile")
    with change(world.by_olga, Card, world.card.pk) as c:
        assert c.row.title == "Meanwhile"


def test_the_role_is_read_under_the_lock(world):
    BY_NAME["change_role"].call(world, world.by_olga, user_id=world.ed.pk, role="viewer")
    with pytest.raises(NotAllowed):
        BY_NAME["update_card"].call(world, web(world.ed))


STATEMENTS = {  # on SQLite, on PostgreSQL, where those that write new rows and the board are one (core/sql.py)
    "create_card": (5, 2),  # list with board, role and last position; card, activity, the note for followers, board
    "complete_card": (5, 3),
    "move_card": (7, 4),  # board of the list; card with board and role; place; card, activity, the note, board
    "add_comment": (6, 3),
    "update_item": (6, 4),
}


def test_a_change_takes_a_known_number_of_statements(world, subtests):
    for action, expected in STATEMENTS.items():
        with subtests.test(action=action), taken_back(), CaptureQueriesContext(connection) as queries:
            BY_NAME[action].call(world, world.by_olga)
            statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
        assert len(statements) == expected[connection.vendor == "postgresql"], "\n".join(statements)


def test_after_commit_callbacks_are_called_after_the_commit(world, django_capture_on_commit_callbacks):
    done: list[str] = []
    with django_capture_on_commit_callbacks(execute=True):
        with change(world.by_olga, Board, world.board.pk) as c:
            c.set(c.row, title="Landing")
            c.after_commit(lambda: done.append("file dropped"))
            c.record(Verb.BOARD_CHANGED, c.row)
        assert done == []
    assert done == ["file dropped"]


def change_and_fail(world, afterwards):
    with change(world.by_olga, Board, world.board.pk) as c:
        c.set(c.row, title="Landing")
        c.after_commit(afterwards)
        raise ZeroDivisionError


def test_a_change_that_saved_nothing_or_failed_calls_no_after_commit_callbacks(
    world, django_capture_on_commit_callbacks
):
    done: list[str] = []
    with django_capture_on_commit_callbacks(execute=True):
        with change(world.by_olga, Board, world.board.pk) as c:
            c.after_commit(lambda: done.append("nothing was saved"))
        with pytest.raises(ZeroDivisionError):
            change_and_fail(world, lambda: done.append("it failed"))
    assert done == []


def test_an_after_commit_callback_that_fails_is_logged_and_does_not_stop_the_others(
    world, caplog, django_capture_on_commit_callbacks
):
    done: list[str] = []
    with django_capture_on_commit_callbacks(execute=True), change(world.by_olga, Board, world.board.pk) as c:
        c.set(c.row, title="Landing")
        c.after_commit(lambda: 1 / 0)
        c.after_commit(lambda: done.append("the next"))
        c.record(Verb.BOARD_CHANGED, c.row)
    assert done == ["the next"]
    assert "division by zero" in caplog.text


def test_on_change_callbacks_are_called_inside_the_transaction_of_each_change(world, monkeypatch):
    noted: list[tuple] = []

    def note(board, version):
        noted.append((board, version, connection.in_atomic_block))
        return Statement("UPDATE boards_list SET title = 'Noted' WHERE id = %s", keys([world.todo.pk]))

    monkeypatch.setattr("boards.actions.change.ON_CHANGE", [note])
    update_board(actor=world.by_olga, board_id=world.board.pk, title="Landing")
    update_board(actor=world.by_olga, board_id=world.board.pk, title="Landing")
    assert noted == [(world.board.pk, last(world.board).version, True)]
    world.todo.refresh_from_db()
    assert world.todo.title == "Noted"
