"""The way back in is complete: export, import into a fresh account, export again."""

import copy
import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from time_machine import travel
from uuid_utils.compat import uuid7

from accounts.models import Plan
from boards.actions import imports
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.files.attachments import attach_file, set_cover_picture
from boards.actions.imports import import_board
from boards.actions.lists.list import archive_list, limit_list
from boards.losses import Loss
from boards.models import Attachment, Card, Comment, Membership
from boards.outlines import (
    BoardOutline,
    CardOutline,
    ChecklistOutline,
    CommentOutline,
    FileOutline,
    ItemOutline,
    LabelOutline,
    ListOutline,
)
from boards.recurrence import Recurrence
from boards.richtext import check, pictures_in, to_markdown
from boards.tests.filled_card import filled_card
from boards.tests.richtext_strategies import documents
from boards.tests.world import a_picture
from boards.text import COMMENT
from conftest import person, web
from core.files.storage import open_file, store
from core.http.outgoing import Unreachable
from importer.formats import own
from importer.formats.source import Unreadable
from importer.report import Report
from importer.tests.circle import bare, exported, import_all, importing, source_of, zip_of
from importer.tests.reading import boards_of

TEXT = """# Häuser 🏡

| a | b |
|---|---|
| 1 | *2* |

- [ ] שלום
- [x] done

> `code` ~~old~~ [link](https://example.com/a_(b))

```python
x = 1
```
"""


@pytest.fixture
def filled(board, todo, olga, ed, transactional_db):
    """A board with something of everything."""
    card = filled_card(olga, ed, todo, "Ein Titel mit <b>&amp; Ümläuten 漢字")
    update_card(
        actor=web(olga),
        card_id=card.pk,
        description=TEXT,
        start_day=timezone.now().date() - timedelta(days=9),
        cover_hue=3,
    )
    whole = create_card(
        actor=web(ed), list_id=todo.pk, title="A day", due_day=timezone.now().date(), recurrence="monthly"
    )
    update_card(
        actor=web(olga), card_id=card.pk, description=f"{TEXT}\n/board/{board.pk}?card={whole.pk} and /board/{board.pk}"
    )
    comment = add_comment(actor=web(olga), card_id=card.pk, text="First **words**")
    edit_comment(actor=web(olga), comment_id=comment.pk, text="Other words")
    archive_card(actor=web(olga), card_id=create_card(actor=web(olga), list_id=todo.pk, title="Old").pk)
    limit_list(actor=web(olga), list_id=todo.pk, card_limit=3)
    kept = create_board(actor=web(olga), title="Archived", template="kanban")
    create_card(actor=web(olga), list_id=kept.lists.first().pk, title="There")
    archive_list(actor=web(olga), list_id=kept.lists.last().pk)
    archive_board(actor=web(olga), board_id=kept.pk)
    return board


def test_an_import_of_an_export_exports_the_same(filled, olga, ed, stan, tmp_path):
    Card.objects.filter(created_by=ed).update(created_by=olga)
    Comment.objects.filter(author=ed).update(author=olga)
    for row in Card.objects.all():
        row.assignments.exclude(user=olga).delete()
    before = exported(olga)
    report = import_all(stan, source_of(before, tmp_path), mine=[str(olga.pk)])
    assert report.as_json() == []
    assert bare(exported(stan)) == bare(before)
    assert Membership.objects.filter(user=stan).count() == len(before["boards"])


@pytest.fixture
def monthly(todo, olga, transactional_db):
    """A card that is due on February 28, of a series that began on January 31."""
    with travel("2026-01-31T12:00:00Z", tick=False):
        card = create_card(
            actor=web(olga), list_id=todo.pk, title="Pay", due_day=date(2026, 1, 31), recurrence="monthly"
        )
        yield archive_card(actor=web(olga), card_id=card.pk).next


def test_a_series_goes_on_from_its_first_date(monthly, olga, stan, tmp_path):
    import_all(stan, source_of(exported(olga), tmp_path))
    made = Card.objects.get(board__memberships__user=stan, archived_at=None)
    assert made.due_day == date(2026, 2, 28)
    assert archive_card(actor=web(stan), card_id=made.pk).next.due_day == date(2026, 3, 31)


@pytest.mark.parametrize("anchor", [None, "2026-03-31T00:00:00Z"])
def test_a_series_without_a_first_date_before_it_begins_with_the_due_date(monthly, olga, stan, tmp_path, anchor):
    export = exported(olga)
    for card in export["boards"][0]["lists"][0]["cards"]:
        card["recurrenceAnchor"] = anchor
    import_all(stan, source_of(export, tmp_path))
    made = Card.objects.get(board__memberships__user=stan, archived_at=None)
    assert made.recurrence_anchor == datetime(2026, 2, 28, tzinfo=UTC)


@pytest.fixture
def talkative(card, olga, transactional_db):
    """An export whose only card has 300 comments of the greatest length."""
    add_comment(actor=web(olga), card_id=card.pk, text="Long")
    export = exported(olga)
    [found] = export["boards"][0]["lists"][0]["cards"]
    found["comments"] = [comment | {"body": "x" * COMMENT} for comment in found["comments"]] * 300
    return export


def test_a_card_of_many_long_comments_comes_back(talkative, tmp_path):
    [board] = boards_of(own, source_of(talkative, tmp_path), Report())
    assert len(board.cards[0].comments) == 300


def test_a_card_of_endless_comments_is_refused(talkative, tmp_path, monkeypatch):
    monkeypatch.setattr(own, "LONGEST_CARD", 300 * COMMENT)
    with pytest.raises(Unreadable, match="far too large"):
        list(boards_of(own, source_of(talkative, tmp_path), Report()))


def test_long_comments_of_one_card_take_several_transactions(olga, transactional_db, monkeypatch):
    monkeypatch.setattr(imports, "TEXTS", 3)
    card = CardOutline("a", "Card", comments=[CommentOutline(letter) for letter in "abcdefghi"])
    written = []
    import_board(
        actor=importing(olga),
        outline=BoardOutline("Board", lists=[ListOutline("a", "List")], cards=[card]),
        mine=(),
        losses=Report(),
        source="Trello",
        progress=written.append,
    )
    assert written == [1, 1, 1]
    assert [comment.body for comment in Comment.objects.order_by("created_at", "pk")] == [*"abcdefghi"]


def test_a_file_that_can_be_read_only_once_is_named_in_the_text(olga, transactional_db):
    answers = iter([io.BytesIO(b"spade")])

    def open_once():
        if answer := next(answers, None):
            return answer
        raise Unreachable("planka.example.com: 429")

    files = [FileOutline("spade.txt", open_once), FileOutline("rake.txt", lambda: io.BytesIO(b"rake"))]
    import_board(
        actor=importing(olga),
        outline=BoardOutline(
            "Board", lists=[ListOutline("a", "List")], cards=[CardOutline("a", "Card", description="Dig", files=files)]
        ),
        mine=(),
        losses=Report(),
        source="Planka",
    )
    card = Card.objects.get()
    assert to_markdown(card.description) == "Dig\n\nspade.txt"
    assert [attachment.file_name for attachment in card.attachments.all()] == ["rake.txt"]


def test_a_board_that_stands_twice_in_a_file_is_imported_once(todo, olga, stan, tmp_path, transactional_db):
    create_card(actor=web(olga), list_id=todo.pk, title="Card")
    export = exported(olga)
    export["boards"] *= 2
    assert import_all(stan, source_of(export, tmp_path)).counts == {Loss.DUPLICATE: 1}
    assert Card.objects.filter(board__memberships__user=stan).count() == 1


def test_cards_and_files_of_the_same_id_are_all_imported(todo, olga, stan, tmp_path, transactional_db):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Card")
    attach_file(actor=web(olga), card_id=card.pk, stored=store([b"a"], most=1), file_name="a.txt")
    export = exported(olga)
    again = copy.deepcopy(export["boards"][0])
    export["boards"].append(again | {"id": str(uuid7())})
    import_all(stan, zip_of(export, tmp_path))
    assert Card.objects.filter(board__memberships__user=stan).count() == 2
    assert Attachment.objects.filter(board__memberships__user=stan).count() == 2


def test_files_pictures_in_texts_and_covers_come_along(todo, olga, stan, tmp_path, transactional_db):
    card = create_card(actor=web(olga), list_id=todo.pk, title="With files")
    picture = attach_file(actor=web(olga), card_id=card.pk, stored=a_picture(), file_name="Größe.png")
    text = store([b"a,b\n1,2\n"], most=100)
    attach_file(actor=web(olga), card_id=card.pk, stored=text, file_name="table.csv")
    update_card(actor=web(olga), card_id=card.pk, description=f"See ![a dot](/attachments/{picture.pk}) here")
    add_comment(actor=web(olga), card_id=card.pk, text=f"![again](/attachments/{picture.pk})")
    set_cover_picture(actor=web(olga), card_id=card.pk, attachment_id=picture.pk)
    before = exported(olga)
    with_cover = copy.deepcopy(before)
    with_cover["boards"][0]["lists"][0]["cards"][0]["coverAttachmentId"] = str(picture.pk)
    report = import_all(stan, zip_of(with_cover, tmp_path), mine=[str(olga.pk)])
    assert report.as_json() == []
    assert bare(exported(stan)) == bare(before)
    made = Card.objects.get(board__memberships__user=stan)
    assert made.cover_attachment.file_name == "Größe.png"
    assert made.cover_attachment.file.name != picture.file.name
    with open_file(made.attachments.get(file_name="table.csv").file.name) as file:
        assert file.read() == b"a,b\n1,2\n"
    assert pictures_in(made.description) == {str(made.cover_attachment_id)}


def test_without_their_bytes_files_are_named_in_the_text_and_counted(todo, olga, stan, tmp_path, transactional_db):
    card = create_card(actor=web(olga), list_id=todo.pk, title="With files", description="Text")
    attach_file(actor=web(olga), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    report = import_all(stan, source_of(exported(olga), tmp_path), mine=[str(olga.pk)])
    assert report.as_json() == [
        {"loss": "file-left-out", "count": 1, "places": ["boards[0].lists[0].cards[0]: Dot.png"]}
    ]
    made = Card.objects.get(board__memberships__user=stan)
    assert to_markdown(made.description) == "Text\n\nDot.png"
    assert not made.attachments.exists()


def test_a_file_that_is_not_what_the_export_says_is_left_out(todo, olga, stan, tmp_path, transactional_db):
    card = create_card(actor=web(olga), list_id=todo.pk, title="With files")
    attach_file(actor=web(olga), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    export = exported(olga)
    export["boards"][0]["lists"][0]["cards"][0]["attachments"][0]["sha256"] = "0" * 64
    report = import_all(stan, zip_of(export, tmp_path), mine=[str(olga.pk)])
    assert report.counts == {Loss.FILE_LEFT_OUT: 1}


def test_files_keep_the_caps_of_the_plan(todo, olga, stan, tmp_path, transactional_db):
    card = create_card(actor=web(olga), list_id=todo.pk, title="With files")
    for number in range(3):
        attach_file(actor=web(olga), card_id=card.pk, stored=store([b"x" * 100], most=100), file_name=f"{number}.txt")
    stan.plan.max_board_bytes = 250
    stan.plan.save()
    report = import_all(stan, zip_of(exported(olga), tmp_path), mine=[str(olga.pk)])
    assert report.counts == {Loss.FILE_LEFT_OUT: 1}
    assert Card.objects.get(board__memberships__user=stan).attachments.count() == 2


moments = st.datetimes(datetime(1970, 1, 2), datetime(2025, 1, 1), timezones=st.just(UTC))
days = st.dates(date(1970, 1, 2), date(2200, 1, 1))
words = st.text(max_size=60)
CARDS = st.builds(
    CardOutline,
    list_key=st.sampled_from(["a", "b", "gone"]),
    title=words,
    number=st.none() | st.integers(1, 50),
    description=documents.map(check).map(to_markdown),
    due_at=st.none() | moments,
    due_day=st.none() | days,
    start_day=st.none() | days,
    completed_at=st.none() | moments,
    archived_at=st.none() | moments,
    recurrence=st.sampled_from(["", *Recurrence.values]),
    cover_hue=st.none() | st.integers(1, 12),
    created_at=st.none() | moments,
    updated_at=st.none() | moments,
    labels=st.lists(st.sampled_from(["1", "2", "3"])),
    checklists=st.lists(
        st.builds(ChecklistOutline, words, st.lists(st.builds(ItemOutline, words, st.booleans()), max_size=3)),
        max_size=2,
    ),
    comments=st.lists(
        st.builds(CommentOutline, words, st.just(""), st.none() | moments, st.none() | moments), max_size=3
    ),
)
BOARDS = st.builds(
    BoardOutline,
    title=words,
    hue=st.integers(1, 12),
    archived_at=st.none() | moments,
    created_at=st.none() | moments,
    labels=st.tuples(*(st.builds(LabelOutline, st.just(key), words, st.integers(1, 12)) for key in "123")).map(list),
    lists=st.tuples(
        *(
            st.builds(ListOutline, st.just(key), words, st.none() | st.integers(1, 999), st.none() | moments)
            for key in "ab"
        )
    ).map(list),
    cards=st.lists(CARDS, max_size=8),
)


@settings(
    max_examples=12,
    phases=[Phase.generate],  # shrinking a board takes minutes
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(outline=BOARDS)
def test_any_board_comes_back_as_it_was(many_examples, outline, plans, tmp_path):
    olga, stan = (person(f"{name}{uuid7().hex}", plan=plans) for name in ("olga", "stan"))
    import_board(actor=importing(olga), outline=outline, mine=(), losses=Report(), source="Trello")
    before = exported(olga)
    report = import_all(stan, source_of(before, tmp_path), mine=[str(olga.pk)])
    assert report.as_json() == []
    assert bare(exported(stan)) == bare(before)


@pytest.fixture
def plans(transactional_db):
    return Plan.objects.get(pk="pro")


def test_thousands_of_cards_come_back_as_they_were(many_examples, olga, stan, tmp_path, transactional_db):
    cards = [CardOutline(str(number % 7), f"Card {number}", description=f"Text *{number}*") for number in range(2000)]
    lists = [ListOutline(str(number), f"List {number}") for number in range(7)]
    outline = BoardOutline("Big", lists=lists, cards=cards)
    import_board(actor=importing(olga), outline=outline, mine=(), losses=Report(), source="Trello")
    before = exported(olga)
    assert import_all(stan, source_of(before, tmp_path), mine=[str(olga.pk)]).as_json() == []
    assert bare(exported(stan)) == bare(before)
    assert Card.objects.filter(board__memberships__user=stan).count() == 2000


def test_links_lead_here_after_an_import_from_another_server(todo, olga, stan, tmp_path, settings, transactional_db):
    settings.BASE_URL = "https://here.example"
    there = f"https://there.example/board/{todo.board_id}"
    unknown = f"https://there.example/board/{uuid7()}"
    other = create_card(actor=web(olga), list_id=todo.pk, title="Other")
    text = f"[One]({there}?card={other.pk}) of [the board]({there}), not of [this]({unknown})"
    card = create_card(actor=web(olga), list_id=todo.pk, title="Card", description=text)
    add_comment(actor=web(olga), card_id=card.pk, text=f"See {there}")
    import_all(stan, source_of(exported(olga), tmp_path), mine=[str(olga.pk)])
    cards = Card.objects.filter(board__memberships__user=stan)
    made = cards.get(title="Card")
    here = f"https://here.example/board/{made.board_id}"
    one = f"{here}?card={cards.get(title='Other').pk}"
    assert to_markdown(made.description) == f"[One]({one}) of [the board]({here}), not of [this]({unknown})"
    assert made.comments.get().body == f"See {here}"


def test_a_full_title_that_ends_with_an_ellipsis_is_not_repeated(todo, olga, stan, tmp_path, transactional_db):
    create_card(actor=web(olga), list_id=todo.pk, title="a" * 499 + "…")
    import_all(stan, source_of(exported(olga), tmp_path), mine=[str(olga.pk)])
    assert Card.objects.get(board__memberships__user=stan).description is None
