"""Changes of the cards that are selected in the table of *My work*: on several boards, all or none."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse

from boards.access import not_found
from boards.actions.cards.together import across_boards
from boards.reading.common import common_to
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.boards.cards import ANYWHERE, AT_MOST, action_of, cards_of
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.guard import actor, reader, signed_in


@signed_in("GET", "POST")
def my_cards(request: SignedInRequest) -> HttpResponse:
    """GET: return the menus of what `?boards=ID.ID` have in common. POST: do one thing to each `card` of the form.

    One Undo takes all of it back.
    """
    return _change(request) if request.method == "POST" else _menus(request)


def _menus(request: SignedInRequest) -> HttpResponse:
    if not is_partial(request):
        return redirect("my_table")
    sent = request.GET.get("boards", "").split(".")
    ids = [found for one in sent[: AT_MOST + 1] if (found := parse_id(one))]
    if len(ids) < len(sent):
        raise not_found()
    common = common_to(ids, reader(request))
    context = {"labels": [(label.name, label) for label in common.labels], "people": common.people}
    return fragments(render_to_string("web/table/common_menus.html", context, request))


def _change(request: SignedInRequest) -> HttpResponse:
    ids, act = cards_of(request), action_of(request, ANYWHERE)
    with across_boards(ids):
        text = act(request, None, ids)
    said = text if actor(request).changes else ""
    if not is_partial(request):
        return back_to(request, reverse("my_table"), said)
    return fragments(toast(said, request)) if said else fragments()
