"""Boards from outlines (boards/outlines.py): each appears whole or not at all, and nobody waits long meanwhile.

A board of 10,000 cards in one transaction would hold SQLite's only write lock for seconds, while others give up after
three. So the rows are written a few hundred at a time on a board that has no members yet, which is a board that nobody can
see. The last transaction makes it the board of its owner, with one line of history. What a killed process left has no
members and is deleted by the next try or by the sweep (docs/decisions/import.md).
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found, require_all_boards
from boards.actions.boards.background import BACKGROUNDS
from boards.actions.boards.board import count_new_board, lock_account, require_room_for_a_board
from boards.actions.boards.deletion import delete_rows
from boards.actions.cards.comments import rendered_text
from boards.actions.cards.fields import search_text
from boards.actions.change import Change
from boards.actions.files.attachments import new_file
from boards.actions.files.caps import used_by_account
from boards.actions.files.previews import make_previews
from boards.actions.import_cleaning import Cleaner, Counts, FileRoom, Progress
from boards.actions.ordering import GAP
from boards.actor import Actor
from boards.backgrounds import OF_PICTURE
from boards.board_templates import Template
from boards.errors import LimitReached
from boards.losses import Losses
from boards.models import (
    Assignment,
    Attachment,
    Board,
    Card,
    CardLabel,
    Checklist,
    ChecklistItem,
    Comment,
    Label,
    List,
    Membership,
    Preview,
    Role,
    StoredFile,
    Verb,
)
from boards.models.base import BoardRow
from boards.models.records import BoardCreated
from boards.outlines import BoardOutline, CardOutline, FileOutline
from boards.richtext import (
    Doc,
    first_line,
    from_markdown,
    mentions_in,
    pictures_in,
    to_markdown,
    with_labels,
    with_pictures,
)
from boards.text import EXCERPT
from core.files.storage import pieces, store
from core.limits.queues import LATER, own_queue
from core.text.locale import locale_of

if TYPE_CHECKING:
    from accounts.models import User

CHUNK = 200  # cards that are written in one transaction
TEXTS = 1_000_000  # characters of comments, after which it ends; their rows take fifty times as much memory
FIRST = 1  # the number of the only change
Row = TypeVar("Row", bound=BoardRow)
Step = Callable[[UUID], None]
Rows = dict[type[models.Model], list[Any]]  # by model, each after those to which it refers


def check_board(
    *, user: "User", outline: BoardOutline, losses: Losses, where: str = "", bytes_before: int = 0
) -> Counts:
    """Return what `import_board` would make of the outline, and count in `losses` what it would not. Writes nothing.

    `bytes_before` are those of the files of boards that would be imported before this one.
    """
    with locale_of(user):
        room = _room_for_files(user, bytes_before)
        cleaner = Cleaner(outline, losses, (), user.zone, timezone.now(), room, where)
        cleaner.background()
        for _card in cleaner.cards():
            pass
    return cleaner.counts


def _room_for_files(user: "User", bytes_before: int = 0) -> FileRoom:
    plan = user.plan
    most = plan.max_account_bytes
    left = None if most is None else max(0, most - used_by_account(user.pk) - bytes_before)
    return FileRoom(plan.max_file_bytes, plan.max_board_bytes, left)


def import_board(
    *,
    actor: Actor,
    outline: BoardOutline,
    mine: Collection[str],
    losses: Losses,
    source: str,
    where: str = "",
    began: Step = lambda board_id: None,
    made: Step = lambda board_id: None,
    progress: Progress = lambda cards: None,
) -> Board:
    """Make a board of the outline, owned by the actor. `source` is what it comes from, for the history: "Trello".

    `mine` has the keys of the people who are the actor: what these wrote is the actor's, of all others the names stand in
    the texts. `began` and `made` are called with the board's id inside the first and the last transaction, and `progress`
    between transactions. Whatever is raised, by them too, nothing of the board is left. Raises LimitReached, and
    NotAllowed as `first_change` does.
    """
    require_all_boards(actor)
    with locale_of(actor.user):
        room = _room_for_files(actor.user)
        cleaner = Cleaner(outline, losses, mine, actor.user.zone, timezone.now(), room, where)
        board = Board(
            title=cleaner.title,
            hue=cleaner.hue,
            background=_kept_background(cleaner),
            created_at=cleaner.past(outline.created_at, cleaner.title) or cleaner.now,
            archived_at=cleaner.past(outline.archived_at, cleaner.title),
            **({"id": outline.id} if outline.id else {}),
        )
        if board.archived_at is None:
            require_room_for_a_board(actor.user)
        with transaction.atomic():
            board.save(force_insert=True)
            began(board.pk)
        try:
            _Writing(actor, board, cleaner).write(progress)
            _publish(actor, board, cleaner, source, made)
        except BaseException:
            discard_import(board_id=board.pk)
            raise
    return board


def _kept_background(cleaner: Cleaner) -> str:
    """Store the picture, if it is one. That of a board which is not written is deleted by the sweep."""
    kind, picture = cleaner.background()
    return kind if picture is None else OF_PICTURE + BACKGROUNDS.save(picture)


def discard_import(*, board_id: UUID) -> None:
    """Delete what an unfinished import has written. A board that has members is left alone. Repeating is harmless."""
    if Board.objects.filter(pk=board_id, version=0, memberships=None).exists():
        delete_rows.call(str(board_id))


def _publish(actor: Actor, board: Board, cleaner: Cleaner, source: str, made: Step) -> None:
    """Give the board to the actor, in the only change of its history."""
    with transaction.atomic():
        account = lock_account(actor.user.pk)
        if board.archived_at is None:
            require_room_for_a_board(account)
        count_new_board(account)
        board.last_card_number = cleaner.last_number
        unseen = Board.objects.filter(pk=board.pk, version=0, memberships=None)
        if not unseen.update(last_card_number=board.last_card_number):  # which locks it
            raise not_found()
        if cleaner.counts.bytes:
            _require_room_still(account, cleaner.counts.bytes)
        c = Change(actor, board, Role.OWNER, board)
        c.add(Membership(user=actor.user, role=Role.OWNER))
        c.record(
            Verb.BOARD_CREATED,
            board,
            BoardCreated(
                template=(None, Template.BLANK.value), imported=(None, source), cards=(None, cleaner.counts.cards)
            ),
        )
        c.finish()
        made(board.pk)


def _require_room_still(account: "User", more: int) -> None:
    """Raise LimitReached if others have taken the room for files since this import began."""
    most = account.plan.max_account_bytes
    if most is not None and used_by_account(account.pk) + more > most:
        raise LimitReached(_("There is no space left for the files of this board. Delete some files on other boards."))


class _Writing:
    """The rows of one board: lists and labels first, then the cards, a chunk of them in each transaction."""

    def __init__(self, actor: Actor, board: Board, cleaner: Cleaner) -> None:
        self.actor, self.board, self.cleaner = actor, board, cleaner
        self.lists: dict[str, List] = {}
        self.places: dict[str, int] = {}
        self.labels: dict[str, Label] = {}

    def write(self, progress: Progress) -> None:
        cards = self.cleaner.cards()
        with transaction.atomic():
            Label.objects.bulk_create(self._new_labels())
            List.objects.bulk_create(self._new_lists())
        written = 0
        while chunk := list(islice(cards, CHUNK)):
            written += len(chunk)
            for rows in self._sorted(chunk):  # made before the transaction: reading Markdown takes most of the time
                self._write_at_once(rows)
                progress(written)

    def _write_at_once(self, rows: Rows) -> None:
        with transaction.atomic():
            for model, found in rows.items():
                model._default_manager.bulk_create(found)
            for file in rows.get(StoredFile, ()):
                if file.preview == Preview.WAITING:
                    make_previews.using(queue_name=own_queue(self.actor.user.pk), priority=LATER).enqueue(str(file.pk))

    def _new_labels(self) -> list[Label]:
        hues = {label.name: label.hue for label in self.cleaner.labels.values()}
        for place, (name, hue) in enumerate(hues.items()):
            at = self.cleaner.now + timedelta(microseconds=place)  # labels are shown in this order
            self.labels[name] = self._stamped(Label(name=name, hue=hue, created_at=at))
        return list(self.labels.values())

    def _new_lists(self) -> list[List]:
        """Return those that are not written yet: at first all, later the one of cards that name no list."""
        new = [row for row in self.cleaner.lists.values() if row.key not in self.lists]
        for row in new:
            position = GAP * (len(self.lists) + 1)
            made = List(title=row.title, card_limit=row.card_limit, archived_at=row.archived_at, position=position)
            self.lists[row.key] = self._stamped(made)
        return [self.lists[row.key] for row in new]

    def _sorted(self, cards: Iterable[CardOutline]) -> Iterator[Rows]:
        """Yield the rows of each transaction. One may end among the comments of a card, which are the last of its rows."""
        found: Rows = {List: self._new_lists()}
        texts = 0
        for card in cards:
            for row in self._rows(card):
                found.setdefault(type(row), []).append(self._stamped(row) if isinstance(row, BoardRow) else row)
                texts += len(row.body) if isinstance(row, Comment) else 0
                if texts > TEXTS:
                    yield found
                    found, texts = {model: [] for model in found}, 0
        yield found

    def _stamped(self, row: Row) -> Row:
        row.board_id, row.version = self.board.pk, FIRST
        return row

    def _rows(self, outline: CardOutline) -> Iterator[models.Model]:
        """Yield the card and its parts, each after what it refers to; a cover is a part to which its card refers."""
        self.places[outline.list_key] = place = self.places.get(outline.list_key, 0) + GAP
        files = list(self._files(outline))
        own = {str(attachment.pk) for _outlined, attachment, _stored in files}
        card = self._card(outline, place, own)
        yield card
        for outlined, attachment, stored in files:
            attachment.card = card
            if outline.cover_file and outline.cover_file == outlined.key and stored.preview == Preview.WAITING:
                card.cover_attachment_id = attachment.pk
            yield stored
            yield attachment
        for name in outline.labels:
            yield CardLabel(card=card, label=self.labels[name])
        if outline.assignees:
            yield Assignment(card=card, user=self.actor.user)
        for number, checklist in enumerate(outline.checklists, 1):
            row = Checklist(card=card, title=checklist.title, position=GAP * number)
            yield row
            for at, item in enumerate(checklist.items, 1):
                yield ChecklistItem(card=card, checklist=row, text=item.text, done=item.done, position=GAP * at)
        for comment in outline.comments:
            yield Comment(
                card=card,
                author=self.actor.user,
                door=self.actor.door,
                created_at=comment.created_at or self.cleaner.now,
                edited_at=comment.edited_at,
                **comment_fields(comment.text, own),
            )

    def _files(self, outline: CardOutline) -> Iterator[tuple[FileOutline, Attachment, StoredFile]]:
        """Store the files of a card. What was stored for rows that are not written is deleted by the sweep.

        The description names a file that another server gave to the cleaner, but does not give again.
        """
        for file in outline.files:
            try:
                with file.open() as opened:  # type: ignore[misc]  # the cleaner keeps only those that can be opened
                    stored = new_file(store(pieces(opened), most=file.size or 0))
            except (OSError, ValueError):
                outline.description = self.cleaner.with_name(outline, file)
                continue
            yield (
                file,
                Attachment(
                    file=stored,
                    file_name=file.file_name,
                    uploaded_by=self.actor.user,
                    door=self.actor.door,
                    created_at=file.created_at or self.cleaner.now,
                    **({"id": file.id} if file.id else {}),
                ),
                stored,
            )

    def _card(self, outline: CardOutline, place: int, files: Collection[str]) -> Card:
        document = own_document(from_markdown(outline.description), files)
        return Card(
            list=self.lists[outline.list_key],
            number=outline.number or 0,
            position=place,
            title=outline.title,
            description=document,
            search_text=search_text(outline.title, document),
            excerpt=first_line(document, EXCERPT),
            due_at=outline.due_at,
            due_day=outline.due_day,
            start_day=outline.start_day,
            completed_at=outline.completed_at,
            archived_at=outline.archived_at,
            recurrence=outline.recurrence,
            recurrence_anchor=outline.recurrence_anchor,
            cover_hue=outline.cover_hue,
            created_by=self.actor.user,
            created_at=outline.created_at or self.cleaner.now,
            updated_at=outline.updated_at or self.cleaner.now,
            **({"id": outline.id} if outline.id else {}),
        )


def own_document(document: Doc | None, files: Collection[str]) -> Doc | None:
    """Return the document in which nobody is mentioned, so that nobody is told, and only these files are pictures."""
    if document and (people := mentions_in(document)):
        document = with_labels(document, dict.fromkeys(people))
    if document and (others := pictures_in(document) - set(files)):
        document = with_pictures(document, dict.fromkeys(others))
    return document


def comment_fields(text: str, files: Collection[str]) -> dict[str, Any]:
    fields = rendered_text(text)
    own = own_document(fields["document"], files)
    return fields if own == fields["document"] else rendered_text(to_markdown(own))
