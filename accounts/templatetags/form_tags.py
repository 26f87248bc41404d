from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def control(field: BoundField, placeholder: str = "") -> SafeString:
    """Render the field's control. Allauth's placeholders only repeat the label, so they are left out."""
    return field.as_widget(attrs={"placeholder": placeholder or False})
