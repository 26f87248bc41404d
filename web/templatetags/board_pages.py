"""Filters of the board pages."""

from django import template
from django.utils.translation import gettext as _

from accounts.models import User
from boards.models import Activity, Card, Comment, Role
from boards.models.verbs import Door
from web.due import due_state_for

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
def due_class(card: Card, user: User) -> str:
    """Return the CSS class of a card's due date: late, soon, met or ""."""
    return due_state_for(card, user)


@register.filter
def via(row: Activity | Comment) -> str:
    """Return how a change came in, with the name of the token if there is one, as in via agent · laptop."""
    if row.door == Door.WEB:
        return _("in the web app")
    door = str(Door(row.door).label)
    return _("via %(door)s") % {"door": f"{door} · {row.token_name}" if row.token_name else door}
