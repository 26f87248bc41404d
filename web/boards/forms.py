from django import forms
from django.utils.translation import gettext_lazy as _

from boards.actions.boards import valid_template
from boards.actions.members import INVITABLE
from boards.board_templates import Template
from boards.models import Role
from boards.text import BOARD_TITLE, LABEL
from web.door.forms import ColourField, DomainForm, EmailField, LineField, RadioField, RoleField
from web.door.refusals import LABELS


class BoardForm(DomainForm):
    title = LineField("title", BOARD_TITLE)
    color = ColourField()


class NewBoardForm(BoardForm):
    title = LineField("title", BOARD_TITLE, widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}))
    template = RadioField(valid_template, lambda: Template.choices, label=LABELS["template"], initial=Template.KANBAN)


class LabelForm(DomainForm):
    name = LineField("name", LABEL)
    color = ColourField()


class NewLabelForm(LabelForm):
    name = LineField("name", LABEL, label=_("New label"))


class InvitationForm(DomainForm):
    email = EmailField()
    role = RoleField(lambda: [(role.value, role.label) for role in INVITABLE], initial=Role.EDITOR.value)
