"""Follow or mute a card, a list or a board: a page, and for scripts the menu of a bell."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.access import not_found
from boards.models import Board, Card, List, Role
from boards.reading.reach import visible_board, visible_card, visible_list
from core.http.requests import SignedInRequest
from notifications.following import Following, choose
from notifications.models import Chosen, Level
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.guard import reader, signed_in

SAID: dict[tuple[Level, str], Promise] = {
    (Level.CARD, Chosen.FOLLOW): gettext_lazy("You follow this card."),
    (Level.CARD, Chosen.MUTE): gettext_lazy("You muted this card."),
    (Level.LIST, Chosen.FOLLOW): gettext_lazy("You follow this list."),
    (Level.LIST, Chosen.MUTE): gettext_lazy("You muted this list."),
    (Level.BOARD, Chosen.FOLLOW): gettext_lazy("You follow this board."),
    (Level.BOARD, Chosen.MUTE): gettext_lazy("You muted this board."),
}
WORDS: dict[Chosen, Promise] = {
    Chosen.DEFAULT: gettext_lazy("Default"),
    Chosen.FOLLOW: gettext_lazy("Follow"),
    Chosen.MUTE: gettext_lazy("Mute"),
}
HELP: dict[tuple[Level, str], Promise] = {
    (Level.CARD, Chosen.DEFAULT): gettext_lazy("Same as its list and board, or when you take part in it"),
    (Level.CARD, Chosen.FOLLOW): gettext_lazy("Comments, changes and due dates of this card"),
    (Level.CARD, Chosen.MUTE): gettext_lazy("Nothing about this card"),
    (Level.LIST, Chosen.DEFAULT): gettext_lazy("Same as the board"),
    (Level.LIST, Chosen.FOLLOW): gettext_lazy("Everything about the cards of this list"),
    (Level.LIST, Chosen.MUTE): gettext_lazy("Nothing about the cards of this list"),
    (Level.BOARD, Chosen.DEFAULT): gettext_lazy("Only cards that you take part in"),
    (Level.BOARD, Chosen.FOLLOW): gettext_lazy("Everything that happens on this board"),
    (Level.BOARD, Chosen.MUTE): gettext_lazy("Only changes to your access"),
}


@signed_in("GET", "POST")
def of_card(request: SignedInRequest, card_id: UUID) -> HttpResponse:
    card, role = visible_card(card_id, reader(request))
    return _answer(request, card, Level.CARD, card.board, role, card.get_absolute_url())


@signed_in("GET", "POST")
def of_list(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    row, role = visible_list(list_id, reader(request))
    return _answer(request, row, Level.LIST, row.board, role, row.board.get_absolute_url())


@signed_in("GET", "POST")
def of_board(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    if board.archived_at:
        raise not_found()
    return _answer(request, board, Level.BOARD, board, role, board.get_absolute_url())


def _answer(
    request: SignedInRequest, subject: Board | Card | List, level: Level, board: Board, role: Role, back: str
) -> HttpResponse:
    """GET: offer the choices. POST: `follow` is the choice: follow, mute or empty."""
    if request.method == "POST":
        choose(request.user, subject, level, request.POST.get("follow", "-"))
        text = str(SAID.get((level, request.POST["follow"]), _("Reset to the default.")))
        return fragments(toast(text)) if is_partial(request) else back_to(request, back, text)
    following = Following(request.user, subject, level)
    context = {
        "board": board,
        "role": role,
        "subject": subject,
        "level": level,
        "following": following,
        "address": request.path,
        "back": back,
        "options": [(one.value, WORDS[one], HELP[level, one], one == following.chose) for one in Chosen],
        "why": _why(following),
        "lists": board.lists.open() if level == Level.BOARD else (),
    }
    if is_partial(request):
        return fragments(render_to_string("web/partials/inbox/following.html", context, request))
    return render(request, "web/following.html", context)


def _why(following: Following) -> str:
    """Say what the default comes to now."""
    if following.chose:
        return ""
    if following.from_above:
        muted = following.from_above.chose == Chosen.MUTE
        of_list = following.from_above.level == Level.LIST
        if of_list:
            return _("You muted its list.") if muted else _("You follow its list.")
        return _("You muted the board.") if muted else _("You follow the board.")
    return _("You follow this card because you take part in it.") if following.by_itself else ""
