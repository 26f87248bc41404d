"""Template tags that every page may use."""

import functools
import re
import zlib
from typing import Any
from uuid import UUID

from django import template
from django.template import defaultfilters
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from boards.colours import Hue
from core.text.dates import format_for_reader
from core.text.names import picture_address

register = template.Library()


@register.simple_tag
@functools.cache
def icon(name: str) -> SafeString:
    """Return a decorative icon from static/vendor/icons.svg; bin/vendor lists the names. Put its meaning in text."""
    sheet = static("vendor/icons.svg")
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', sheet, name)


@register.simple_tag
def avatar(user: User, *, named: bool = True, css: str = "") -> SafeString:
    """Return the user's picture over their initials on their colour. Use `named=False` where the name is beside it as text.

    The initials show until the picture is loaded, and if it cannot be loaded. Public links show them alone: what they
    show of people has no picture.
    """
    look = f"avatar hue-{avatar_hue(user.pk)} {css}".strip()
    inside = format_html("{}{}", initials(user.display_name), face(getattr(user, "picture", "")))
    if not named:
        return format_html('<span class="{}" aria-hidden="true">{}</span>', look, inside)
    return format_html(
        '<span class="{}" role="img" aria-label="{}" title="{}">{}</span>',
        look,
        user.display_name,
        user.display_name,
        inside,
    )


def face(picture: str) -> SafeString:
    return format_html('<img src="{}" alt="" loading="lazy">', picture_address(picture)) if picture else SafeString()


@register.filter("date", expects_localtime=True, is_safe=False)
def date_for_reader(value: Any, name: str | None = None) -> str:
    """Write a date in the form that the reader chose: it takes the place of Django's filter in every template."""
    return defaultfilters.date(value, format_for_reader(name or "DATE_FORMAT"))


@register.filter
def up_to_99(number: int) -> str:
    return "99+" if number > 99 else str(number)


def avatar_hue(identity: UUID) -> int:
    """Return the number of a Hue, always the same for the same id."""
    return zlib.crc32(identity.bytes) % len(Hue) + 1


def initials(name: str) -> str:
    """Return the first letters of the first and last word: OK for Olga Kern and olga.kern, O for Olga."""
    words = [word for word in re.split(r"[\W_]+", name) if word] or [name]
    signs = [word[0] for word in (words[0], words[-1])] if len(words) > 1 else [words[0][0]]
    return "".join(signs).upper()
