"""Things that were deleted come back under their old ids, from the former values that were kept with the line."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from boards.actions.caps import ATTACHMENTS, CHECKLISTS, ITEMS, require_room
from boards.actions.cards.comments import rendered_text, with_names
from boards.actions.cards.labels import require_new_name, require_room_for_a_label
from boards.actions.cards.new_checklists import NO_CHECKLISTS_LEFT, NO_ITEMS_LEFT
from boards.actions.change import Change
from boards.actions.files.attachments import NO_FILES_LEFT
from boards.actions.files.caps import require_room_for_files
from boards.actions.guards import require_open
from boards.actions.inverses.fields import moment
from boards.actions.inverses.moved import old_place
from boards.actions.inverses.undoing import Inverse, Undoing
from boards.actions.ordering import GAP, next_id, position_for
from boards.errors import Conflict
from boards.models import Attachment, Board, Card, CardLabel, Checklist, ChecklistItem, Comment, Label, StoredFile, Verb
from boards.models.records import AttachmentDeleted, CommentRestored, ItemDeleted, LabelDeleted, Moved


def _comment(u: Undoing) -> None:
    former = u.former
    text = rendered_text(former["body"])
    with u.change(Card, u.card_id) as c:
        comment = Comment(
            pk=_free_id(u, Comment),
            card=c.row,
            author_id=u.old_id("author_id"),
            door=former["door"],
            token_name=former["token_name"],
            created_at=moment(former["created_at"]),
            edited_at=moment(former["edited_at"]),
            **text | with_names(text["document"], c.row),
        )
        c.add(comment)
        c.touch(c.row)
        record = CommentRestored(author_id=(None, comment.author_id), author=(None, u.pair("author")[0]))
        c.record(Verb.COMMENT_RESTORED, comment, record, card=c.row)


def _checklist(u: Undoing) -> None:
    with u.change(Card, u.card_id) as c:
        require_open(c.row)
        siblings, items = Checklist.objects.filter(card=c.row), u.former["items"]
        require_room(siblings, CHECKLISTS, str(NO_CHECKLISTS_LEFT))
        require_room(ChecklistItem.objects.filter(card=c.row), ITEMS, str(NO_ITEMS_LEFT), more=len(items))
        checklist = Checklist(pk=_free_id(u, Checklist), card=c.row, title=u.former.get("title", u.title))
        checklist.position = position_for(siblings, old_place(u, siblings), c.number)
        c.add_all([checklist])
        c.add_all(_items(checklist, items))
        c.touch(c.row)
        record = Moved(next_id=(None, next_id(checklist, siblings)))
        c.record(Verb.CHECKLIST_RESTORED, checklist, record, card=c.row)


def _items(checklist: Checklist, former: list[dict[str, Any]]) -> list[ChecklistItem]:
    """Return the items. Old lines do not hold their ids."""
    return [
        ChecklistItem(
            **({"pk": UUID(item["id"])} if "id" in item else {}),
            card=checklist.card,
            checklist=checklist,
            text=item["text"],
            done=item["done"],
            position=GAP * place,
        )
        for place, item in enumerate(former, 1)
    ]


def _item(u: Undoing) -> None:
    checklist_id = u.old_id("checklist_id")
    if not Checklist.objects.filter(pk=checklist_id).exists():
        raise Conflict(_("The checklist of “%(title)s” no longer exists.") % {"title": u.title})
    with u.change(Checklist, checklist_id) as c:
        require_open(c.row.card)
        siblings = ChecklistItem.objects.filter(checklist=c.row)
        require_room(ChecklistItem.objects.filter(card=c.row.card_id), ITEMS, str(NO_ITEMS_LEFT))
        text, done = u.pair("text")[0], u.pair("done")[0]
        item = ChecklistItem(pk=_free_id(u, ChecklistItem), card=c.row.card, checklist=c.row, text=text, done=done)
        item.position = position_for(siblings, old_place(u, siblings), c.number)
        c.add(item)
        c.touch(c.row.card)
        record = ItemDeleted(
            checklist_id=(None, c.row.pk),
            checklist=(None, c.row.title),
            next_id=(None, next_id(item, siblings)),
            text=(None, text),
            done=(None, done),
        )
        c.record(Verb.ITEM_RESTORED, item, record, card=c.row.card)


def _label(u: Undoing) -> None:
    with u.change(Board, u.line.board_id) as c:
        label = Label(pk=_free_id(u, Label), name=u.pair("name")[0], hue=u.pair("hue")[0])
        label.created_at = moment(u.former.get("created_at")) or timezone.now()
        require_new_name(c.board, label.name)
        require_room_for_a_label(c.board)
        c.add_all([label])
        _label_again(c, label, u.former.get("card_ids", []))
        record = LabelDeleted(name=(None, label.name), hue=(None, label.hue))
        c.record(Verb.LABEL_RESTORED, label, record)


def _label_again(c: Change[Board], label: Label, card_ids: list[str]) -> None:
    """Add the label to the cards that are still on the board."""
    cards = Card.objects.filter(board=c.board, pk__in=card_ids)
    c.add_all(CardLabel(card=card, label=label) for card in cards)
    c.touch_all(Card.objects.filter(pk__in=[card.pk for card in cards]))


def _attachment(u: Undoing) -> None:
    """Attach the file again, if its bytes are still kept. `undo.py` has locked the owner of the board."""
    file = StoredFile.objects.select_for_update(no_key=True).filter(pk=u.former["file_id"]).first()
    if file is None or file.missing_since:
        raise Conflict(_("“%(title)s” no longer exists. Deleted files are kept for one day.") % {"title": u.title})
    with u.change(Card, u.card_id) as c:
        require_open(c.row)
        require_room(Attachment.objects.filter(card=c.row), ATTACHMENTS, str(NO_FILES_LEFT))
        require_room_for_files(u.owners, c.board, [file])
        attachment = Attachment(
            pk=_free_id(u, Attachment),
            card=c.row,
            file=file,
            file_name=u.pair("file_name")[0],
            uploaded_by_id=u.old_id("uploader_id"),
            door=u.former["door"],
            token_name=u.former["token_name"],
            created_at=moment(u.former["created_at"]),
        )
        c.add(attachment)
        c.touch(c.row)
        is_as_left = c.row.cover_attachment_id is None and not u.later(names=["cover_hue"], of=[c.row.pk])
        if "cover_attachment_id" in u.line.data and is_as_left:
            c.set(c.row, cover_attachment_id=attachment.pk)
        record = AttachmentDeleted(
            file_name=(None, attachment.file_name),
            uploader_id=(None, attachment.uploaded_by_id),
            uploader=(None, u.pair("uploader")[0]),
        )
        c.record(Verb.ATTACHMENT_RESTORED, attachment, record, card=c.row)


def _free_id(u: Undoing, model: type[Comment | Checklist | ChecklistItem | Label | Attachment]) -> UUID:
    if model._default_manager.filter(pk=u.subject_id).exists():
        raise Conflict(_("“%(title)s” has already been restored.") % {"title": u.title})
    return u.subject_id


INVERSES: dict[Verb, Inverse] = {
    Verb.COMMENT_DELETED: _comment,
    Verb.CHECKLIST_DELETED: _checklist,
    Verb.ITEM_DELETED: _item,
    Verb.LABEL_DELETED: _label,
    Verb.ATTACHMENT_DELETED: _attachment,
}
