"""Checklists and their items, as the API takes and shows them."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from apiv1.fields import Flag, IdOf, Line, PlaceAmong
from boards import text
from boards.models import ChecklistItem
from boards.reading.cards import id_in


class ChecklistIn(serializers.Serializer):
    title = Line(min_length=1, max_length=text.CHECKLIST)
    place = PlaceAmong(required=False)


class ChecklistChange(serializers.Serializer):
    title = Line(required=False, min_length=1, max_length=text.CHECKLIST)
    place = PlaceAmong(required=False)


class ItemIn(serializers.Serializer):
    text = Line(min_length=1, max_length=text.CHECKLIST)
    place = PlaceAmong(required=False)


class ItemChange(serializers.Serializer):
    text = Line(required=False, min_length=1, max_length=text.CHECKLIST)
    done = Flag(required=False)
    place = PlaceAmong(required=False)
    checklistId = IdOf(required=False, help_text="Another checklist of the same card.")


class ItemOut(serializers.Serializer):
    id = serializers.UUIDField()
    text = serializers.CharField()
    done = serializers.BooleanField()


class ChecklistOut(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    items = ItemOut(many=True)


class ChecklistAnswer(serializers.Serializer):
    checklist = ChecklistOut()


class ChecklistsAnswer(serializers.Serializer):
    checklists = ChecklistOut(many=True)


class ItemAnswer(serializers.Serializer):
    item = ItemOut()


def checklists_out(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the checklists of (checklist id, title, item id or None, text, done), which are in display order."""
    found: dict[Any, dict[str, Any]] = {}
    for checklist, title, item, words, done in rows:
        entry = found.setdefault(checklist, {"id": id_in(str(checklist)), "title": title, "items": []})
        if item:
            entry["items"].append({"id": id_in(str(item)), "text": words, "done": bool(done)})
    return list(found.values())


def item_out(item: ChecklistItem) -> dict[str, Any]:
    return {"id": str(item.pk), "text": item.text, "done": item.done}
