import re
from datetime import tzinfo
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.access import not_found
from boards.actions.boards.board import valid_template
from boards.actions.people.members import INVITABLE
from boards.actions.sharing.invitations import valid_email
from boards.actions.sharing.public_links import LONGEST
from boards.backgrounds import PICTURE, Background, valid_background
from boards.board_templates import Template
from boards.dates import end_of_day
from boards.errors import Invalid
from boards.models import PublicLink, Role
from boards.models.public_link import ANYBODY
from boards.text import BOARD_TITLE, LABEL
from core.ids import parse_id
from core.text.lists import join_items
from web.http.forms import ColourField, DomainForm, EmailField, LineField, RadioField, RoleField
from web.http.refusals import LABELS


class BoardForm(DomainForm):
    title = LineField("title", BOARD_TITLE)
    color = ColourField()


class BoardSettingsForm(BoardForm):
    background = RadioField(
        lambda value: valid_background(value) if value and value != PICTURE else None,
        lambda: Background.choices,
        label=LABELS["background"],
    )


def valid_choice(value: str) -> str:
    """Return the id of a template of one's own, whose owner the action checks, or the name of one of the four."""
    return str(parse_id(value) or valid_template(value))


class NewBoardForm(BoardForm):
    title = LineField("title", BOARD_TITLE, widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}))
    template = RadioField(valid_choice, lambda: Template.choices, label=LABELS["template"], initial=Template.KANBAN)


class LabelForm(DomainForm):
    name = LineField("name", LABEL)
    color = ColourField()


class NewLabelForm(LabelForm):
    name = LineField("name", LABEL, label=_("New label"))


MOST_ADDRESSES = 20  # in one form
BETWEEN_ADDRESSES = re.compile(r"[\s,;]+")


class AddressesField(EmailField):
    """One email address or several, with commas, semicolons or spaces between. Cleaned, it is a list."""

    def __init__(self) -> None:
        super().__init__()
        self.widget.attrs["multiple"] = True

    def clean(self, value: str | None) -> list[str]:
        typed = list(dict.fromkeys(one for one in BETWEEN_ADDRESSES.split(value or "") if one))
        if len(typed) <= 1:
            return [super().clean(value)]
        if len(typed) > MOST_ADDRESSES:
            raise forms.ValidationError(_("Enter at most %(most)s addresses at once."), params={"most": MOST_ADDRESSES})
        addresses, wrong = [], []
        for one in typed:
            try:
                addresses.append(valid_email(one))
            except Invalid:
                wrong.append(one)
        if wrong:
            raise forms.ValidationError(
                _("These are not email addresses: %(wrong)s. No one was invited."), params={"wrong": join_items(wrong)}
            )
        return list(dict.fromkeys(addresses))


class InvitationForm(DomainForm):
    """`person` is somebody whom the page has offered (static/js/account/suggest-people.js); the address then does not count."""

    email = AddressesField()
    person = forms.CharField(required=False, widget=forms.HiddenInput)
    role = RoleField(lambda: [(role.value, role.label) for role in INVITABLE], initial=Role.EDITOR.value)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.is_bound and self.data.get("person"):
            self.fields["email"] = forms.CharField(label=LABELS["email"], required=False)

    def clean_person(self) -> UUID | None:
        if self.cleaned_data["person"] and not parse_id(self.cleaned_data["person"]):
            raise not_found()
        return parse_id(self.cleaned_data["person"])


class Embedding(TextChoices):
    NOBODY = "nobody", pgettext_lazy("embedding", "No one")
    SITES = "sites", _("Only these sites")
    ANYBODY = "anybody", _("Any site")


def _embedding(value: str) -> str:
    return value if value in Embedding.values else Embedding.NOBODY


class PublicLinkForm(DomainForm):
    """The settings of a public link. An empty end removes it; an empty `password` keeps the present one."""

    shows_comments = forms.BooleanField(label=_("Comments"), required=False)
    shows_names = forms.BooleanField(label=_("Names of people"), required=False)
    expires = forms.DateField(
        label=_("Expires after"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    password = forms.CharField(
        label=_("Password"),
        required=False,
        max_length=LONGEST,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    no_password = forms.BooleanField(label=_("Remove password"), required=False)
    embedding = RadioField(_embedding, lambda: Embedding.choices, label=_("Embedding"), initial=Embedding.NOBODY)
    frames = forms.CharField(
        label=_("Sites"),
        required=False,
        max_length=2000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "https://example.com"}),
    )

    @classmethod
    def of(cls, link: PublicLink | None, zone: tzinfo) -> "PublicLinkForm":
        """Return the form with the choices of a link, or with those of a new one."""
        if link is None:
            return cls(initial={"embedding": Embedding.NOBODY})
        kinds = {"": Embedding.NOBODY, ANYBODY: Embedding.ANYBODY}
        return cls(
            initial={
                "shows_comments": link.shows_comments,
                "shows_names": link.shows_names,
                "expires": link.expires_at.astimezone(zone).date() if link.expires_at else None,
                "embedding": kinds.get(link.frames, Embedding.SITES),
                "frames": link.frames if link.frames != ANYBODY else "",
            }
        )

    def choices(self, zone: ZoneInfo) -> dict[str, Any]:
        """Return what the actions take: the day as its last second in this zone."""
        data = self.cleaned_data
        frames = {Embedding.NOBODY: "", Embedding.ANYBODY: ANYBODY}.get(data["embedding"], data["frames"])
        if data["embedding"] == Embedding.SITES and not frames.strip():
            raise Invalid(str(_("Enter at least one site.")), "frames")
        return {
            "shows_comments": data["shows_comments"],
            "shows_names": data["shows_names"],
            "expires_at": end_of_day(data["expires"], zone, "expires") if data["expires"] else None,
            "frames": frames,
        }

    @property
    def new_password(self) -> str | None:
        """Return the password to set, "" for none from now on, None to leave it as it is."""
        return self.cleaned_data["password"] or ("" if self.cleaned_data["no_password"] else None)
