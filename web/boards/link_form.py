"""The form for a new invitation link."""

from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from boards.actions.people.members import INVITABLE
from boards.models import Role
from boards.models.invitation_link import LONGEST, LONGEST_NAME, MOST_USES
from core.ids import parse_id
from web.http.forms import DomainForm, RoleField
from web.http.refusals import LABELS


class LinkForm(DomainForm):
    """A new invitation link. `form` becomes its id, so that the form makes one link however often a browser sends it."""

    form = forms.CharField(required=False, widget=forms.HiddenInput, initial=uuid7)
    role = RoleField(lambda: [(role.value, role.label) for role in INVITABLE], initial=Role.VIEWER.value)
    expires = forms.ChoiceField(
        label=_("Expires"),
        choices=[
            ("1", _("In 1 day")),
            ("7", _("In 7 days")),
            ("30", _("In 30 days")),
            ("date", _("On a date")),
        ],
        initial="7",
    )
    until = forms.DateField(
        label=LABELS["until"],
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_("The last day the link works, at most 90 days from now."),
        error_messages={"invalid": _("Enter the date as year-month-day, such as 2030-12-31.")},
    )
    uses = forms.IntegerField(
        label=LABELS["uses"],
        required=False,
        min_value=1,
        max_value=MOST_USES,
        help_text=_("How many people can join with it, up to 100. Leave empty for no limit."),
    )
    name = forms.CharField(
        label=LABELS["name"],
        required=False,
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("A name to tell your links apart. Members see it in the activity."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"prefix": "link", **options})
        today = timezone.localdate()
        last = today + LONGEST
        self.fields["until"].widget.attrs |= {"min": today.isoformat(), "max": last.isoformat()}

    def clean_form(self) -> UUID | None:
        """Return None for an id that no page of ours sent: rows have ids of version 7."""
        return parse_id(self.cleaned_data["form"])

    def clean(self) -> dict[str, Any]:
        """Turn the choice into the moment at which the link expires."""
        data = super().clean() or {}
        if self.errors:
            return data
        chosen, last_day = data.pop("expires"), data.pop("until")
        if chosen == "date" and last_day is None:
            self.add_error("until", _("Choose the last day the link works."))
            return data
        data["expires_at"] = _end_of(last_day) if chosen == "date" else timezone.now() + timedelta(days=int(chosen))
        return data


def _end_of(day: date) -> datetime:
    """Return the end of the day in the active time zone, of the last allowed day the last allowed moment."""
    latest = timezone.now() + LONGEST
    if day > timezone.localdate() + LONGEST:
        return latest + timedelta(days=1)  # which the action refuses
    return min(timezone.make_aware(datetime.combine(day, time(23, 59, 59))), latest)
