"""Include templates that look the same to all who read a language. Each is rendered once for a language and then kept.

A board's page has dozens of dialogs, menus and sentences for its scripts: rendering them for each reader took more than half
of the page's time (docs/decisions/speed.md).
"""

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import get_language

from core.kept_html import KeptHtml

register = template.Library()

_kept: dict[tuple[str, str | None], KeptHtml] = {}  # by template and language; as many as templates name


@register.simple_tag
def include_kept(name: str, **constants: object) -> KeptHtml:
    """Include a template that is given nothing but `constants`, which are the same wherever it is included.

    So nothing of a reader can get into what the next one sees. While templates are worked on, nothing is kept.
    """
    key = name, get_language()
    if key not in _kept or settings.DEBUG:
        _kept[key] = KeptHtml(get_template(name).render(constants))
    return _kept[key]
