"""Templates of one's own: the pages on which a board is saved as one, and one is renamed or deleted."""

from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.access import not_found
from boards.actions.boards.own_templates import delete_template, rename_template, save_template
from boards.models import OwnTemplate
from boards.reading.reach import visible_board
from boards.text import BOARD_TITLE
from core.http.requests import SignedInRequest
from web.http.answers import back_to
from web.http.forms import DomainForm, LineField
from web.http.guard import actor, reader, signed_in


class NameForm(DomainForm):
    name = LineField("name", BOARD_TITLE)


class SaveForm(NameForm):
    cards = forms.BooleanField(required=False, label=gettext_lazy("Save cards too"))


@signed_in("GET", "POST")
def saved(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: ask for a name, and whether to save the cards. POST: save the board as a template."""
    source, _role = visible_board(board_id, reader(request))
    form = SaveForm(request.POST if request.method == "POST" else None, initial={"name": source.title})
    if form.is_bound:
        made = form.send(
            lambda data: save_template(
                actor=actor(request), board_id=board_id, name=data["name"], with_cards=data["cards"]
            )
        )
        if made is not None:
            text = _("“%(name)s” was saved as a template.") % {"name": made.name}
            return back_to(request, f"{reverse('new_board')}?template={made.pk}", text)
    return render(request, "web/save_template.html", {"form": form, "board": source}, status=form.status)


@signed_in("GET", "POST")
def own_template(request: SignedInRequest, template_id: UUID) -> HttpResponse:
    """GET: show the template with its name in a form. POST: rename it."""
    found = find_template(request, template_id)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": found.name})
    if form.is_bound:
        renamed = form.send(
            lambda data: rename_template(actor=actor(request), template_id=template_id, name=data["name"])
        )
        if renamed is not None:
            return back_to(request, reverse("new_board"), _("Saved."))
    return render(request, "web/own_template.html", {"form": form, "template": found}, status=form.status)


@signed_in("GET", "POST")
def deletion(request: SignedInRequest, template_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: delete the template."""
    found = find_template(request, template_id)
    if request.method == "POST":
        delete_template(actor=actor(request), template_id=template_id)
        text = _("The template “%(name)s” was deleted.") % {"name": found.name}
        return back_to(request, reverse("new_board"), text)
    context = {
        "heading": _("Delete this template?"),
        "subject": found.name,
        "words": _("Boards that were created from it stay as they are. This cannot be undone."),
        "button": _("Delete"),
        "back": reverse("own_template", args=[found.pk]),
    }
    return render(request, "web/confirm.html", context)


def find_template(request: SignedInRequest, template_id: UUID) -> OwnTemplate:
    """Return a template of the request's user. Raise NotFound for one of somebody else."""
    found = OwnTemplate.objects.of(request.user).filter(pk=template_id).first()
    if found is None:
        raise not_found()
    return found
