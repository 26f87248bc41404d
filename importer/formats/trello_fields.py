"""Custom fields and places of Trello's cards, as Markdown."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from boards.losses import Loss
from importer.formats.things import Thing
from importer.formats.words import plain, together, wall_time


def custom_fields(card: Thing, fields: Mapping[str, Thing], zone: ZoneInfo) -> list[tuple[str, str]]:
    """Return name and value of the fields of a card, in the order of the board, and count them."""
    found = []
    for one in card.things("customFieldItems"):
        key = one.key("idCustomField")
        value = _value(one, fields.get(key), zone)
        if key not in fields or not value:
            if one.raw("value") or one.raw("idValue"):
                card.report.lose(Loss.UNKNOWN_REFERENCE, one.where)
            continue
        card.report.lose(Loss.FIELD_IN_TEXT, one.where)
        field = fields[key]
        found.append((field.number("pos") or 0.0, field.line("name") or _("Untitled"), value))
    return [(name, value) for _pos, name, value in sorted(found, key=lambda item: item[0])]


def _value(one: Thing, field: Thing | None, zone: ZoneInfo) -> str:
    """Return Markdown. Trello writes each value as text, whatever the field's type is; that of a list is an option's id."""
    if field is None:
        return ""
    if option := one.key("idValue"):
        return next(
            (plain(this.thing("value").text("text")) for this in field.things("options") if this.key("id") == option),
            "",
        )
    value = one.thing("value")
    if moment := value.moment("date"):
        return wall_time(moment, zone)
    if checked := value.raw("checked"):
        return _("Yes") if checked in ("true", True) else _("No")
    return plain(value.text("number") or value.text("text"))


def place_of(card: Thing) -> str:
    """Return the place of a card on a map, as Markdown, and count it."""
    coordinates = card.raw("coordinates")
    if isinstance(coordinates, dict):
        at = card.thing("coordinates")
        coordinates = together([at.text("latitude"), at.text("longitude")])
    found = together(
        [card.line("locationName"), card.line("address"), coordinates if isinstance(coordinates, str) else ""]
    )
    if found:
        card.report.lose(Loss.FIELD_IN_TEXT, card.at("coordinates"))
    return plain(found)
