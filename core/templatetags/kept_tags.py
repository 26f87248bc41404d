"""Include templates that many pages share. Each is rendered once for a language and the given values, and then kept.

A board's page has dozens of dialogs, menus and sentences: rendering them for each reader took more than half of the
page's time (docs/decisions/speed.md).
"""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import get_language

from core.http.kept_html import KeptHtml

register = template.Library()

MOST = 1000  # pieces: some dozens for each language, and a few of each board that was opened lately


@register.simple_tag
def include_kept(name: str, **given: Hashable) -> KeptHtml:
    """Include a template that sees nothing but `given`: values that never change, as two that are equal count as one.

    So no reader gets anything that was made for another one. While templates are worked on, nothing is kept.
    """
    find = rendered.__wrapped__ if settings.DEBUG else rendered
    return find(name, get_language(), **given)


@lru_cache(MOST, typed=True)  # a text that is safe to show as it is equals one that is not
def rendered(name: str, language: str | None, **given: Hashable) -> KeptHtml:
    return KeptHtml(get_template(name).render(given))
