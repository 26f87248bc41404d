"""An item of a checklist that becomes a card of its own."""

from uuid import UUID

from boards.actions.cards.card import add_card, draft_card, open_list
from boards.actions.cards.checklists import delete_item
from boards.actions.change import change
from boards.actions.guards import require_open
from boards.actions.ordering import Place
from boards.actor import Actor
from boards.models import Card, ChecklistItem, List


def make_item_a_card(*, actor: Actor, item_id: UUID | None, title: str | None = None) -> Card:
    """Create a card right below the item's card, and delete the item: two changes, both or none.

    The title is the text of the item, unless another one is given.
    """
    with change(actor, ChecklistItem, item_id, deletes=True) as c:
        card = c.row.card
        require_open(card)
        draft = draft_card(title=c.row.text if title is None else title)
        with change(actor, List, card.list_id) as creation:
            made = add_card(creation, draft, open_list(creation.row, creation.board), Place("after", card.pk))
            creation.keep(item_id=item_id)  # without which the card must not be taken back
        delete_item(actor=actor, item_id=item_id, made=made)
    return made
