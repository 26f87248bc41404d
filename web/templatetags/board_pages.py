"""Filters of the board pages."""

from django import template

from boards.models import Activity, Comment, Role
from boards.models.verbs import Door

register = template.Library()


@register.filter(name="hex")
def hexadecimal(number: int) -> str:
    """Return a position as place.js reads it."""
    return f"{number:x}"


@register.filter
def as_role(value: str) -> Role:
    """Return the column's text as a Role, so that templates can ask it what it may do."""
    return Role(value)


@register.filter
def via(row: Activity | Comment) -> str:
    """Return the door that a change came through, with the name of the token if there is one, as in agent · laptop."""
    door = str(Door(row.door).label)
    return f"{door} · {row.token_name}" if row.token_name else door
