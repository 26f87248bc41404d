from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def control(field: BoundField) -> SafeString:
    """Render the field's control without allauth's placeholder, which only repeats the label."""
    return field.as_widget(attrs={"placeholder": False})
