"""Files on cards: attach, rename, delete, and the picture that is a card's cover.

The bytes are in the storage before an action is called (core/files/storage.py), and leave it a day after nothing uses them.
"""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.access import not_found
from boards.actions.caps import ATTACHMENTS, require_room
from boards.actions.change import Change, change
from boards.actions.files.caps import lock_owners, plan_of_owner, require_room_for_files, require_small_file
from boards.actions.files.previews import make_previews
from boards.actions.guards import require_open
from boards.actions.unchanged import UNCHANGED, Unchanged
from boards.actor import Actor
from boards.dates import timestamp
from boards.errors import Conflict, DomainError
from boards.models import Attachment, Card, Preview, StoredFile, Verb
from boards.models.records import AttachmentDeleted
from boards.text import clean_file_name
from core.files.storage import Stored, delete_file
from core.files.types import PICTURES
from core.limits.queues import LATER, own_queue

NO_FILES_LEFT = gettext_lazy("This card has reached its limit of %(most)s files. Delete some to attach others.")


def attach_file(*, actor: Actor, card_id: UUID | None, stored: Stored, file_name: str) -> Attachment:
    """Attach a file that is in the storage. If it is refused, it is deleted there.

    Raises LimitReached at the caps of the plan of the board's owner: of one file, of the board, of the account.
    """
    try:
        return _attach(actor, card_id, stored, clean_file_name(file_name))
    except DomainError:  # after other errors it may have been committed: the sweep decides
        delete_file(stored.name)
        raise


def require_attachable(actor: Actor, card_id: UUID | None, size: int) -> None:
    """Raise what `attach_file` would raise for a file of so many bytes, so that it is not stored in vain.

    Whether board and account have room is known only when it is attached.
    """
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        require_room(Attachment.objects.filter(card=c.row), ATTACHMENTS, str(NO_FILES_LEFT))
        require_small_file(size, plan_of_owner(c.board.pk).max_file_bytes)


def _attach(actor: Actor, card_id: UUID | None, stored: Stored, file_name: str) -> Attachment:
    with transaction.atomic():
        boards = Card.objects.filter(pk=card_id).values_list("board_id", flat=True) if card_id else []
        owners = lock_owners(boards)
        with change(actor, Card, card_id) as c:
            require_open(c.row)
            require_room(Attachment.objects.filter(card=c.row), ATTACHMENTS, str(NO_FILES_LEFT))
            file = new_file(stored)
            require_room_for_files(owners, c.board, [file])
            require_small_file(stored.size, owners[c.board.pk].plan.max_file_bytes)
            file.save(force_insert=True)
            attachment = Attachment(
                card=c.row,
                file=file,
                file_name=file_name,
                uploaded_by=actor.user,
                door=actor.door,
                token_name=actor.token_name,
                created_at=c.now,
            )
            c.add(attachment)
            c.touch(c.row)
            c.record(Verb.ATTACHMENT_CREATED, attachment, card=c.row)
            if file.preview == Preview.WAITING:
                make_previews.using(queue_name=own_queue(actor.user.pk), priority=LATER).enqueue(str(file.pk))
    return attachment


def new_file(stored: Stored) -> StoredFile:
    """Return the unsaved row of a file in the storage. If its preview is waiting, `make_previews` is to be enqueued."""
    is_picture = stored.content_type in PICTURES and stored.width is not None
    return StoredFile(**stored._asdict(), preview=Preview.WAITING if is_picture else Preview.NONE)


def rename_attachment(*, actor: Actor, attachment_id: UUID, file_name: str | Unchanged) -> Attachment:
    values = {} if file_name is UNCHANGED else {"file_name": clean_file_name(file_name, shorten=False)}
    with change(actor, Attachment, attachment_id) as c:
        require_open(c.row.card)
        if c.set(c.row, **values):
            c.touch(c.row.card)
            c.record(Verb.ATTACHMENT_RENAMED, c.row, card=c.row.card)
    return c.row


def delete_attachment(*, actor: Actor, attachment_id: UUID) -> None:
    """Delete an attachment. If it is the cover of its card, the card has none then."""
    with change(actor, Attachment, attachment_id, deletes=True) as c:
        row, card = c.row, c.row.card
        require_open(card)
        c.keep(
            file_id=row.file_id,
            created_at=timestamp(row.created_at),
            door=row.door,
            token_name=row.token_name,
        )
        if card.cover_attachment_id == row.pk:
            c.set(card, cover_attachment_id=None)
        c.touch(card)
        record = AttachmentDeleted(
            file_name=(row.file_name, None),
            uploader_id=(row.uploaded_by_id, None),
            uploader=(row.uploaded_by.recorded_name, None),
        )
        c.record(Verb.ATTACHMENT_DELETED, row, record, card=card)
        c.remove(row)


def set_cover_picture(*, actor: Actor, card_id: UUID | None, attachment_id: UUID | None) -> Card:
    """Show a picture of the card as its cover; None takes it away."""
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        if attachment_id is not None:
            _require_picture(c, attachment_id)
        if c.set(c.row, cover_attachment_id=attachment_id):
            c.record(Verb.CARD_CHANGED, c.row)
    return c.row


def _require_picture(c: Change[Card], attachment_id: UUID) -> None:
    attachment = Attachment.objects.filter(card=c.row, pk=attachment_id).select_related("file").first()
    if attachment is None:
        raise not_found()
    if attachment.file.preview not in (Preview.WAITING, Preview.MADE):
        raise Conflict(_("This file can't be shown as a picture. Choose a JPEG, PNG, WebP or GIF file."))
