"""Template tags that every page may use."""

import functools
import re
import zlib
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from django import template
from django.template import defaultfilters
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from boards.colours import Hue
from boards.dates import timestamp
from core.text.dates import date_in_form, full_in_form, local_time, near_in_form
from core.text.names import picture_address
from core.text.sizes import size_in_words

register = template.Library()


@register.simple_tag
@functools.cache
def icon(name: str) -> SafeString:
    """Return a decorative icon from static/vendor/icons.svg; bin/vendor lists the names. Put its meaning in text."""
    sheet = static("vendor/icons.svg")
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', sheet, name)


@register.simple_tag
def avatar(user: User, *, named: bool = True, css: str = "") -> SafeString:
    """Return the user's picture over their initial on their colour. Use `named=False` where the name is beside it as text.

    The initial shows until the picture is loaded, and if it cannot be loaded. Public links show it alone: what they
    show of people has no picture.
    """
    look = f"avatar hue-{avatar_hue(user.pk)} {css}".strip()
    inside = format_html("{}{}", initial(user.display_name), face(getattr(user, "picture", "")))
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


@register.filter("date", is_safe=False)
def date_for_reader(value: Any, name: str = "DATE_FORMAT") -> str:
    """Write a date in the form that the reader chose: it takes the place of Django's filter in every template."""
    return date_in_form(_local(value), name) if isinstance(value, date | time) else defaultfilters.date(value, name)


@register.filter(is_safe=False)
def near(value: date) -> str:
    """Write a date or a moment that stands alone, such as in a table: a near one in words."""
    return near_in_form(_local(value))


@register.filter(is_safe=False)
def near_day(value: datetime) -> str:
    """Write the day of a moment that stands alone."""
    return near_in_form(local_time(value).date())


@register.filter(is_safe=False)
def full(moment: datetime) -> str:
    """Write a moment in full, as in mails, which are kept for years."""
    return full_in_form(local_time(moment))


def _local(value: Any) -> Any:
    return local_time(value) if isinstance(value, datetime) and timezone.is_aware(value) else value


@register.filter("filesizeformat", is_safe=True)
def size_for_reader(size: float) -> str:
    """Write a size without ".0": it takes the place of Django's filter in every template."""
    return size_in_words(size)


@register.simple_tag
def ago(moment: datetime) -> SafeString:
    """Show a moment in the reader's form of dates, until a script says how long ago it was (static/js/kit/times.js)."""
    local = local_time(moment)
    machine = timestamp(moment.replace(microsecond=0))
    return format_html(
        '<time datetime="{}" data-show="ago" title="{}">{}</time>',
        machine,
        full_in_form(local),
        date_in_form(local, "DATETIME_FORMAT"),
    )


@register.filter
def up_to_99(number: int) -> str:
    return "99+" if number > 99 else str(number)


def avatar_hue(identity: UUID) -> int:
    """Return the number of a Hue, always the same for the same id."""
    return zlib.crc32(identity.bytes) % len(Hue) + 1


def initial(name: str) -> str:
    """Return the first letter of a name, or its first sign if it has no letter."""
    return (re.search(r"[^\W_]", name) or re.match(r".", name, re.DOTALL))[0].upper()  # type: ignore[index]
