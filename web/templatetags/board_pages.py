"""Filters of the board pages."""

from collections.abc import Iterable

from django import template

from boards.models import Activity, ChecklistItem, Comment, Role
from boards.models.verbs import Door

register = template.Library()


@register.filter
def ticked(items: Iterable[ChecklistItem]) -> int:
    return sum(item.done for item in items)


@register.filter
def as_role(value: str) -> Role:
    """Return the column's text as a Role, so that templates can ask it what it may do."""
    return Role(value)


@register.filter
def via(row: Activity | Comment) -> str:
    """Return the door that a change came through, with the name of the token if there is one, as in agent · laptop."""
    door = str(Door(row.door).label)
    return f"{door} · {row.token_name}" if row.token_name else door
