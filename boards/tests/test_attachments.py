"""Attachments as data: caps, copies, moves, what is left when they are deleted, and what a crash leaves."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.models import Plan
from boards.actions.boards.board import create_board
from boards.actions.boards.copies import copy_board, copy_card, copy_list
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, delete_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.moves import move_card
from boards.actions.files.attachments import attach_file, delete_attachment, rename_attachment, set_cover_picture
from boards.actions.files.caps import used_by_account, used_by_board
from boards.actions.files.previews import make_previews
from boards.actions.files.sweep import sweep
from boards.actions.lists.list import create_list
from boards.actions.people.handover import accept_offer, offer_board
from boards.actions.undo import undo_change
from boards.errors import Conflict, Invalid, LimitReached, NotFound
from boards.models import Attachment, Board, Card, List, Preview, StoredFile
from boards.richtext import pictures_in
from boards.tests.world import a_picture, last
from boards.text import clean_file_name
from conftest import join, run_jobs, web
from core.files.storage import StorageFails, TooLarge, path_of, store
from core.limits.queues import LATER, own_queue
from jobs.models import Task


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Path:
    backend = settings.STORAGES["default"]["BACKEND"]
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": str(tmp_path)}}}
    return tmp_path


@pytest.fixture
def other(olga, ed) -> List:
    """A list on another board of Olga's, on which Ed may write too."""
    board = create_board(actor=web(olga), title="Other")
    join(ed, board)
    return create_list(actor=web(olga), board_id=board.pk, title="There")


def attach(user, card: Card, content: bytes = b"12345", name: str = "Some.txt") -> Attachment:
    return attach_file(actor=web(user), card_id=card.pk, stored=store([content], most=10_000), file_name=name)


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def limit(**caps: int) -> None:
    Plan.objects.update(**caps)


def test_the_file_of_a_refused_attachment_is_deleted(ed, card, folder):
    limit(max_file_bytes=4)
    with pytest.raises(LimitReached, match="The limit is 4"):
        attach(ed, card)
    with pytest.raises(NotFound):
        attach_file(actor=web(ed), card_id=None, stored=store([b"1"], most=1), file_name="a")
    assert (files_in(folder), StoredFile.objects.count()) == (set(), 0)


def test_nothing_is_left_of_a_file_that_is_longer_than_it_said_or_breaks_off(folder):
    def breaking() -> Iterator[bytes]:
        yield b"1234"
        raise ConnectionError

    with pytest.raises(TooLarge):
        store([b"12345", b"6"], most=5)
    with pytest.raises(ConnectionError):
        store(breaking(), most=100)
    assert files_in(folder) == set()


def test_a_board_is_full_when_its_cap_is_reached_and_the_message_says_how_full(ed, card):
    limit(max_board_bytes=12)
    attach(ed, card)
    attach(ed, card)
    with pytest.raises(LimitReached, match=r"The files of this board take up 10.bytes of 12.bytes"):
        attach(ed, card)
    assert used_by_board(card.board_id) == 10


def test_the_account_of_the_owner_is_full_whoever_attaches(olga, ed, card, other):
    limit(max_account_bytes=12)
    there = create_card(actor=web(ed), list_id=other.pk, title="There")
    attach(ed, card)
    attach(ed, there)
    with pytest.raises(LimitReached, match=r"this board's owner take up 10.bytes of 12.bytes"):
        attach(ed, there)
    assert (used_by_account(olga.pk), used_by_account(ed.pk)) == (10, 0)


def test_a_copy_on_the_same_board_shares_the_file_and_takes_no_room(ed, card, folder):
    limit(max_board_bytes=5)
    original = attach(ed, card)
    copy = copy_card(actor=web(ed), card_id=card.pk)
    copied = Attachment.objects.get(card=copy)
    assert (copied.file_id, copied.file_name, copied.uploaded_by) == (original.file_id, "Some.txt", ed)
    assert copied.pk != original.pk
    assert len(files_in(folder)) == 1
    copy_list(actor=web(ed), list_id=card.list_id)
    assert used_by_board(card.board_id) == 5


def test_the_next_occurrence_of_a_card_has_its_files(ed, card):
    attach(ed, card)
    update_card(actor=web(ed), card_id=card.pk, recurrence="daily", due_day=timezone.localdate())
    following = archive_card(actor=web(ed), card_id=card.pk).next
    assert following is not None
    assert Attachment.objects.get(card=following).file_name == "Some.txt"


def test_a_copy_shows_its_own_files_as_cover_and_in_its_text(ed, card):
    picture = attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    set_cover_picture(actor=web(ed), card_id=card.pk, attachment_id=picture.pk)
    update_card(actor=web(ed), card_id=card.pk, description=f"![dot](/attachments/{picture.pk})")
    for copy in (copy_card(actor=web(ed), card_id=card.pk), copied_with_its_list(ed, card)):
        copy.refresh_from_db()
        own = Attachment.objects.get(card=copy)
        assert copy.cover_attachment_id == own.pk
        assert pictures_in(copy.description) == {str(own.pk)}


def copied_with_its_list(ed, card: Card) -> Card:
    copied = copy_list(actor=web(ed), list_id=card.list_id)
    return Card.objects.filter(list=copied, title=card.title).first()


def test_a_copy_of_a_board_needs_room_in_the_account_of_who_makes_it(ed, card):
    attach(ed, card)
    limit(max_account_bytes=4)
    with pytest.raises(LimitReached):
        copy_board(actor=web(ed), board_id=card.board_id, title="Copy", with_cards=True)
    limit(max_account_bytes=5)
    copy = copy_board(actor=web(ed), board_id=card.board_id, title="Copy", with_cards=True)
    assert (used_by_board(copy.pk), used_by_account(ed.pk)) == (5, 5)


def test_files_go_with_a_card_to_another_board_if_there_is_room_and_come_back(ed, card, other):
    made = attach(ed, card)
    limit(max_board_bytes=4)
    with pytest.raises(LimitReached):
        move_card(actor=web(ed), card_id=card.pk, list_id=other.pk)
    with pytest.raises(LimitReached):
        copy_card(actor=web(ed), card_id=card.pk, list_id=other.pk)
    limit(max_board_bytes=5)
    actor = web(ed)
    move_card(actor=actor, card_id=card.pk, list_id=other.pk)
    made.refresh_from_db()
    assert (made.board_id, used_by_board(card.board_id)) == (other.board_id, 0)
    change = actor.changes[-1]
    undo_change(actor=web(ed), board_id=change.board_id, number=change.number)
    made.refresh_from_db()
    assert made.board_id == card.board_id


def test_a_board_is_taken_over_only_by_somebody_with_room_for_its_files(olga, ed, card):
    attach(olga, card)
    offer_board(actor=web(olga), board_id=card.board_id, user_id=ed.pk)
    limit(max_account_bytes=4)
    with pytest.raises(LimitReached):
        accept_offer(actor=web(ed), board_id=card.board_id)
    limit(max_account_bytes=5)
    accept_offer(actor=web(ed), board_id=card.board_id)
    assert used_by_account(ed.pk) == 5


def test_undo_brings_back_what_was_deleted_while_its_bytes_are_kept_and_there_is_room(ed, card, folder):
    made, actor = attach(ed, card), web(ed)
    delete_attachment(actor=actor, attachment_id=made.pk)
    number = actor.changes[-1].number
    limit(max_board_bytes=4)
    with pytest.raises(LimitReached):
        undo_change(actor=web(ed), board_id=card.board_id, number=number)
    limit(max_board_bytes=5)
    now = timezone.now()
    sweep(now)
    sweep(now + timedelta(hours=23))
    undo_change(actor=web(ed), board_id=card.board_id, number=number)
    assert Attachment.objects.get() == made
    delete_attachment(actor=actor, attachment_id=made.pk)
    sweep(now)
    sweep(now + timedelta(hours=25))
    assert (StoredFile.objects.count(), files_in(folder)) == (0, set())
    with pytest.raises(Conflict, match="no longer exists"):
        undo_change(actor=web(ed), board_id=card.board_id, number=actor.changes[-1].number)


def test_a_file_that_another_card_shares_stays(ed, olga, card):
    attach(ed, card)
    copy = copy_card(actor=web(ed), card_id=card.pk)
    archive_card(actor=web(ed), card_id=card.pk)
    delete_card(actor=web(olga), card_id=card.pk)
    now = timezone.now()
    sweep(now)
    sweep(now + timedelta(days=3))
    assert StoredFile.objects.get() == Attachment.objects.get(card=copy).file


def test_the_cover_that_was_taken_off_does_not_come_back_when_its_file_is_gone(ed, card):
    actor = web(ed)
    picture = attach_file(actor=actor, card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    set_cover_picture(actor=actor, card_id=card.pk, attachment_id=picture.pk)
    set_cover_picture(actor=actor, card_id=card.pk, attachment_id=None)
    number = actor.changes[-1].number
    delete_attachment(actor=actor, attachment_id=picture.pk)
    with pytest.raises(Conflict, match="no longer on the card"):
        undo_change(actor=web(ed), board_id=card.board_id, number=number)


def test_a_cover_that_comes_back_leaves_the_color_that_was_chosen_since(ed, olga, card):
    picture = attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    set_cover_picture(actor=web(ed), card_id=card.pk, attachment_id=picture.pk)
    delete_attachment(actor=web(ed), attachment_id=picture.pk)
    number = last(card.board).version
    update_card(actor=web(olga), card_id=card.pk, cover_hue=3)
    undo_change(actor=web(ed), board_id=card.board_id, number=number)
    card.refresh_from_db()
    assert (card.cover_hue, card.cover_attachment_id) == (3, None)


def test_pictures_in_texts_are_those_of_the_same_card(ed, card, todo):
    picture = attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    text = attach(ed, card)
    beside = create_card(actor=web(ed), list_id=todo.pk, title="Beside")
    markdown = f"![a](/attachments/{picture.pk}) ![b](/attachments/{text.pk})"
    own, foreign = (add_comment(actor=web(ed), card_id=pk, text=markdown) for pk in (card.pk, beside.pk))
    assert pictures_in(own.document) == {str(picture.pk)}
    assert pictures_in(foreign.document) == set()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        (r"C:\Users\me\plan.pdf", "plan.pdf"),
        ("a\r\nSet-Cookie: b.txt", "a Set-Cookie: b.txt"),
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("..", "file"),
        ("", "file"),
        ("x" * 300 + ".tar", "x" * 251 + ".tar"),
    ],
)
def test_a_name_holds_no_path_and_no_tricks(given, kept):
    assert clean_file_name(given) == kept


def test_a_new_name_that_is_too_long_is_refused(ed, card):
    made = attach(ed, card)
    with pytest.raises(Invalid):
        rename_attachment(actor=web(ed), attachment_id=made.pk, file_name="x" * 256)


def test_the_sweep_deletes_files_without_row_after_an_hour(ed, card, folder):
    made = attach(ed, card)
    stray = store([b"stray"], most=10)
    now = timezone.now()
    assert sweep(now)["files without row"] == 0
    later = now + timedelta(hours=2)
    assert sweep(later, mend=False)["files without row"] == 1
    assert stray.name in files_in(folder)
    sweep(later)
    assert files_in(folder) == {made.file.name}


def test_the_sweep_marks_rows_without_file_until_it_is_back(ed, card, folder):
    made = attach(ed, card)
    place = folder / path_of(made.file.name)
    place.rename(away := folder / "away")
    assert sweep(timezone.now())["rows without file"] == 1
    made.file.refresh_from_db()
    assert made.file.missing_since
    away.rename(place)
    assert sweep(timezone.now())["rows without file"] == 0
    made.file.refresh_from_db()
    assert made.file.missing_since is None


def test_previews_of_an_account_wait_for_each_other_alone(ed, card, folder):
    attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    assert (Task.objects.get().queue_name, Task.objects.get().priority) == (own_queue(ed.pk), LATER)


def test_previews_that_were_lost_or_never_made_are_made_again(ed, card, folder):
    made = attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    run_jobs()
    (folder / path_of(made.file.name, "thumbnail")).unlink()
    sweep(timezone.now())
    made.file.refresh_from_db()
    assert made.file.preview == Preview.WAITING
    run_jobs()
    made.file.refresh_from_db()
    assert made.file.preview == Preview.MADE
    assert len(files_in(folder)) == 3


def test_deleting_a_board_leaves_files_that_the_sweep_takes(olga, ed, card, folder):
    attach(ed, card)
    Board.objects.filter(pk=card.board_id).delete()
    now = timezone.now()
    sweep(now)
    sweep(now + timedelta(hours=25))
    assert files_in(folder) == set()


def test_on_a_full_disk_nothing_half_stays_and_a_smaller_file_still_fits(ed, card, small_disk):
    with pytest.raises(StorageFails):
        store([b"x" * 1024 * 1024] * 3, most=10**7)
    assert files_in(small_disk) == set()
    made = attach(ed, card)
    assert files_in(small_disk) == {made.file.name}


def test_a_task_that_finds_no_room_for_previews_is_tried_again(ed, card, folder, monkeypatch):
    attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Dot.png")
    monkeypatch.setattr("boards.actions.files.previews.store_picture", full)
    with pytest.raises(StorageFails):
        make_previews.call(str(StoredFile.objects.get().pk))
    assert StoredFile.objects.get().preview == Preview.WAITING


def full(*_args: object) -> None:
    raise StorageFails
