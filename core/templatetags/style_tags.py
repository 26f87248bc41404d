"""The links to style sheets."""

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.http.style_sheets import GROUPS, ON_PAPER, bundle, source

register = template.Library()


@register.simple_tag
def styles(group: str) -> SafeString:
    """Return the link to the file of a group, or the links to its style sheets while they are worked on."""
    if is_collected(group):
        return format_html('<link rel="stylesheet" href="{}">', static(bundle(group)))
    return format_html_join(
        "\n  ",
        '<link rel="stylesheet" href="{}" media="{}">',
        ((static(source(name)), "print" if name in ON_PAPER else "all") for name in GROUPS[group]),
    )


@register.simple_tag
def addresses_of_styles(group: str) -> str:
    """Return where a script finds the style sheets of a group, separated by spaces."""
    names = [bundle(group)] if is_collected(group) else map(source, GROUPS[group])
    return " ".join(map(static, names))


def is_collected(group: str) -> bool:
    return not settings.DEBUG and bundle(group) in getattr(staticfiles_storage, "hashed_files", ())
