"""The form by which operators take boards from a token, or let it end earlier."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.ids import parse_id


class NarrowForm(forms.Form):
    """`changes` are the values for `narrow_token`. What is left empty stays.

    Boards are ids: the admin shows no titles, which may be private.
    """

    boards = forms.CharField(
        label=gettext_lazy("IDs of the boards that remain, one per line"),
        required=False,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    until = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )

    def clean_boards(self) -> list[str]:
        ids = {text: parse_id(text) for text in self.cleaned_data["boards"].split()}
        if wrong := [text for text, found in ids.items() if found is None]:
            raise forms.ValidationError(_("“%(text)s” is not the ID of a board."), params={"text": wrong[0]})
        return sorted({str(found) for found in ids.values()})

    def clean_until(self) -> date | None:
        last_day: date | None = self.cleaned_data["until"]
        if last_day and last_day < timezone.localdate():
            raise forms.ValidationError(_("This date has passed. Choose today or a later date."))
        if last_day and last_day.year == date.max.year:
            raise forms.ValidationError(_("Choose an earlier year."))
        return last_day

    @property
    def changes(self) -> dict[str, Any]:
        wanted: dict[str, Any] = {}
        if self.cleaned_data["boards"]:
            wanted["board_ids"] = self.cleaned_data["boards"]
        if last_day := self.cleaned_data["until"]:
            wanted["expires_at"] = timezone.make_aware(datetime.combine(last_day, time(23, 59, 59)))
        return wanted
