"""The content of the file."""

import io
import json
from datetime import UTC, date, datetime

import pytest
from jsonschema import Draft202012Validator

from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.cards.moves import move_card
from boards.actions.lists.list import archive_list, create_list, move_list
from boards.actions.ordering import TOP
from boards.actions.people.members import remove_member
from boards.actions.sharing.invitations import invite_member
from boards.models.card_parts import CARD_PARTS
from boards.reader import Reader
from boards.richtext import from_markdown, to_markdown
from conftest import person, web
from exporter.json_export import write_export
from exporter.tests.conftest import SCHEMA, cards_of, checked, titles

pytestmark = pytest.mark.django_db(transaction=True)

EVERY_NODE = """# One

###### Six

plain **bold** *italic* ~~gone~~ `code` [link](https://example.com/)\\
next line

- a
  - b

3. three
4. four

- [ ] open
- [x] done

> quoted

```python
print("x")
```

---"""


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_the_head_says_whose_export_it_is(export_of, olga):
    olga.language, olga.time_zone = "pt-br", "America/Sao_Paulo"
    olga.save()
    export = export_of(olga)
    assert list(export) == ["format", "version", "exportedAt", "user", "boards"]
    assert export["user"] == {
        "id": str(olga.pk),
        "name": "Olga",
        "email": "olga@example.com",
        "language": "pt-BR",
        "timeZone": "America/Sao_Paulo",
        "plan": "free",
    }
    assert export["boards"] == []


def test_a_board_with_one_of_everything_is_exported_in_full(export_of, olga, ed, vera, board, todo, card):
    update_card(
        actor=web(olga),
        card_id=card.pk,
        description="Say **it**",
        due_at=datetime(2026, 12, 1, 9, tzinfo=UTC),
        recurrence="weekly",
    )
    complete_card(actor=web(olga), card_id=card.pk)
    label = create_label(actor=web(olga), board_id=board.pk, name="Bug", hue=1)
    add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    checklist = create_checklist(actor=web(olga), card_id=card.pk, title="Steps")
    items = [add_item(actor=web(olga), checklist_id=checklist.pk, text=text) for text in ("one", "two")]
    update_item(actor=web(olga), item_id=items[1].pk, done=True)
    comment = add_comment(actor=web(ed), card_id=card.pk, text="First")
    edit_comment(actor=web(ed), comment_id=comment.pk, text="First, edited")
    add_comment(actor=web(olga), card_id=card.pk, text="Second")
    [exported] = export_of(olga)["boards"]
    [row] = exported["lists"]
    [found] = row["cards"]
    assert list(exported)[:7] == ["id", "title", "url", "color", "role", "createdAt", "archivedAt"]
    assert (exported["title"], exported["color"], exported["role"]) == ("Launch", "blue", "owner")
    assert exported["url"] == board.get_absolute_url()
    assert [(one["name"], one["role"]) for one in exported["members"]] == [
        ("Olga", "owner"),
        ("Ed", "editor"),
        ("Vera", "viewer"),
    ]
    assert exported["labels"] == [{"id": str(label.pk), "name": "Bug", "color": "red"}]
    assert (row["id"], row["title"], row["archivedAt"]) == (str(todo.pk), "To do", None)
    assert (found["number"], found["title"], found["description"]) == (1, "Write the announcement", "Say **it**")
    assert (found["dueDate"], found["recurrence"]) == ("2026-12-01T09:00:00Z", "weekly")
    assert found["recurrenceAnchor"] == "2026-12-01T09:00:00Z"
    assert (found["dueDay"], found["startDate"]) == (None, None)
    assert found["completed"] is True
    assert found["completedAt"] is not None
    assert found["createdBy"] == {"id": str(olga.pk), "name": "Olga"}
    assert (found["labelIds"], found["assigneeIds"]) == ([str(label.pk)], [str(ed.pk)])
    assert found["checklists"] == [
        {
            "id": str(checklist.pk),
            "title": "Steps",
            "items": [
                {"id": str(items[0].pk), "text": "one", "done": False},
                {"id": str(items[1].pk), "text": "two", "done": True},
            ],
        }
    ]
    assert [(one["author"]["name"], one["body"]) for one in found["comments"]] == [
        ("Ed", "First, edited"),
        ("Olga", "Second"),
    ]
    assert [one["editedAt"] is None for one in found["comments"]] == [False, True]
    assert found["attachments"] == []


def test_the_parts_of_a_card_come_with_that_card(export_of, olga, board, todo, doing):
    """Boards, lists and cards stand in another order than they were created in, each with parts of its own."""
    other = create_board(actor=web(olga), title="Other", template="kanban")
    expected = {}
    for number in range(12):
        row = (todo, doing, other.lists.first())[number % 3]
        card = create_card(actor=web(olga), list_id=row.pk, title=f"Card {number}")
        for place in range(number % 4):
            checklist = create_checklist(actor=web(olga), card_id=card.pk, title=f"{number}.{place}")
            add_item(actor=web(olga), checklist_id=checklist.pk, text=f"item {number}.{place}")
            add_comment(actor=web(olga), card_id=card.pk, text=f"comment {number}.{place}")
        label = create_label(actor=web(olga), board_id=row.board_id, name=f"L{number}")
        add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
        assign(actor=web(olga), card_id=card.pk, user_id=olga.pk)
        expected[card.title] = (number % 4, [str(label.pk)])
        move_card(actor=web(olga), card_id=card.pk, place=TOP)
    move_list(actor=web(olga), list_id=doing.pk, place=TOP)
    export = export_of(olga)
    assert titles(export["boards"]) == ["Launch", "Other"]
    assert titles(export["boards"][0]["lists"]) == ["Doing", "To do"]
    assert titles(export["boards"][0]["lists"][1]["cards"]) == ["Card 9", "Card 6", "Card 3", "Card 0"]
    for card in cards_of(export):
        hanging, labels = expected[card["title"]]
        number = card["title"].removeprefix("Card ")
        assert titles(card["checklists"]) == [f"{number}.{place}" for place in range(hanging)]
        assert [one["items"][0]["text"] for one in card["checklists"]] == [
            f"item {number}.{place}" for place in range(hanging)
        ]
        assert [one["body"] for one in card["comments"]] == [f"comment {number}.{place}" for place in range(hanging)]
        assert (card["labelIds"], card["assigneeIds"]) == (labels, [str(olga.pk)])


def test_archived_things_are_exported(export_of, olga, board, todo, doing, card):
    create_card(actor=web(olga), list_id=doing.pk, title="In an archived list")
    archive_card(actor=web(olga), card_id=card.pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    archive_board(actor=web(olga), board_id=board.pk)
    [exported] = export_of(olga)["boards"]
    assert exported["archivedAt"] is not None
    assert [row["archivedAt"] is None for row in exported["lists"]] == [True, False]
    assert [card["archivedAt"] is None for card in cards_of({"boards": [exported]})] == [False, True]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pt-br", "ja", "zh-hans"])
def test_text_in_every_language_comes_back(export_of, olga, language):
    olga.language = language
    olga.save()
    board = create_board(actor=web(olga), title="Größe · été · ñ · ação · 看板", template="content")
    [exported] = export_of(olga)["boards"]
    assert exported["title"] == board.title
    assert titles(exported["lists"]) == list(board.lists.values_list("title", flat=True))


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦 🇩🇪", "مرحبا بالعالم", "שלום", '"\\/\u2028x', "a\u0301 á", "<b>&amp;"])
def test_any_text_comes_back(export_of, olga, todo, text):
    card = create_card(actor=web(olga), list_id=todo.pk, title=text, description=text)
    add_comment(actor=web(olga), card_id=card.pk, text=text)
    [found] = cards_of(export_of(olga))
    assert found["title"] == text
    assert found["description"] == to_markdown(from_markdown(text))
    assert found["comments"][0]["body"] == text


def test_every_node_of_rich_text_is_exported(export_of, olga, todo):
    create_card(actor=web(olga), list_id=todo.pk, title="Rich", description=EVERY_NODE)
    [found] = cards_of(export_of(olga))
    assert from_markdown(found["description"]) == from_markdown(EVERY_NODE)


def test_former_members_are_named_without_their_address(export_of, olga, ed, board, card):
    ed.name = ""
    ed.save()
    add_comment(actor=web(ed), card_id=card.pk, text="Bye")
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    export = export_of(olga)
    [found] = cards_of(export)
    assert found["comments"][0]["author"] == {"id": str(ed.pk), "name": "ed"}
    assert "ed@example.com" not in str(export)
    assert "vera@example.com" not in str(export)


def test_boards_of_others_are_exported_to_their_members(export_of, vera, board, card):
    [exported] = export_of(vera)["boards"]
    assert (exported["role"], titles(cards_of({"boards": [exported]}))) == ("viewer", ["Write the announcement"])


def test_boards_of_strangers_are_not_exported(export_of, stan, board, card):
    create_board(actor=web(stan), title="Stan's")
    assert titles(export_of(stan)["boards"]) == ["Stan's"]


def test_the_memberships_of_others_repeat_nothing(export_of, olga, board, card):
    for name in ("a", "b", "c"):
        create_board(actor=web(person(name)), title="theirs")
    assert titles(cards_of(export_of(olga))) == ["Write the announcement"]


def test_an_empty_list_is_exported(export_of, olga, board):
    create_list(actor=web(olga), board_id=board.pk, title="Empty")
    assert export_of(olga)["boards"][0]["lists"][0]["cards"] == []


def test_what_narrows_a_reader_narrows_the_export(olga, board, card):
    create_board(actor=web(olga), title="Private")
    file = io.StringIO()
    write_export(Reader(olga, boards=frozenset({board.pk})), file)
    assert titles(checked(file.getvalue())["boards"]) == ["Launch"]


def test_an_exported_card_has_a_key_for_every_kind_of_card_part(export_of, olga, card):
    [exported] = cards_of(export_of(olga))
    assert {part.exported_as for part in CARD_PARTS} <= exported.keys()


def test_a_board_to_which_one_is_invited_is_not_in_the_export_nor_are_invitations_that_one_sent(
    export_of, board, olga, stan
):
    invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    assert export_of(stan)["boards"] == []
    assert "stan@example.com" not in json.dumps(export_of(olga))


def test_a_whole_day_and_a_start_are_exported_as_dates(olga, todo, export_of):
    create_card(
        actor=web(olga), list_id=todo.pk, title="Print", due_day=date(2026, 12, 1), start_day=date(2026, 11, 28)
    )
    [found] = export_of(olga)["boards"][0]["lists"][0]["cards"]
    assert (found["dueDate"], found["dueDay"]) == ("2026-12-01T23:59:59Z", "2026-12-01")
    assert found["startDate"] == "2026-11-28"
