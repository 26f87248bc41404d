"""Show linked cards. The page of each reader asks for them: a text is the same for all readers, but not each of them
may see every card that it links to.
"""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boards.errors import Invalid
from boards.models import Card
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.http.answers import fragments, is_partial
from web.http.guard import reader, signed_in

AT_MOST = 50  # cards in one question


@signed_in("GET")
def linked_cards(request: SignedInRequest) -> HttpResponse:
    """Return title, number and state of those of these cards (`?card=`) that the reader may see, beside others of `?here=`."""
    if not is_partial(request):
        return redirect("home")
    sent = request.GET.getlist("card")
    if len(sent) > AT_MOST:
        raise Invalid(_("Ask for at most %(most)d at once.") % {"most": AT_MOST}, "card")
    here = parse_id(request.GET.get("here"))
    found = Card.objects.visible_to(reader(request)).of_open_boards().select_related("board", "list")
    cards = found.filter(pk__in=[pk for one in sent if (pk := parse_id(one))])
    return fragments(*(render_to_string("web/partials/card/linked_card.html", _context(card, here)) for card in cards))


def _context(card: Card, here: UUID | None) -> dict[str, object]:
    is_archived = card.archived_at is not None or card.list.archived_at is not None
    state = pgettext("a card", "Archived") if is_archived else _("Done") if card.completed_at else ""
    picture = "archive" if is_archived else "circle-check" if card.completed_at else "square-kanban"
    return {"card": card, "state": state, "picture": picture, "is_elsewhere": card.board_id != here}
