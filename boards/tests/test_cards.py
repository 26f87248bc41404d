from datetime import UTC, datetime, timedelta

import pytest

from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, delete_card, reopen_card, update_card
from boards.actions.cards.checklists import create_checklist, rename_checklist
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list
from boards.actions.ordering import TOP, Place
from boards.errors import Conflict, Invalid, NotFound
from boards.models import Activity, Card
from boards.richtext import from_markdown, to_markdown
from boards.tests.world import last
from conftest import web
from core.text.folding import fold

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_a_new_card_is_at_the_end_of_its_list(todo, card, ed):
    second = create_card(actor=web(ed), list_id=todo.pk, title=" Second ")
    assert [row.title for row in todo.cards.all()] == ["Write the announcement", "Second"]
    assert (second.created_by, second.number, second.version) == (ed, 2, last(todo.board).version)


def test_without_a_list_a_card_goes_to_the_first_open_list(board, todo, doing, ed):
    archive_list(actor=web(ed), list_id=todo.pk)
    assert create_card(actor=web(ed), board_id=board.pk, title="Here").list == doing


def test_a_list_wins_over_a_board(board, todo, doing, ed, stan):
    assert create_card(actor=web(ed), board_id=stan.pk, list_id=doing.pk, title="Here").list == doing


def test_a_board_without_lists_says_so(board, ed):
    with pytest.raises(NotFound, match="Add a list"):
        create_card(actor=web(ed), board_id=board.pk, title="Nowhere")


def test_an_archived_list_takes_no_cards(todo, ed):
    archive_list(actor=web(ed), list_id=todo.pk)
    with pytest.raises(NotFound):
        create_card(actor=web(ed), list_id=todo.pk, title="Nowhere")


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 501}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"title": None}, "title"),
        ({"description": "x" * 20_001}, "description"),
        ({"description": 7}, "description"),
        ({"description": "nul \0"}, "description"),
        ({"recurrence": "hourly"}, "recurrence"),
    ],
)
def test_an_invalid_card_is_neither_created_nor_changed(todo, card, ed, wrong, field):
    for action, where in ((create_card, {"list_id": todo.pk, "title": "New"}), (update_card, {"card_id": card.pk})):
        with pytest.raises(Invalid) as refusal:
            action(actor=web(ed), **where | wrong)
        assert refusal.value.field == field
    assert Card.objects.get() == card
    assert last(todo.board).version == card.version


def test_a_card_keeps_everything_it_was_given(todo, ed):
    card = create_card(
        actor=web(ed), list_id=todo.pk, title="New", description="Do *it*", due_at=NOON, recurrence="weekly"
    )
    card.refresh_from_db()
    assert card.description == from_markdown("Do *it*")
    assert (card.due_at, card.recurrence, card.recurrence_anchor) == (NOON, "weekly", NOON)
    assert last(todo.board).data == {"list": [None, "To do"], "list_id": [None, str(todo.pk)]}


def test_card_numbers_are_not_reused(todo, card, olga):
    archive_card(actor=web(olga), card_id=card.pk)
    delete_card(actor=web(olga), card_id=card.pk)
    assert create_card(actor=web(olga), list_id=todo.pk, title="New").number == card.number + 1


def test_an_edit_records_old_and_new_of_what_changed(card, ed):
    update_card(actor=web(ed), card_id=card.pk, title="Sign off", description="Now", due_at=NOON)
    assert last(card.board).data == {
        "title": ["Write the announcement", "Sign off"],
        "description": None,
        "due_at": [None, "2026-12-01T12:00:00Z"],
    }


def test_an_edit_is_one_change(card, ed):
    changed = update_card(actor=web(ed), card_id=card.pk, title="Sign off", description="Now", recurrence="daily")
    assert changed.version == card.version + 1


def test_the_same_values_again_change_nothing(card, ed):
    fields = {"title": "Sign off", "description": "Now *or* never", "due_at": NOON, "recurrence": "daily"}
    first = update_card(actor=web(ed), card_id=card.pk, **fields)
    assert update_card(actor=web(ed), card_id=card.pk, **fields).version == first.version


def test_nothing_given_changes_nothing(card, ed):
    assert update_card(actor=web(ed), card_id=card.pk).version == card.version


def test_none_clears_a_field(card, ed):
    update_card(actor=web(ed), card_id=card.pk, description="Now", due_at=NOON, recurrence="daily")
    cleared = update_card(actor=web(ed), card_id=card.pk, description=None, due_at=None, recurrence=None)
    assert (cleared.description, cleared.due_at, cleared.recurrence) == (None, None, "")
    assert cleared.recurrence_anchor is None


def test_a_title_cannot_be_cleared(card, ed):
    with pytest.raises(Invalid):
        update_card(actor=web(ed), card_id=card.pk, title=None)


def test_markdown_that_means_the_same_changes_nothing(card, ed):
    first = update_card(actor=web(ed), card_id=card.pk, description="Now")
    assert update_card(actor=web(ed), card_id=card.pk, description="\nNow\r\n\n").version == first.version


def test_the_web_editor_sends_the_document_itself(card, ed):
    changed = update_card(actor=web(ed), card_id=card.pk, document=from_markdown("From the **editor**"))
    assert changed.description == from_markdown("From the **editor**")
    assert update_card(actor=web(ed), card_id=card.pk, document=None).description is None


def test_the_document_wins_over_markdown(card, ed):
    changed = update_card(actor=web(ed), card_id=card.pk, description="Markdown", document=from_markdown("Document"))
    assert changed.description == from_markdown("Document")


@pytest.mark.parametrize(
    "document", [{}, "text", {"type": "doc", "content": [{"type": "image"}]}, {"type": "paragraph"}]
)
def test_a_document_outside_the_schema_is_refused(card, ed, document):
    with pytest.raises(Invalid) as refusal:
        update_card(actor=web(ed), card_id=card.pk, document=document)
    assert refusal.value.field == "description"
    assert Card.objects.get().version == card.version


def test_a_document_is_kept_in_its_canonical_form(card, ed):
    """The editor may split the same text differently. That is the same description, and no change."""
    split = {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": t} for t in "No"]}]}
    first = update_card(actor=web(ed), card_id=card.pk, description="No")
    assert update_card(actor=web(ed), card_id=card.pk, document=split).version == first.version


def test_a_document_whose_markdown_is_too_long_is_refused(card, ed):
    with pytest.raises(Invalid) as refusal:
        update_card(actor=web(ed), card_id=card.pk, document=from_markdown("x" * 20_001))
    assert refusal.value.field == "description"


@pytest.fixture
def long_card(card):
    """A card whose Markdown is longer than the limit, because the limit counts what was sent, which was shorter."""
    Card.objects.filter(pk=card.pk).update(description=from_markdown("x" * 20_001))
    card.refresh_from_db()
    assert len(to_markdown(card.description)) > 20_000
    return card


def test_a_description_read_and_sent_back_is_never_refused(long_card, ed):
    for sent in ({"description": to_markdown(long_card.description)}, {"document": long_card.description}):
        changed = update_card(actor=web(ed), card_id=long_card.pk, title=f"With {next(iter(sent))}", **sent)
        assert changed.description == long_card.description
        assert "description" not in last(long_card.board).data


def test_a_browser_that_sends_crlf_is_not_refused_either(card, ed):
    description = from_markdown("x" * 19_998 + "\n\ny\n\nz")
    Card.objects.filter(pk=card.pk).update(description=description)
    sent = to_markdown(description).replace("\n", "\r\n")
    assert update_card(actor=web(ed), card_id=card.pk, description=sent).version == card.version


def test_an_overlong_description_cannot_grow(long_card, ed):
    with pytest.raises(Invalid):
        update_card(actor=web(ed), card_id=long_card.pk, description=to_markdown(long_card.description) + "x")


def test_the_search_text_follows_title_and_description(todo, ed):
    card = create_card(actor=web(ed), list_id=todo.pk, title="STRASSE", description="**Bold**")
    assert fold("straße") in card.search_text
    assert "bold" in card.search_text
    card = update_card(actor=web(ed), card_id=card.pk, title="Weg")
    assert "bold" in card.search_text
    card = update_card(actor=web(ed), card_id=card.pk, description="Thin")
    card.refresh_from_db()
    assert "weg" in card.search_text
    assert "thin" in card.search_text
    assert "bold" not in card.search_text


def test_another_name_of_a_checklist_is_no_change_of_the_cards_title(olga, ed, card):
    steps = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    read = Card.objects.get(pk=card.pk).version
    rename_checklist(actor=web(olga), checklist_id=steps.pk, title="Stages")
    assert update_card(actor=web(ed), card_id=card.pk, title="Mine", if_version=read).title == "Mine"


def test_an_edit_of_the_current_version_succeeds(card, ed):
    changed = update_card(actor=web(ed), card_id=card.pk, title="Mine", if_version=card.version)
    assert changed.title == "Mine"


def test_an_edit_of_a_field_that_was_changed_meanwhile_is_refused_with_the_present_state(card, ed, olga):
    update_card(actor=web(olga), card_id=card.pk, title="Hers")
    with pytest.raises(Conflict) as refusal:
        update_card(actor=web(ed), card_id=card.pk, title="His", if_version=card.version)
    assert refusal.value.current.title == "Hers"
    assert Card.objects.get(pk=card.pk).title == "Hers"


@pytest.mark.parametrize("field, value", [("description", "His"), ("due_at", NOON), ("recurrence", "daily")])
def test_an_edit_of_a_field_that_was_not_changed_meanwhile_succeeds(card, ed, olga, field, value):
    update_card(actor=web(olga), card_id=card.pk, title="Hers")
    changed = update_card(actor=web(ed), card_id=card.pk, if_version=card.version, **{field: value})
    assert (changed.title, bool(getattr(changed, field))) == ("Hers", True)


def test_a_change_of_any_of_the_edited_fields_is_noticed(card, ed, olga):
    both = {"description": ("Hers", "His"), "due_at": (NOON, NOON + timedelta(1)), "recurrence": ("daily", "weekly")}
    for field, (hers, his) in both.items():
        update_card(actor=web(olga), card_id=card.pk, **{field: hers})
        with pytest.raises(Conflict):
            update_card(actor=web(ed), card_id=card.pk, if_version=card.version, **{field: his})


def test_a_card_that_loses_its_due_date_stops_repeating(card, ed):
    update_card(actor=web(ed), card_id=card.pk, due_at=NOON, recurrence="weekly")
    assert update_card(actor=web(ed), card_id=card.pk, due_at=None).recurrence == ""
    assert last(card.board).data["recurrence"] == ["weekly", ""]


def test_the_same_edit_by_somebody_else_is_not_a_conflict(card, ed, olga):
    hers = update_card(actor=web(olga), card_id=card.pk, title="Same")
    assert update_card(actor=web(ed), card_id=card.pk, title="Same", if_version=card.version).version == hers.version


def test_changes_of_other_cards_are_not_a_conflict(todo, card, ed):
    create_card(actor=web(ed), list_id=todo.pk, title="Another")
    assert update_card(actor=web(ed), card_id=card.pk, title="Mine", if_version=card.version).title == "Mine"


def test_a_version_that_the_board_has_not_reached_is_refused(card, ed):
    """Such a version was read on another board, before the card was moved here."""
    with pytest.raises(Conflict):
        update_card(actor=web(ed), card_id=card.pk, title="Mine", if_version=card.version + 100)


def test_a_card_is_completed_and_reopened(card, ed):
    assert complete_card(actor=web(ed), card_id=card.pk).completed_at is not None
    assert last(card.board).data["completed_at"][0] is None
    assert reopen_card(actor=web(ed), card_id=card.pk).completed_at is None
    assert [line.verb for line in Activity.objects.filter(card_id=card.pk)[:2]] == ["card.reopened", "card.completed"]


def test_completing_twice_keeps_the_first_moment(card, ed):
    first = complete_card(actor=web(ed), card_id=card.pk)
    assert complete_card(actor=web(ed), card_id=card.pk).completed_at == first.completed_at


def test_editing_and_moving_set_the_time_of_the_last_update(card, ed, todo):
    create_card(actor=web(ed), list_id=todo.pk, title="Another")
    edited = update_card(actor=web(ed), card_id=card.pk, title="Mine")
    moved = move_card(actor=web(ed), card_id=card.pk)
    assert card.updated_at < edited.updated_at < moved.updated_at
    assert move_card(actor=web(ed), card_id=card.pk, place=TOP).created_at == card.created_at


def test_only_an_archived_card_is_deleted_permanently(card, olga):
    with pytest.raises(Conflict):
        delete_card(actor=web(olga), card_id=card.pk)
    assert Card.objects.filter(pk=card.pk).exists()


def test_a_deleted_card_is_named_in_the_activity(card, olga):
    archive_card(actor=web(olga), card_id=card.pk)
    delete_card(actor=web(olga), card_id=card.pk)
    assert last(card.board).removed == [{"kind": "card", "id": str(card.pk)}]
    assert last(card.board).subject["title"] == "Write the announcement"


def test_a_card_in_an_archived_list_counts_as_archived_for_deleting_too(card, olga):
    archive_list(actor=web(olga), list_id=card.list_id)
    delete_card(actor=web(olga), card_id=card.pk)
    assert not Card.objects.exists()


@pytest.mark.parametrize(
    "where, expected", [("before", ["Other", "Write the announcement"]), ("after", ["Write the announcement", "Other"])]
)
def test_a_card_is_created_beside_another(card, ed, where, expected):
    create_card(actor=web(ed), list_id=card.list_id, title="Last")
    create_card(actor=web(ed), list_id=card.list_id, title="Other", place=Place(where, card.pk))
    assert [row.title for row in Card.objects.all()] == [*expected, "Last"]
