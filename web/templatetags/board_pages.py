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
    """Turn the text of a database column into a role, which templates can ask what it may do."""
    return Role(value)


@register.filter
def via(row: Activity | Comment) -> str:
    """The door that a change came through, with the name of the token: agent · laptop."""
    door = str(Door(row.door).label)
    return f"{door} · {row.token_name}" if row.token_name else door
