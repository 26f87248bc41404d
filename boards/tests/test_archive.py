from datetime import UTC, datetime

import pytest
from time_machine import travel

from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, delete_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.labels import add_label, create_label, update_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, restore_list
from boards.actions.ordering import TOP
from boards.errors import Conflict
from boards.models import Activity, Card
from boards.tests.world import BY_NAME, last
from conftest import hand_over, web

WRITES_OF_A_CARD = [
    "update_card",
    "complete_card",
    "reopen_card",
    "move_card",
    "add_label",
    "remove_label",
    "assign",
    "unassign",
    "create_checklist",
    "rename_checklist",
    "move_checklist",
    "delete_checklist",
    "add_item",
    "update_item",
    "move_item",
    "delete_item",
    "make_item_a_card",
]
COMMENTING = ["add_comment", "edit_comment", "delete_comment"]


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def today():
    with travel("2026-03-10T12:00:00Z", tick=False):
        yield


@pytest.fixture
def weekly(today, todo, olga):
    """Due yesterday, every week."""
    return create_card(
        actor=web(olga),
        list_id=todo.pk,
        title="Water",
        description="All",
        due_at=at("2026-03-09T09:00"),
        recurrence="weekly",
    )


def test_an_archived_card_is_out_of_sight_and_comes_back_in_its_place(todo, card, ed):
    create_card(actor=web(ed), list_id=todo.pk, title="Second")
    archive_card(actor=web(ed), card_id=card.pk)
    assert [row.title for row in todo.cards.open()] == ["Second"]
    restore_card(actor=web(ed), card_id=card.pk)
    assert [row.title for row in todo.cards.open()] == ["Write the announcement", "Second"]


def test_archiving_and_restoring_are_recorded(card, ed):
    archive_card(actor=web(ed), card_id=card.pk)
    assert last(card.board).verb == "card.archived"
    assert list(last(card.board).data) == ["archived_at"]
    restore_card(actor=web(ed), card_id=card.pk)
    assert last(card.board).verb == "card.restored"
    assert last(card.board).data["archived_at"][1] is None


@pytest.fixture(params=["card", "list"])
def archived(request, world):
    """The world's card: archived itself, or with its list."""
    if request.param == "card":
        archive_card(actor=world.by_olga, card_id=world.card.pk)
    else:
        archive_list(actor=world.by_olga, list_id=world.todo.pk)
    return world


def test_writes_on_an_archived_card_are_refused(archived, subtests):
    before = Activity.objects.count()
    for action in WRITES_OF_A_CARD:
        with subtests.test(action=action), pytest.raises(Conflict):
            BY_NAME[action].call(
                archived, archived.by_olga, **{"card_id": archived.card.pk} if action == "reopen_card" else {}
            )
    assert Activity.objects.count() == before


def test_comments_on_an_archived_card_are_allowed(archived, subtests):
    for action in COMMENTING:
        with subtests.test(action=action):
            BY_NAME[action].call(archived, archived.by_olga)
            assert last(archived.board).verb.startswith("comment.")


def test_archiving_an_archived_card_changes_nothing(archived):
    before = Activity.objects.count()
    assert archive_card(actor=archived.by_olga, card_id=archived.card.pk) == (archived.card, None)
    assert Activity.objects.count() == before


def test_the_tables_of_writes_on_a_card_are_complete():
    others = {
        "create_card",
        "copy_card",
        "delete_card",
        "archive_card",
        "restore_card",
        "create_label",
        "update_label",
        "delete_label",
    }
    about_cards = ("_card", "_label", "assign", "_checklist", "_item", "_comment")
    assert {name for name in BY_NAME if name.endswith(about_cards)} - others == {*WRITES_OF_A_CARD, *COMMENTING}


def test_nothing_is_moved_into_an_archived_list(world):
    with pytest.raises(Conflict):
        move_card(actor=world.by_olga, card_id=world.card.pk, list_id=world.gone_list.pk)


@pytest.mark.parametrize("archived_itself", [True, False])
def test_a_card_is_not_restored_into_an_archived_list(card, ed, archived_itself):
    if archived_itself:
        archive_card(actor=web(ed), card_id=card.pk)
    archive_list(actor=web(ed), list_id=card.list_id)
    with pytest.raises(Conflict, match="Restore the list"):
        restore_card(actor=web(ed), card_id=card.pk)


def test_a_recurring_card_makes_its_next_occurrence(weekly, todo, ed):
    archived, following = archive_card(actor=web(ed), card_id=weekly.pk)
    assert (following.title, following.description, following.list) == ("Water", weekly.description, todo)
    assert (following.due_at, following.recurrence, following.completed_at) == (at("2026-03-16T09:00"), "weekly", None)
    assert (following.number, following.version, following.created_by) == (weekly.number + 1, archived.version, ed)
    assert following.search_text == weekly.search_text
    assert list(todo.cards.open()) == [following]


def test_the_recurrence_moves_to_the_next_occurrence(weekly, ed):
    archive_card(actor=web(ed), card_id=weekly.pk)
    weekly.refresh_from_db()
    assert (weekly.recurrence, weekly.recurrence_anchor, weekly.due_at) == ("", None, at("2026-03-09T09:00"))


def test_the_archive_and_its_next_occurrence_are_one_change(weekly, ed):
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    assert last(weekly.board).version == weekly.version + 1
    assert last(weekly.board).data == {
        "archived_at": [None, "2026-03-10T12:00:00Z"],
        "recurrence": ["weekly", ""],
        "next_occurrence_id": [None, str(following.pk)],
    }


def test_archiving_twice_makes_one_next_occurrence(weekly, ed):
    archive_card(actor=web(ed), card_id=weekly.pk)
    assert archive_card(actor=web(ed), card_id=weekly.pk).next is None
    assert Card.objects.count() == 2


def test_the_next_occurrence_has_labels_and_people_and_unticked_checklists(weekly, board, ed, olga):
    label = create_label(actor=web(ed), board_id=board.pk, name="Home")
    add_label(actor=web(ed), card_id=weekly.pk, label_id=label.pk)
    assign(actor=web(ed), card_id=weekly.pk, user_id=olga.pk)
    rooms, _again = (create_checklist(actor=web(ed), card_id=weekly.pk, title=title) for title in ("Rooms", "Again"))
    hall = add_item(actor=web(ed), checklist_id=rooms.pk, text="Hall")
    add_item(actor=web(ed), checklist_id=rooms.pk, text="Bath")
    update_item(actor=web(ed), item_id=hall.pk, done=True)
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    assert (list(following.labels.all()), list(following.assignees.all())) == ([label], [olga])
    assert [row.title for row in following.checklists.all()] == ["Rooms", "Again"]
    assert [(row.text, row.done) for row in following.checklists.first().items.all()] == [
        ("Hall", False),
        ("Bath", False),
    ]
    hall.refresh_from_db()
    assert (hall.done, hall.card) == (True, weekly)


def test_comments_and_the_done_mark_stay_with_the_archived_card(weekly, ed):
    add_comment(actor=web(ed), card_id=weekly.pk, text="Half of them")
    complete_card(actor=web(ed), card_id=weekly.pk)
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    assert (following.comments.count(), following.completed_at) == (0, None)


@pytest.mark.parametrize("fields", [{"recurrence": "weekly"}, {"due_at": at("2026-03-09T09:00")}])
def test_without_recurrence_or_date_there_is_no_next_occurrence(today, todo, ed, fields):
    card = create_card(actor=web(ed), list_id=todo.pk, title="Once", **fields)
    assert archive_card(actor=web(ed), card_id=card.pk).next is None
    assert Card.objects.get().recurrence == fields.get("recurrence", "")


def test_a_series_ends_with_the_calendar(today, todo, ed):
    card = create_card(actor=web(ed), list_id=todo.pk, title="Last", due_at=at("9999-06-01T00:00"), recurrence="yearly")
    assert archive_card(actor=web(ed), card_id=card.pk).next is None


def test_restoring_deletes_a_next_occurrence_that_nobody_changed(weekly, ed):
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    restored = restore_card(actor=web(ed), card_id=weekly.pk).card
    assert list(Card.objects.all()) == [restored]
    assert (restored.recurrence, restored.recurrence_anchor) == ("weekly", weekly.recurrence_anchor)
    assert last(weekly.board).removed == [{"kind": "card", "id": str(following.pk)}]
    assert last(weekly.board).data["recurrence"] == ["", "weekly"]
    assert last(weekly.board).data["next_occurrence_id"] == [str(following.pk), None]


def test_changes_around_a_next_occurrence_do_not_count_as_changes_of_it(weekly, board, todo, ed):
    label = create_label(actor=web(ed), board_id=board.pk, name="Home")
    add_label(actor=web(ed), card_id=weekly.pk, label_id=label.pk)
    archive_card(actor=web(ed), card_id=weekly.pk)
    add_comment(actor=web(ed), card_id=weekly.pk, text="Done early")
    update_label(actor=web(ed), label_id=label.pk, name="Garden")
    archive_list(actor=web(ed), list_id=todo.pk)
    restore_list(actor=web(ed), list_id=todo.pk)
    create_card(actor=web(ed), list_id=todo.pk, title="Another")
    assert restore_card(actor=web(ed), card_id=weekly.pk).card.recurrence == "weekly"
    assert [row.title for row in Card.objects.all()] == ["Water", "Another"]


@pytest.mark.parametrize(
    "touch",
    [
        lambda actor, card: update_card(actor=actor, card_id=card.pk, title="Water more"),
        lambda actor, card: complete_card(actor=actor, card_id=card.pk),
        lambda actor, card: add_comment(actor=actor, card_id=card.pk, text="Soon"),
        lambda actor, card: create_checklist(actor=actor, card_id=card.pk, title="Rooms"),
        lambda actor, card: archive_card(actor=actor, card_id=card.pk),
    ],
    ids=["edited", "completed", "commented", "checklist", "archived"],
)
def test_a_next_occurrence_that_somebody_changed_stays_and_keeps_the_recurrence(weekly, ed, touch):
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    touch(web(ed), following)
    assert restore_card(actor=web(ed), card_id=weekly.pk).card.recurrence == ""
    assert Card.objects.filter(pk=following.pk).exists()
    assert Card.objects.filter(recurrence="weekly").count() == 1


def test_a_card_whose_next_occurrence_stayed_can_recur_again(weekly, ed):
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    complete_card(actor=web(ed), card_id=following.pk)
    restore_card(actor=web(ed), card_id=weekly.pk)
    update_card(actor=web(ed), card_id=weekly.pk, recurrence="daily")
    assert archive_card(actor=web(ed), card_id=weekly.pk).next.due_at == at("2026-03-11T09:00")
    assert restore_card(actor=web(ed), card_id=weekly.pk).card.recurrence == "daily"
    assert Card.objects.count() == 2


def test_a_card_can_be_archived_and_restored_again_and_again(weekly, ed):
    for _time in range(3):
        assert archive_card(actor=web(ed), card_id=weekly.pk).next.due_at == at("2026-03-16T09:00")
        assert restore_card(actor=web(ed), card_id=weekly.pk).card.recurrence == "weekly"
    assert Card.objects.count() == 1


def test_a_next_occurrence_that_went_to_another_board_stays_there(weekly, world, ed):
    following = archive_card(actor=web(ed), card_id=weekly.pk).next
    moved = move_card(actor=web(ed), card_id=following.pk, list_id=world.todo.pk)
    assert restore_card(actor=web(ed), card_id=weekly.pk).card.recurrence == ""
    following.refresh_from_db()
    assert (following.board, following.recurrence) == (world.board, "weekly")
    assert following.version == moved.version == last(world.board).version


def test_deleting_the_archived_card_leaves_the_next_occurrence(weekly, olga):
    following = archive_card(actor=web(olga), card_id=weekly.pk).next
    delete_card(actor=web(olga), card_id=weekly.pk)
    assert list(Card.objects.all()) == [following]


def test_monthly_on_the_31st_is_the_last_day_of_a_shorter_month_then_the_31st_again(todo, ed):
    with travel("2026-01-31T12:00:00Z", tick=False) as clock:
        card = create_card(
            actor=web(ed), list_id=todo.pk, title="Rent", due_at=at("2026-01-31T09:00"), recurrence="monthly"
        )
        due = []
        for _month in range(4):
            card = archive_card(actor=web(ed), card_id=card.pk).next
            due.append(card.due_at.date().isoformat())
            clock.move_to(card.due_at)
    assert due == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]


def test_a_date_set_by_hand_starts_the_series_again(weekly, ed):
    update_card(actor=web(ed), card_id=weekly.pk, due_at=at("2026-03-12T18:00"))
    assert archive_card(actor=web(ed), card_id=weekly.pk).next.due_at == at("2026-03-19T18:00")


def test_a_series_uses_the_time_zone_of_the_boards_owner(todo, olga, ed):
    """Clocks in Berlin go forward on March 29: nine o'clock there is an hour earlier in UTC from then on."""
    olga.time_zone, ed.time_zone = "Europe/Berlin", "America/New_York"
    olga.save()
    ed.save()
    with travel("2026-03-27T12:00:00Z", tick=False):
        card = create_card(
            actor=web(ed), list_id=todo.pk, title="Water", due_at=at("2026-03-27T08:00"), recurrence="weekly"
        )
        assert archive_card(actor=web(ed), card_id=card.pk).next.due_at == at("2026-04-03T07:00")


def test_after_a_transfer_a_series_uses_the_time_zone_of_the_new_owner(board, todo, olga, ed):
    olga.time_zone, ed.time_zone = "Europe/Berlin", "America/New_York"
    olga.save()
    ed.save()
    hand_over(board, ed)
    with travel("2026-03-27T12:00:00Z", tick=False):
        card = create_card(
            actor=web(ed), list_id=todo.pk, title="Water", due_at=at("2026-03-27T08:00"), recurrence="weekly"
        )
        assert archive_card(actor=web(ed), card_id=card.pk).next.due_at == at("2026-04-03T08:00")


def test_comments_on_an_archived_card_can_be_edited_and_deleted(card, ed):
    archive_card(actor=web(ed), card_id=card.pk)
    comment = add_comment(actor=web(ed), card_id=card.pk, text="After the fact")
    assert edit_comment(actor=web(ed), comment_id=comment.pk, text="Later").body == "Later"
    delete_comment(actor=web(ed), comment_id=comment.pk)
    assert not card.comments.exists()


def test_an_archived_card_among_others_keeps_its_place(todo, card, ed):
    second = create_card(actor=web(ed), list_id=todo.pk, title="Second")
    archive_card(actor=web(ed), card_id=card.pk)
    move_card(actor=web(ed), card_id=second.pk, place=TOP)
    restore_card(actor=web(ed), card_id=card.pk)
    assert [row.title for row in todo.cards.open()] == ["Write the announcement", "Second"]
