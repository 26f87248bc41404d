"""Names in a row, as core/text/lists.py writes them: `{{ names|join_items }}`."""

from django import template

from core.text.lists import join_items

register = template.Library()
register.filter("join_items", join_items)
