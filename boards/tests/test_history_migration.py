"""The migration of history from before ids were recorded: it adds the ids that the data allows."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import unassign
from boards.actions.cards.card import create_card, delete_card, update_card
from boards.actions.cards.checklists import move_checklist, move_item
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.labels import add_label, create_label, delete_label, remove_label, update_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import create_list, delete_list, move_list, rename_list
from boards.actions.ordering import TOP
from boards.actions.people.members import change_role, remove_member
from boards.models import Activity, FormerValues
from boards.richtext import from_markdown
from boards.tests.world import history, last
from conftest import hand_over, web

migration = import_module("boards.migrations.0004_history_ids")
NEVER_TOLD = {"next_id", "inviter_id", "hue", "text", "done", "checklist_id", "checklist", "number"}


def bring_over() -> None:
    migration.forward(apps, SimpleNamespace(connection=connection))


def as_it_was_written(line: Activity) -> dict:
    """Return the data that this change would have recorded before ids were."""
    data = dict(line.data)
    former = getattr(line, "former", None)
    for name in ("description", "body"):
        if name in data:
            data[name] = [former.values.get(name) if former else None, "what came then"]
    for name, pair in line.data.items():
        if name == "board_id":
            data["board"] = pair
        if name == "next_occurrence_id":
            data["next"] = pair
        if name.endswith("_id"):
            del data[name]
    if line.verb == "card.moved" and line.data["list_id"][0] == line.data["list_id"][1]:
        del data["list"]
    if line.verb == "card.deleted":
        del data["list"]
    if line.verb == "member.changed":
        data["member"] = [None, data["member"][1]]
    if line.verb in ("member.removed", "member.left", "comment.deleted", "label.deleted", "item.created"):
        data = {name: pair for name, pair in data.items() if name in ("member", "body")}
    if line.verb.endswith(".moved"):
        data.pop("next_id", None)
        data["position"] = [1, 2]
    return data


@pytest.fixture
def lived_in(world):
    """A board with a history: renamed lists and labels, new and former members, deleted rows."""
    me, board = world.by_olga, world.board
    card = create_card(actor=me, list_id=world.todo.pk, title="Much moved")
    move_card(actor=me, card_id=card.pk, list_id=world.doing.pk)
    rename_list(actor=me, list_id=world.doing.pk, title="In progress")
    move_card(actor=me, card_id=card.pk, list_id=world.todo.pk)
    move_card(actor=me, card_id=card.pk, place=TOP)
    review = create_list(actor=me, board_id=board.pk, title="Doing")
    move_card(actor=me, card_id=card.pk, list_id=review.pk)
    move_list(actor=me, list_id=review.pk, place=TOP)
    update_label(actor=me, label_id=world.chore.pk, name="Errand")
    add_label(actor=me, card_id=card.pk, label_id=world.chore.pk)
    remove_label(actor=me, card_id=card.pk, label_id=world.chore.pk)
    chore = create_label(actor=me, board_id=board.pk, name="Chore")
    add_label(actor=me, card_id=card.pk, label_id=chore.pk)
    delete_label(actor=me, label_id=chore.pk)
    for description in ("First", "Second", ""):
        update_card(actor=me, card_id=card.pk, description=description)
    unassign(actor=me, card_id=world.card.pk, user_id=world.ed.pk)
    edit_comment(actor=web(world.ed), comment_id=world.comments[world.ed].pk, text="Better")
    delete_comment(actor=me, comment_id=world.comments[world.ed].pk)
    move_checklist(actor=me, checklist_id=world.checks.pk, place=TOP)
    move_item(actor=me, item_id=world.item_two.pk, place=TOP)
    change_role(actor=me, board_id=board.pk, user_id=world.will.pk, role="editor")
    add_comment(actor=web(world.will), card_id=world.card.pk, text="Who is told of by no line of his own is unknown")
    remove_member(actor=me, board_id=board.pk, user_id=world.will.pk)
    remove_member(actor=web(world.vera), board_id=board.pk, user_id=world.vera.pk)
    other = create_board(actor=me, title="Other", template="kanban")
    move_card(actor=me, card_id=card.pk, list_id=other.lists.first().pk)
    archive_card(actor=me, card_id=card.pk)
    restore_card(actor=me, card_id=card.pk)
    delete_card(actor=me, card_id=world.gone_card.pk)
    delete_list(actor=me, list_id=world.gone_list.pk)
    hand_over(board, world.ed)
    return world


def test_every_line_gets_the_ids_that_its_data_allows(lived_in, subtests):
    lines = list(Activity.objects.select_related("former"))
    assert {"card.moved", "card.left", "card.arrived", "member.left", "label.deleted"} <= {line.verb for line in lines}
    written = {line.pk: line.data for line in lines}
    kept = dict(FormerValues.objects.values_list("pk", "values"))
    for line in lines:
        Activity.objects.filter(pk=line.pk).update(data=as_it_was_written(line))
    FormerValues.objects.all().delete()
    bring_over()
    for line in Activity.objects.exclude(verb="card.deleted").exclude(board=lived_in.attic):
        with subtests.test(verb=line.verb, version=line.version):
            told = {name: pair for name, pair in written[line.pk].items() if name not in NEVER_TOLD}
            assert {name: pair for name, pair in line.data.items() if name not in NEVER_TOLD} == told
    texts = {
        pk: {name: text for name, text in values.items() if name in ("description", "body")}
        for pk, values in kept.items()
    }
    assert dict(FormerValues.objects.values_list("pk", "values")) == {
        pk: values for pk, values in texts.items() if values
    }


def test_migrating_a_second_time_changes_nothing(lived_in):
    before = list(Activity.objects.order_by("pk").values_list("pk", "data"))
    former = FormerValues.objects.count()
    bring_over()
    assert list(Activity.objects.order_by("pk").values_list("pk", "data")) == before
    assert FormerValues.objects.count() == former


def test_a_name_that_two_lists_or_people_share_stays_a_name(board, todo, card, olga, ed):
    twin = create_list(actor=web(olga), board_id=board.pk, title="Doing")
    create_list(actor=web(olga), board_id=board.pk, title="Doing")
    move_card(actor=web(olga), card_id=card.pk, list_id=twin.pk)
    moved = last(board)
    Activity.objects.filter(pk=moved.pk).update(data={"list": ["To do", "Doing"], "position": [1, 2]})
    ed.name = "Olga"
    ed.save()
    added = next(line for line in history(board) if line.verb == "member.added")
    Activity.objects.filter(pk=added.pk).update(data={"member": [None, "Olga"], "role": [None, "editor"]})
    bring_over()
    moved.refresh_from_db()
    added.refresh_from_db()
    assert moved.data == {"list": ["To do", "Doing"]}
    assert added.data == {"member": [None, "Olga"], "role": [None, "editor"]}


def test_a_long_text_is_stored_once(card, olga):
    update_card(actor=web(olga), card_id=card.pk, description="New")
    line = last(card.board)
    Activity.objects.filter(pk=line.pk).update(data={"description": [from_markdown("Old"), from_markdown("New")]})
    bring_over()
    line.refresh_from_db()
    assert line.data == {"description": None}
    assert line.former.values == {"description": from_markdown("Old")}
