"""Quick add: one card with all that its chips say, or one card a line."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.actions.cards.card import create_card, create_cards, draft_card
from boards.actions.cards.labels import create_label
from boards.actions.ordering import BOTTOM, TOP, Place
from boards.errors import Invalid
from boards.models import Card, Label
from boards.reading.reach import visible_list
from boards.text import LABEL, clean_line
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.cards.answers import tiles_of
from web.cards.limits import warnings
from web.http import fields
from web.http.answers import fragments, is_partial, toast
from web.http.changed import totals
from web.http.guard import actor, reader, signed_in

AT_MOST = 100  # cards, labels or people in one form


@signed_in("POST")
def new_cards(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Create one card for each `title`; without any, one of the text in the field that is named after the list.

    All of them get the same `label`s, `new-label`s, `person`s, due date and `recurrence`, or each its own, in `label-0` for
    the first, and so on. One alone may have a `description`.
    """
    titles = request.POST.getlist("title") or [request.POST.get(f"new-{list_id}", "")]
    if _wanted(request):
        with transaction.atomic():
            made = _create(request, list_id, titles, _new_labels(request, list_id))
    else:
        made = _create(request, list_id, titles, {})
    if is_partial(request):
        return fragments(
            *tiles_of(request, [card.pk for card in made]),
            *totals(request, made[-1].board, list_id),
            *map(toast, warnings([made[-1].list])),
        )
    return redirect(f"{made[-1].board.get_absolute_url()}#card-{made[-1].pk}")


def _create(request: SignedInRequest, list_id: UUID, titles: list[str], new: dict[str, UUID]) -> list[Card]:
    if len(titles) > AT_MOST:
        raise Invalid(_("Add at most %(most)s cards at a time.") % {"most": AT_MOST}, "title")
    given = _given(request, new)
    who, place = actor(request), _place(request)
    if len(titles) == 1:
        text = request.POST.get("description", "")
        return [create_card(actor=who, list_id=list_id, title=titles[0], description=text, place=place, **given)]
    drafts = [draft_card(title=title, **given | _given(request, new, f"-{line}")) for line, title in enumerate(titles)]
    return create_cards(actor=who, list_id=list_id, drafts=drafts, place=place)


def _wanted(request: SignedInRequest) -> set[str]:
    return {one for name in request.POST if name.startswith("new-label") for one in request.POST.getlist(name)}


def _new_labels(request: SignedInRequest, list_id: UUID) -> dict[str, UUID]:
    """Return the ids of the labels that the form wants by name, creating those that the board lacks."""
    names = {name: clean_line(name, "name", LABEL) for name in _wanted(request)}
    if len(names) > AT_MOST:
        raise not_found()
    board_id = visible_list(list_id, reader(request))[0].board_id
    clean = {*names.values()}
    found = dict(Label.objects.filter(board=board_id, name__in=clean).values_list("name", "pk"))
    for name in sorted(clean - {*found}):
        found[name] = create_label(actor=actor(request), board_id=board_id, name=name).pk
    return {sent: found[name] for sent, name in names.items()}


def _given(request: SignedInRequest, new: dict[str, UUID], line: str = "") -> dict[str, Any]:
    found = given_in(request, line)
    if created := request.POST.getlist(f"new-label{line}"):
        found["label_ids"] = [*found.get("label_ids", []), *(new[name] for name in created)]
    return found


def given_in(request: SignedInRequest, line: str = "") -> dict[str, Any]:
    """Return what the form sets on all cards; what it sets on those of one line, if its fields end with that."""
    found: dict[str, Any] = {}
    for name, field in (("label_ids", f"label{line}"), ("assignee_ids", f"person{line}")):
        if field in request.POST:
            found[name] = _ids(request.POST.getlist(field))
    if f"recurrence{line}" in request.POST:
        found["recurrence"] = request.POST[f"recurrence{line}"]
    return {**found, **(fields.due(request, line=line) if f"due{line}" in request.POST else {})}


def _ids(sent: Iterable[str]) -> list[UUID]:
    found = [parse_id(one) for one in dict.fromkeys(sent)]
    if len(found) > AT_MOST or None in found:
        raise not_found()
    return [one for one in found if one]


def _place(request: SignedInRequest) -> Place:
    where = request.POST.get("where", "bottom")
    if where not in ("top", "bottom"):
        raise Invalid.of("where", _("%(field)s must be top or bottom."))
    return TOP if where == "top" else BOTTOM
