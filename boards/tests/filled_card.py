from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card
from boards.actions.cards.checklists import add_item, create_checklist, update_item
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.models import Card, List
from conftest import web


def filled_card(olga: User, ed: User, todo: List, title: str) -> Card:
    """Create a card with everything that a tile can show."""
    actor = web(olga)
    due = timezone.now() + timedelta(days=3)
    card = create_card(actor=actor, list_id=todo.pk, title=title, due_at=due, recurrence="weekly")
    for name in ("Bug", "Chore"):
        add_label(
            actor=actor,
            card_id=card.pk,
            label_id=create_label(actor=actor, board_id=card.board_id, name=f"{name} of {title}").pk,
        )
    for user in (olga, ed):
        assign(actor=actor, card_id=card.pk, user_id=user.pk)
    for number in range(2):
        checklist = create_checklist(actor=actor, card_id=card.pk, title=f"List {number}")
        item = add_item(actor=actor, checklist_id=checklist.pk, text="Item")
        add_item(actor=actor, checklist_id=checklist.pk, text="Other")
        add_comment(actor=actor, card_id=card.pk, text="Comment")
    update_item(actor=actor, item_id=item.pk, done=True)
    return card
