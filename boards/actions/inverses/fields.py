"""Changes of fields: each field gets its old value again, if it still has the one that the change gave it."""

from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from boards.actions.cards.comments import rendered_text, with_names
from boards.actions.cards.dates import due_of, require_order
from boards.actions.cards.fields import DATES, derived, last_second
from boards.actions.cards.labels import require_new_name, touch_cards_with
from boards.actions.guards import require_open, require_open_list
from boards.actions.inverses.undoing import Inverse, Undoing
from boards.dates import timestamp
from boards.errors import Conflict
from boards.models import Attachment, Board, Card, Checklist, ChecklistItem, Comment, Label, List, Verb


def old_values(u: Undoing, row: models.Model, *names: str) -> dict[str, Any]:
    """Return the old values of the fields that the change set. Raise Conflict when one of them has changed since.

    `names` limits them to these fields.
    """
    values = {}
    for name in names or u.line.data:
        field: Any = row._meta.get_field(name)
        now = getattr(row, name)
        if u.line.data.get(name, ()) is None:
            old, left = u.former.get(name), u.left_in(name, row)
        else:
            old, left = (field.to_python(value) for value in u.pair(name))
        if in_milliseconds(now) != left:
            raise u.moved_on(u.later(names=[name]))
        values[name] = old
    return values


def in_milliseconds(value: Any) -> Any:
    """Cut off what the history does not hold of a moment."""
    return value.replace(microsecond=value.microsecond // 1000 * 1000) if isinstance(value, datetime) else value


def moment(value: str | None) -> Any:
    return parse_datetime(value) if value else None


def _board(u: Undoing) -> None:
    with u.change(Board) as c:
        if c.set(c.board, **old_values(u, c.board)):
            c.record(Verb.BOARD_CHANGED, c.board)


def _list(u: Undoing) -> None:
    with u.change(List) as c:
        require_open_list(c.row)
        if c.set(c.row, **old_values(u, c.row)):
            c.record(Verb(u.line.verb), c.row)


def _card(u: Undoing) -> None:
    with u.change(Card) as c:
        require_open(c.row)
        values = old_values(u, c.row)
        _require_order(c.row, values, u.actor.user.zone)
        _require_picture(u, values.get("cover_attachment_id"))
        values |= derived(c.row, values, u.actor.user.zone)
        if "recurrence_anchor" in u.former:
            values["recurrence_anchor"] = moment(u.former["recurrence_anchor"])
        if c.set(c.row, **values):
            c.record(Verb.CARD_CHANGED, c.row, last_second(c.row, values))


def _require_picture(u: Undoing, cover: UUID | None) -> None:
    """Raise Conflict when the picture that was the cover is not on the card any more."""
    if cover is not None and not Attachment.objects.filter(card=u.subject_id, pk=cover).exists():
        raise Conflict(_("The picture of the cover is no longer on the card."))


def _require_order(card: Card, values: dict[str, Any], zone: ZoneInfo) -> None:
    """Raise Invalid when the card would start after it is due, because the other of the two has changed since."""
    dates = {name: values.get(name, getattr(card, name)) for name in ("due_at", "due_day", "start_day")}
    if DATES & values.keys():
        require_order(dates["start_day"], due_of(dates["due_at"], dates["due_day"], zone), zone)


def _label(u: Undoing) -> None:
    with u.change(Label) as c:
        values = old_values(u, c.row)
        if "name" in values:
            require_new_name(c.board, values["name"])
        if c.set(c.row, **values):
            touch_cards_with(c)
            c.record(Verb.LABEL_CHANGED, c.row)


def _checklist(u: Undoing) -> None:
    _part(u, Checklist, Verb.CHECKLIST_CHANGED)


def _item(u: Undoing) -> None:
    _part(u, ChecklistItem, Verb.ITEM_CHANGED)


def _attachment(u: Undoing) -> None:
    _part(u, Attachment, Verb.ATTACHMENT_RENAMED)


def _part(u: Undoing, model: type[Checklist] | type[ChecklistItem] | type[Attachment], verb: Verb) -> None:
    with u.change(model) as c:
        require_open(c.row.card)
        if c.set(c.row, **old_values(u, c.row)):
            c.touch(c.row.card)
            c.record(verb, c.row, card=c.row.card)


def _comment(u: Undoing) -> None:
    """The mark "edited" goes too. Lines of the time before it was kept leave it as it is."""
    with u.change(Comment) as c:
        body = old_values(u, c.row)["body"]
        edited = {"edited_at": moment(u.former["edited_at"])} if "edited_at" in u.former else {}
        values = rendered_text(body)
        values |= with_names(values["document"], c.row.card, c.row.document)
        c.keep(edited_at=c.row.edited_at and timestamp(c.row.edited_at))
        if c.set(c.row, **values, **edited):
            c.touch(c.row.card)
            c.record(Verb.COMMENT_CHANGED, c.row, card=c.row.card)


INVERSES: dict[Verb, Inverse] = {
    Verb.BOARD_CHANGED: _board,
    Verb.LIST_CHANGED: _list,
    Verb.LIST_LIMITED: _list,
    Verb.CARD_CHANGED: _card,
    Verb.LABEL_CHANGED: _label,
    Verb.CHECKLIST_CHANGED: _checklist,
    Verb.ITEM_CHANGED: _item,
    Verb.COMMENT_CHANGED: _comment,
    Verb.ATTACHMENT_RENAMED: _attachment,
}
