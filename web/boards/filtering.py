"""The filter of a board: its form, and the check whether it keeps the cards that change while it is open."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import gettext as _

from boards.errors import Invalid
from boards.models import Board, Label, List, Role
from boards.reading.board_views import saved_filters, view_of
from boards.reading.columns import count_cards
from boards.reading.filters import ME, NOBODY, condition, filter_in, kept_cards
from boards.reading.reach import visible_board
from boards.statements import read_members
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.boards.context import board_context
from web.boards.filter_bar import changes, conditions, states
from web.boards.saved_filters import saved_context
from web.http.answers import fragments, is_partial, total_of
from web.http.guard import reader, signed_in
from web.my.narrowing import dues

AT_MOST = 500  # ids in one question


@signed_in("GET")
def filter_page(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Show the form of the filter: to the script alone, to others as a page."""
    shown, role = visible_board(board_id, reader(request))
    context = form_of(request, shown, role)
    if is_partial(request):
        saved = render_to_string("web/partials/board/saved_filters.html", context | {"is_panel": True}, request)
        return fragments(saved, render_to_string("web/partials/board/filter_form.html", context, request))
    return render(request, "web/filter.html", context)


def form_of(request: SignedInRequest, shown: Board, role: Role) -> dict[str, Any]:
    wanted = filter_in(request.GET)
    memberships = read_members(shown.pk)
    members = [row.user for row in memberships]
    others = [(str(user.pk), user.display_name) for user in members if user.pk != request.user.pk]
    labels = list(Label.objects.filter(board=shown))
    view = view_of(shown.pk, reader(request))
    saved = saved_filters(view, [label.pk for label in labels], [user.pk for user in members])
    return (
        board_context(shown, role)
        | saved_context(shown, saved, wanted)
        | {
            "view": view,
            "filter": wanted,
            "conditions": conditions(wanted, labels, memberships),
            "labels": [(label, label.pk in wanted.labels) for label in labels],
            "groups": [
                ("who", _("Assigned to"), _chosen(wanted.people, [(ME, _("Me")), (NOBODY, _("No one")), *others])),
                ("due", _("Due"), _chosen(wanted.due, dues())),
                ("done", _("Status"), _chosen(wanted.done, states())),
                ("changed", _("Changed"), _chosen(wanted.changed, changes())),
            ],
        }
    )


def _chosen(values: tuple[str, ...], choices: list[tuple[str, str]]) -> list[tuple[str, str, bool]]:
    return [(value, words, value in values) for value, words in choices]


@signed_in("GET")
def matches(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Return which of these cards the filter keeps, and how many cards it keeps of each of these lists."""
    shown, _role = visible_board(board_id, reader(request))
    if not is_partial(request):
        return redirect(shown)
    cards, lists = _ids(request, "card"), _ids(request, "list")
    wanted = filter_in(request.GET)
    kept = kept_cards(shown, wanted, request.user).filter(pk__in=cards).values_list("pk", flat=True) if cards else ()
    own = List.objects.filter(board=shown, pk__in=lists).values_list("pk", flat=True) if lists else ()
    totals = count_cards(own, condition(shown, wanted, request.user))
    every = count_cards(totals) if wanted else totals
    found = format_html('<template data-matches="{}"></template>', " ".join(map(str, kept)))
    return fragments(found, *(total_of(pk, totals[pk], every[pk]) for pk in totals))


def _ids(request: SignedInRequest, name: str) -> list[UUID]:
    sent = request.GET.getlist(name)
    if len(sent) > AT_MOST:
        raise Invalid(_("Ask for at most %(most)d at once.") % {"most": AT_MOST}, name)
    return [found for one in sent if (found := parse_id(one))]
