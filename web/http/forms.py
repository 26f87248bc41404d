"""Forms of pages with more than one field. Their fields apply the rules of the domain, as apiv1/fields.py does."""

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.http import HttpResponse
from django.utils.choices import CallableChoiceIterator

from boards.actions.people.members import valid_role
from boards.actions.sharing.invitations import valid_email
from boards.colours import Hue, palette, valid_hue
from boards.errors import Conflict, DomainError, Invalid, LimitReached, by_class
from boards.text import clean_line
from web.http.refusals import LABELS, STATUS, refusal_fragment, sentence_of

T = TypeVar("T")


class DomainForm(forms.Form):
    """A form that shows errors of the domain beside the field at fault. `status` is the HTTP status of the answer."""

    status = 200

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"auto_id": "%s", **options})

    def send(self, act: Callable[[dict[str, Any]], T], conflicts: str | None = None) -> T | None:
        """Call `act` with the valid values and return its result. If they are refused, add errors and return None.

        A Conflict is shown at the field named by `conflicts`; without one it is raised, as NotAllowed and NotFound are.
        """
        if not self.is_valid():
            self.status = STATUS[Invalid]
            return None
        try:
            return act(self.cleaned_data)
        except Invalid as error:
            self._refuse(error.field, error)
        except LimitReached as error:
            self._refuse(None, error)
        except Conflict as error:
            if conflicts is None:
                raise
            self._refuse(conflicts, error)
        return None

    def refusal(self) -> HttpResponse:
        """Return the first error as the answer to a script, which shows it beside its field."""
        field, errors = next(iter(self.errors.items()))
        return refusal_fragment(str(errors[0]), field=self.add_prefix(field), status=self.status)

    def _refuse(self, field: str | None, error: DomainError) -> None:
        self.add_error(field if field in self.fields else None, sentence_of(error))
        self.status = by_class(STATUS, error)


class RuleField(forms.Field):
    """A field whose value a function of the domain checks."""

    def __init__(self, rule: Callable[[Any], Any], **options: Any) -> None:
        super().__init__(**options)
        self.rule = rule

    def clean(self, value: Any) -> Any:
        try:
            return self.rule(value or "")
        except Invalid as error:
            raise forms.ValidationError(sentence_of(error)) from None


class LineField(RuleField):
    """A title or name on one line (boards/text.py)."""

    def __init__(self, name: str, limit: int, **options: Any) -> None:
        options = {"label": LABELS[name], "widget": forms.TextInput(attrs={"autocomplete": "off"}), **options}
        super().__init__(lambda value: clean_line(value, name, limit), **options)


class EmailField(RuleField):
    def __init__(self, **options: Any) -> None:
        widget = forms.EmailInput(attrs={"autocomplete": "off"})
        super().__init__(valid_email, label=LABELS["email"], widget=widget, **options)


class RadioField(RuleField):
    """A choice shown as radio buttons. `choices` is a callable, because its labels are in the reader's language."""

    def __init__(self, rule: Callable[[Any], Any], choices: Callable[[], Any], **options: Any) -> None:
        super().__init__(rule, widget=forms.RadioSelect(), **options)
        self.choices = self.widget.choices = CallableChoiceIterator(choices)


class ColourField(RadioField):
    def __init__(self, **options: Any) -> None:
        options = {"label": LABELS["color"], "initial": Hue.BLUE, **options}
        super().__init__(lambda value: valid_hue(_number(value)), palette, **options)


class RoleField(RadioField):
    def __init__(self, choices: Callable[[], Any], **options: Any) -> None:
        super().__init__(valid_role, choices, label=LABELS["role"], **options)


def _number(value: str) -> int:
    """Return the number, or 0, which is not a colour, for anything but one or two digits."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else 0
