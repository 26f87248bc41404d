"""Ticking a box of a description: a change of one node of the document, recorded as any change of the description."""

from uuid import UUID

from django.utils.translation import gettext as _

from boards.actions.change import change
from boards.actions.guards import require_open
from boards.actor import Actor
from boards.errors import Conflict
from boards.models import Activity, Card, FormerValues, Verb
from boards.richtext import Doc, box_at, with_box


def tick_box(*, actor: Actor, card_id: UUID | None, box: int, checked: bool, if_version: int) -> Card:
    """Tick the box with this number, or open it again.

    `if_version` is the version at which the caller read the description. Raises Conflict unless the box with this number
    still says what it said then. Other changes of the text, other ticked boxes too, are no hindrance.
    """
    with change(actor, Card, card_id) as c:
        card = c.row
        require_open(card)
        description = _with_same_box(card, box, if_version)
        if c.set(card, description=with_box(description, box, checked)):
            c.record(Verb.CARD_CHANGED, card)
    return card


def _with_same_box(card: Card, box: int, version: int) -> Doc:
    """Return the card's description; raise Conflict unless the box still says what it said at this version."""
    later = Activity.objects.filter(card_id=card.pk, board=card.board_id, version__gt=version)
    changes = later.filter(data__has_key="description").select_related("user")
    last, seen = changes.first(), card.description
    if last is not None:
        former = FormerValues.objects.filter(activity=changes.order_by("version")[:1]).first()
        seen = former.values.get("description") if former else None
    now = box_at(card.description, box)
    has_arrived = version > card.board.version or later.filter(verb=Verb.CARD_ARRIVED).exists()
    if card.description is None or now is None or now != box_at(seen, box) or has_arrived:
        raise _moved_on(last)
    return card.description


def _moved_on(last: Activity | None) -> Conflict:
    if last is None:
        return Conflict(_("This checkbox no longer exists. Reload the page."))
    sentence = _("%(person)s changed this text in the meantime. Check it, then tick the checkbox again.")
    return Conflict(sentence % {"person": last.user.display_name})
