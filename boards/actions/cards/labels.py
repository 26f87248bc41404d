"""Labels: create, edit, delete, add to a card, remove from a card."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.caps import LABELS, require_room
from boards.actions.change import Change, change
from boards.actions.guards import require_open
from boards.actor import Actor
from boards.colours import Hue, valid_hue
from boards.dates import timestamp
from boards.errors import Conflict
from boards.models import Board, Card, CardLabel, Label, Verb
from boards.models.records import CardLabelled, LabelCreated, LabelDeleted
from boards.text import LABEL, clean_line


def create_label(*, actor: Actor, board_id: UUID | None, name: str, hue: int = Hue.BLUE) -> Label:
    label = Label(name=clean_line(name, "name", LABEL), hue=valid_hue(hue))
    with change(actor, Board, board_id) as c:
        require_new_name(c.board, label.name)
        require_room_for_a_label(c.board)
        c.add(label)
        c.record(Verb.LABEL_CREATED, label, LabelCreated(hue=(None, label.hue)))
    return label


def update_label(*, actor: Actor, label_id: UUID | None, name: str | None = None, hue: int | None = None) -> Label:
    """Rename or recolour; None leaves a field as it is."""
    values: dict[str, str | int] = {}
    if name is not None:
        values["name"] = clean_line(name, "name", LABEL)
    if hue is not None:
        values["hue"] = valid_hue(hue)
    with change(actor, Label, label_id) as c:
        if values.get("name", c.row.name) != c.row.name:
            require_new_name(c.board, str(values["name"]))
        if c.set(c.row, **values):
            touch_cards_with(c)
            c.record(Verb.LABEL_CHANGED, c.row)
    return c.row


def delete_label(*, actor: Actor, label_id: UUID | None) -> None:
    """Delete a label and remove it from every card."""
    with change(actor, Label, label_id, deletes=True) as c:
        c.keep(created_at=timestamp(c.row.created_at))
        if cards := list(CardLabel.objects.filter(label=c.row).values_list("card_id", flat=True)):
            c.keep(card_ids=cards)
        touch_cards_with(c)
        c.record(Verb.LABEL_DELETED, c.row, LabelDeleted(name=(c.row.name, None), hue=(c.row.hue, None)))
        c.remove(c.row)


def touch_cards_with(c: Change[Label]) -> None:
    c.touch_all(Card.objects.filter(pk__in=CardLabel.objects.filter(label=c.row).values("card_id")))


def require_new_name(board: Board, name: str) -> None:
    if Label.objects.filter(board=board, name=name).exists():
        raise Conflict(_("This board already has a label with this name."))


def require_room_for_a_label(board: Board) -> None:
    text = _("This board has reached its limit of %(most)s labels. Delete one to create another.")
    require_room(Label.objects.filter(board=board), LABELS, text)


def add_label(*, actor: Actor, card_id: UUID | None, label_id: UUID) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        label = _label_of(c, label_id)
        if not CardLabel.objects.filter(card=c.row, label=label).exists():
            c.add(CardLabel(card=c.row, label=label))
            c.touch(c.row)
            c.record(Verb.CARD_LABELLED, c.row, CardLabelled(label_id=(None, label.pk), label=(None, label.name)))
    return c.row


def remove_label(*, actor: Actor, card_id: UUID | None, label_id: UUID) -> Card:
    with change(actor, Card, card_id) as c:
        require_open(c.row)
        label = _label_of(c, label_id)
        if CardLabel.objects.filter(card=c.row, label=label).delete()[0]:
            c.touch(c.row)
            c.record(Verb.CARD_UNLABELLED, c.row, CardLabelled(label_id=(label.pk, None), label=(label.name, None)))
    return c.row


def _label_of(c: Change[Card], label_id: UUID) -> Label:
    label = Label.objects.filter(board=c.board, pk=label_id).first()
    if label is None:
        raise not_found()
    return label


def labels_named_like(labels: dict[str, Label], c: Change[Any]) -> dict[str, Label]:
    """Return the labels of the change's board by name, those that it lacks newly created."""
    twins = {label.name: label for label in Label.objects.filter(board=c.board, name__in=labels)}
    made = {name: Label(name=name, hue=label.hue) for name, label in labels.items() if name not in twins}
    if made:
        text = _(
            "The other board has reached its limit of %(most)s labels. "
            "Delete some there, or remove labels from this card."
        )
        require_room(Label.objects.filter(board=c.board), LABELS, text, more=len(made))
        c.keep(created_label_ids=[label.pk for label in made.values()])
    c.add_all(made.values())
    return twins | made
