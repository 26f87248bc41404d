"""Name the keys of shortcuts as the reader's own keyboard does.

Menus are rendered once for all readers, so they hold the names of Apple's keyboards and of all others. The page says which
keyboard it is, and static/css/keys.css hides the rest.
"""

import re

from django import template
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

register = template.Library()

APPLE = re.compile("Macintosh|iPhone|iPad")
APPLE_NAMES = {"Mod": "⌘", "Shift": "⇧", "Alt": "⌥", "Enter": "↩", "Home": "↖", "End": "↘"}


@register.simple_tag
def keys(pressed: str) -> SafeString:
    """Return the names of keys such as "Mod Shift Z". Mod is Ctrl, and ⌘ on Apple's keyboards."""
    others, apple = _named(pressed, _other_names()), _named(pressed, _other_names() | APPLE_NAMES)
    if others == apple:
        return format_html("{}", others)
    return format_html('<span class="others-key">{}</span><span class="apple-key">{}</span>', others, apple)


@register.filter
def keyboard(request: HttpRequest | str) -> str:
    """Return "apple" for the browsers of Apple's devices. Pages of errors may have no request."""
    agent = request.headers.get("User-Agent", "") if isinstance(request, HttpRequest) else ""
    return "apple" if APPLE.search(agent) else "other"


def _other_names() -> dict[str, str]:
    return {
        "Mod": pgettext("key", "Ctrl"),
        "Shift": pgettext("key", "Shift"),
        "Enter": pgettext("key", "Enter"),
        "Esc": pgettext("key", "Esc"),
        "Home": pgettext("key", "Home"),
        "End": pgettext("key", "End"),
    }


def _named(pressed: str, names: dict[str, str]) -> str:
    return re.sub(r"\w+", lambda key: names.get(key[0], key[0]), pressed)
