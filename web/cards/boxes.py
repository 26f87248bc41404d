"""Boxes of a description that are ticked where it is read."""

from django.urls import reverse
from django.utils.html import format_html

from boards.models import Card


class Boxes:
    """Writes each box of a card's description as a button that ticks it, or opens it again."""

    def __init__(self, card: Card) -> None:
        self.address = f"{reverse('card_tick', args=[card.pk])}?version={card.version}&checked="
        self.number = 0

    def __call__(self, text: str, checked: bool) -> str:
        self.number += 1
        return format_html(
            '<button class="box" id="box-{number}" role="checkbox" aria-checked="{now}" aria-label="{text}"'
            ' form="board-form" formaction="{address}{next}" name="box" value="{number}"></button>',
            number=self.number,
            now="true" if checked else "false",
            text=text,
            address=self.address,
            next=int(not checked),
        )
