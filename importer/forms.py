"""The forms of an import: choose a file, answer the format's questions, match people and choose boards."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from importer.formats import FORMATS
from importer.formats.source import Question, SourceKind
from importer.models import Import

BOARDS_TO_CHOOSE = 300  # a page has so many boxes; of more boards all are imported
PEOPLE_TO_MATCH = 200


def megabytes() -> int:
    return settings.IMPORT_MEGABYTES


class UploadForm(forms.Form):
    format = forms.ChoiceField(label=gettext_lazy("Source"), required=False)
    file = forms.FileField(label=gettext_lazy("File"), required=False, allow_empty_file=True)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        named = [(name, format.TITLE) for name, format in FORMATS.items()]
        self.fields["format"].choices = [("", _("Detect automatically")), *named]  # type: ignore[attr-defined]
        most = megabytes()
        text = ngettext("At most %(most)s megabyte.", "At most %(most)s megabytes.", most) % {"most": most}
        self.fields["file"].help_text = text
        self.fields["file"].widget.attrs |= {
            "data-behaviour": "file-size",
            "data-most": str(most * 1024**2),
            "data-too-large": text,
        }

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        needs_file = not found.get("format") or FORMATS[found["format"]].NEEDS_FILE
        if needs_file and not found.get("file") and "file" not in self.errors:
            self.add_error("file", _("Choose a file."))
        elif found.get("file") and found["file"].size > megabytes() * 1024**2:
            self.add_error("file", self.fields["file"].help_text)
        return found


class QuestionsForm(forms.Form):
    """One field for each question. Those with `has_answer` are answered already, and need not be called optional."""

    def __init__(self, *args: Any, questions: list[Question], given: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        for one in questions:
            field = self.fields[one.name] = _field_of(one, given.get(one.name, one.answer))
            if one.kind is SourceKind.SECRET and given.get(one.name):
                field.help_text = _("Leave empty to keep your previous entry.")
            field.has_answer = bool(one.choices or one.answer)  # type: ignore[attr-defined]


def _field_of(one: Question, first: str) -> forms.Field:
    common: dict[str, Any] = {"label": one.label, "help_text": one.help, "required": one.required}
    if one.kind is SourceKind.SELECT or one.choices:
        return forms.ChoiceField(**common, choices=[(value, text) for value, text in one.choices], initial=first)
    if one.kind is SourceKind.SECRET:
        widget = forms.PasswordInput(attrs={"autocomplete": "off"})
        return forms.CharField(**common, max_length=500, widget=widget)
    return forms.CharField(**common, max_length=500, initial=first)


def chosen_people(row: Import, sent: Mapping[str, str]) -> dict[str, str]:
    """Return the answers about people that were sent, "" for nobody, by the keys of the people."""
    people = row.report.get("people", [])[:PEOPLE_TO_MATCH]
    names = {one["key"]: f"person-{place}" for place, one in enumerate(people)}
    return {key: sent[name] for key, name in names.items() if name in sent}


def boards_left_out(row: Import, sent: Mapping[str, str]) -> list[str]:
    boards = row.report.get("boards", [])
    if len(boards) > BOARDS_TO_CHOOSE or "choose-boards" not in sent:
        return []
    return [one["key"] for place, one in enumerate(boards) if f"board-{place}" not in sent]
