from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def control(field: BoundField) -> SafeString:
    """The field's control without a placeholder: its label says what it is, also once something is typed."""
    return field.as_widget(attrs={"placeholder": False})
