"""Forms in which people choose what a token may do: in the settings, and on the page /cli."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import TextChoices
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from uuid_utils.compat import uuid7

from accounts.models import Access, ApiToken, Bounds
from accounts.names import NameField
from boards.models import Board
from core.ids import parse_id

LONG = 8  # boards that can be looked through without a filter


class Rights(TextChoices):
    """Access and the right to delete in one choice: nobody who may only read deletes."""

    READ = "read", pgettext_lazy("token", "Read only")
    WRITE = "write", pgettext_lazy("token", "Read and write")
    DELETE = "delete", pgettext_lazy("token", "Read, write and delete")

    @classmethod
    def of(cls, bounds: Bounds | ApiToken) -> "Rights":
        if bounds.access == Access.READ:
            return cls.READ
        return cls.DELETE if bounds.deletes else cls.WRITE


class Scope(TextChoices):
    ALL = "all", _("All boards, also future ones")
    CHOSEN = "chosen", _("Only chosen boards")


class BoundsForm(forms.Form):
    """Choose what a token may do. Once it is valid, `bounds` and `expires_at` are what was chosen.

    What is missing in what was sent is not limited, so that a form without these fields makes a token for everything.
    """

    rights = forms.ChoiceField(label=_("Access"), required=False, widget=forms.RadioSelect, initial=Rights.DELETE)
    scope = forms.ChoiceField(label=_("Boards"), required=False, widget=forms.RadioSelect, initial=Scope.ALL)
    boards = forms.MultipleChoiceField(
        label=_("Chosen boards"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("One of these boards no longer exists. Choose again.")},
    )
    expires = forms.ChoiceField(label=_("Expires"), required=False, initial="")
    until = forms.DateField(
        label=_("Last day"),
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": _("Enter the date as year-month-day, such as 2030-12-31.")},
    )

    def __init__(self, *args: Any, boards: Iterable[Board], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = list(boards)
        self._choices("rights").choices = Rights.choices
        self._choices("scope").choices = Scope.choices
        self._choices("boards").choices = [(str(board.pk), board.title) for board in self.known]
        self._choices("expires").choices = [
            ("", _("Never")),
            ("7", _("In 7 days")),
            ("30", _("In 30 days")),
            ("90", _("In 90 days")),
            ("date", _("On a date")),
        ]
        self.fields["until"].widget.attrs["min"] = timezone.localdate().isoformat()

    def _choices(self, name: str) -> Any:
        return self.fields[name]

    @property
    def is_long(self) -> bool:
        return len(self.known) > LONG

    def clean_until(self) -> date | None:
        last_day = self.cleaned_data["until"]
        if self.cleaned_data.get("expires") != "date":
            return None
        if last_day is None:
            raise forms.ValidationError(_("Choose the last day the token works."))
        if last_day < timezone.localdate():
            raise forms.ValidationError(_("This date has passed. Choose today or a later date."))
        if last_day.year == date.max.year:
            raise forms.ValidationError(_("Choose an earlier year."))
        return last_day

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("boards"):
            data["scope"] = data.get("scope") or Scope.CHOSEN
        elif data.get("scope") == Scope.CHOSEN and self.needs_boards and not self.has_error("boards"):
            self.add_error("boards", _("Choose at least one board."))
        return data

    @property
    def needs_boards(self) -> bool:
        return True

    @property
    def bounds(self) -> Bounds:
        rights = self.cleaned_data["rights"] or Rights.DELETE
        chosen = sorted(self.cleaned_data["boards"]) if self.cleaned_data["scope"] == Scope.CHOSEN else None
        access = Access.READ if rights == Rights.READ else Access.READ_WRITE
        return Bounds(access.value, chosen, rights == Rights.DELETE)

    @property
    def expires_at(self) -> datetime | None:
        chosen, last_day = self.cleaned_data["expires"], self.cleaned_data["until"]
        if last_day:
            return timezone.make_aware(datetime.combine(last_day, time(23, 59, 59)))
        return timezone.now() + timedelta(days=int(chosen)) if chosen else None


class WishesForm(BoundsForm):
    """Choose what a token may do that is wished for by a program. What is missing in what was sent is as it wishes."""

    def __init__(self, data: QueryDict | None, *, wishes: Bounds, boards: Iterable[Board]) -> None:
        known = list(boards)
        wanted = {*(wishes.board_ids or ())}
        seen = [str(board.pk) for board in known if str(board.pk) in wanted]
        scope = Scope.ALL if wishes.board_ids is None else Scope.CHOSEN
        wished = {"rights": [Rights.of(wishes).value], "scope": [scope.value], "boards": seen}
        if data is not None:
            chose_boards = "scope" in data or "boards" in data
            data = data.copy()
            for name, values in wished.items():
                if name not in data and not (chose_boards and name != "rights"):
                    data.setlist(name, values)
        super().__init__(data, boards=known, initial={"rights": Rights.of(wishes), "scope": scope, "boards": seen})
        self.choices = data

    def sent(self) -> list[tuple[str, str]]:
        """Return names and values of what was chosen, to be sent again from another form."""
        return [(name, value) for name in self.fields for value in self.choices.getlist(name)] if self.choices else []


class NewTokenForm(BoundsForm):
    """Create an API token. `form_id` becomes its id, so that the form creates one however often a browser sends it."""

    form_id = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid7)
    name = NameField(label=_("Name"), help_text=_("Where you will use it, such as “laptop” or “nightly report”."))

    def clean_form_id(self) -> UUID | None:
        """Return None for an id that no page of ours sent: rows have ids of version 7."""
        return parse_id(str(self.cleaned_data["form_id"]))


class NarrowForm(BoundsForm):
    """Let a token do less: only what it may do now is offered. `changes` are the fields of the row that differ."""

    def __init__(self, *args: Any, token: ApiToken, boards: Iterable[Board], **kwargs: Any) -> None:
        seen = [board for board in boards if token.boards is None or board.pk in token.boards]
        self.token, self.rights_now = token, Rights.of(token)
        initial: dict[str, Any] = {"rights": self.rights_now, "expires": "keep"}
        if token.boards is not None:
            initial |= {"scope": Scope.CHOSEN, "boards": [str(board.pk) for board in seen]}
        super().__init__(*args, boards=seen, initial=initial, **kwargs)
        place = Rights.values.index(self.rights_now)
        self._choices("rights").choices = Rights.choices[: place + 1]
        if token.boards is not None:
            self._choices("scope").choices = Scope.choices[1:]
        self._choices("expires").choices = [("keep", _("No change")), *self._earlier()]
        if token.expires_at:
            self.fields["until"].widget.attrs["max"] = timezone.localdate(token.expires_at).isoformat()

    def _earlier(self) -> Iterable[tuple[str, Any]]:
        for value, words in list(self._choices("expires").choices)[1:]:
            moment = timezone.now() + timedelta(days=int(value)) if value.isdecimal() else timezone.now()
            if self.token.expires_at is None or moment < self.token.expires_at:
                yield value, words

    @property
    def needs_boards(self) -> bool:
        return bool(self.known)  # else all of its boards are gone

    @property
    def is_for_all(self) -> bool:
        return self.token.boards is None

    @property
    def changes(self) -> dict[str, Any]:
        wanted: dict[str, Any] = {}
        rights = self.cleaned_data["rights"] or self.rights_now
        if rights != self.rights_now:
            wanted = self.bounds._asdict()
            del wanted["board_ids"]
        chosen = sorted(self.cleaned_data["boards"])
        if self.cleaned_data["scope"] == Scope.CHOSEN and chosen != sorted(self.initial.get("boards", [])):
            wanted["board_ids"] = chosen
        if self.cleaned_data["expires"] not in ("", "keep"):
            end = self.expires_at
            wanted["expires_at"] = min(end, self.token.expires_at) if end and self.token.expires_at else end
        return wanted
