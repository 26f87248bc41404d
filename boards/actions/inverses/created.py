"""Things that were created: boards, lists and cards are archived, smaller things deleted, unless others have used them."""

from django.utils.translation import gettext as _

from boards.actions.boards.board import archive_board
from boards.actions.cards.checklists import delete_checklist, delete_item
from boards.actions.cards.comments import delete_comment
from boards.actions.cards.labels import delete_label
from boards.actions.files.attachments import delete_attachment
from boards.actions.guards import is_archived
from boards.actions.inverses.undoing import Inverse, Undoing, former_of
from boards.actions.lists.list import archive_list
from boards.errors import Conflict
from boards.models import Activity, Attachment, Card, Checklist, ChecklistItem, Comment, Label, List, Verb


def _board(u: Undoing) -> None:
    others = Activity.objects.filter(board=u.line.board_id).exclude(user=u.line.user)
    if lines := list(others.select_related("user").order_by("-version")[:1]):
        raise u.moved_on(lines)
    archive_board(actor=u.actor, board_id=u.line.board_id)


def _list(u: Undoing) -> None:
    """Archive the list with its cards, if they are as new as it is and nobody else has changed one of them."""
    u.require_nobody_else()
    row = u.row(List)
    cards = Card.objects.filter(list=row, archived_at=None)
    if cards.exclude(created_by=u.line.user).exists() or cards.filter(created_at__lt=u.line.created_at).exists():
        raise Conflict(_("“%(title)s” now has cards of other people, or older ones.") % {"title": u.title})
    later = Activity.objects.filter(board=row.board_id, version__gt=u.line.version, card_id__in=cards.values("pk"))
    if lines := list(later.exclude(user=u.line.user).select_related("user").order_by("-version")[:1]):
        raise u.moved_on(lines)
    archive_list(actor=u.actor, list_id=row.pk)


def _card(u: Undoing) -> None:
    """Archive the card, without a next occurrence of a recurring one."""
    require_item(u)
    with u.change(Card) as c:
        _require_nobody_else_on_card(u)
        if not is_archived(c.row):
            c.set(c.row, archived_at=c.now)
            c.record(Verb.CARD_ARCHIVED, c.row)


def require_item(u: Undoing) -> None:
    """Raise Conflict if the card was made of a checklist item that is not back: nothing would be left of it."""
    made_of = former_of(u.origin).get("item_id")
    if made_of and not ChecklistItem.objects.filter(pk=made_of).exists():
        raise Conflict(
            _("“%(title)s” was made from a checklist item, which must be restored first.") % {"title": u.title}
        )


def _require_nobody_else_on_card(u: Undoing) -> None:
    parts = ChecklistItem, Checklist, Comment, Attachment
    ids = [
        pk for model in parts for pk in model._default_manager.filter(card=u.subject_id).values_list("pk", flat=True)
    ]
    u.require_nobody_else(of=[u.subject_id, *ids])


def _label(u: Undoing) -> None:
    u.require_nobody_else()
    label = u.row(Label)
    used = Activity.objects.filter(board=u.line.board_id, version__gt=u.line.version, verb=Verb.CARD_LABELLED)
    others = used.filter(data__label_id__1=str(label.pk)).exclude(user=u.line.user).select_related("user")
    if lines := list(others[:1]):
        raise u.moved_on(lines)
    delete_label(actor=u.actor, label_id=label.pk)


def _checklist(u: Undoing) -> None:
    """Delete the checklist, unless an item that was there before has been moved to it."""
    row = u.row(Checklist)
    items = list(row.items.values_list("pk", flat=True))
    u.require_nobody_else(of=[row.pk, *items])
    if moves := u.later(Verb.ITEM_MOVED, names=["checklist_id"], of=items):
        raise u.moved_on(moves)
    delete_checklist(actor=u.actor, checklist_id=row.pk)


def _item(u: Undoing) -> None:
    if u.line.undoes is not None:
        _require_card(u)
    u.require_nobody_else()
    delete_item(actor=u.actor, item_id=u.row(ChecklistItem).pk)


def _require_card(u: Undoing) -> None:
    """Raise Conflict if the item is to become a card again that is not back: nothing would be left of it."""
    made = former_of(u.origin).get("made_id")
    if made and not Card.objects.open().filter(pk=made).exists():
        raise Conflict(_("The card that was made from “%(title)s” must be restored first.") % {"title": u.title})


def _comment(u: Undoing) -> None:
    u.require_nobody_else()
    delete_comment(actor=u.actor, comment_id=u.row(Comment).pk)


def _attachment(u: Undoing) -> None:
    u.require_nobody_else()
    delete_attachment(actor=u.actor, attachment_id=u.row(Attachment).pk)


INVERSES: dict[Verb, Inverse] = {
    Verb.BOARD_CREATED: _board,
    Verb.LIST_CREATED: _list,
    Verb.CARD_CREATED: _card,
    Verb.LABEL_CREATED: _label,
    Verb.LABEL_RESTORED: _label,
    Verb.CHECKLIST_CREATED: _checklist,
    Verb.CHECKLIST_RESTORED: _checklist,
    Verb.ITEM_CREATED: _item,
    Verb.ITEM_RESTORED: _item,
    Verb.COMMENT_CREATED: _comment,
    Verb.COMMENT_RESTORED: _comment,
    Verb.ATTACHMENT_CREATED: _attachment,
    Verb.ATTACHMENT_RESTORED: _attachment,
}
