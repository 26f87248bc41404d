"""Changes of one or many cards of a board, as tiles, menus and shortcuts send them: one change each, all or none."""

from collections.abc import Callable, Mapping
from typing import TypeVar
from uuid import UUID

from django.db.models import Max, Min
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from boards.access import not_found
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.card import complete_card, reopen_card, update_card
from boards.actions.cards.labels import add_label, remove_label
from boards.actions.cards.moves import move_card
from boards.actions.cards.together import together
from boards.actions.ordering import Place
from boards.colours import palette
from boards.errors import Invalid
from boards.models import Assignment, Board, Card, CardLabel, List
from boards.reading.common import labels_named
from boards.reading.reach import visible_board, visible_list
from boards.statements import read_ids, read_labels, read_members
from core.http.requests import SignedInRequest
from core.ids import parse_id
from web.cards.answers import about, done_words, open_card_among, tiles_of, whereabouts
from web.cards.limits import warnings, with_warnings
from web.http import fields
from web.http.answers import NOTHING, back_to, fragments, is_partial, toast
from web.http.changed import filtered, fragments_since
from web.http.guard import actor, reader, signed_in
from web.http.places import Siblings, place_of

AT_MOST = 100  # cards in one form

Act = Callable[[SignedInRequest, Board, list[UUID]], str]  # returns what to tell the reader; "" for nothing
ActAnywhere = Callable[[SignedInRequest, Board | None, list[UUID]], str]  # on cards of any boards
Did = TypeVar("Did", Act, ActAnywhere)


@signed_in("GET", "POST")
def cards(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """GET: return the menus of what can be done with selected cards, or of what `?card=ID` has. POST: do one thing to each
    `card` of the form.
    """
    shown, _role = visible_board(board_id, reader(request))
    return _change(request, shown) if request.method == "POST" else _menus(request, shown)


def _menus(request: SignedInRequest, shown: Board) -> HttpResponse:
    if not is_partial(request):
        return redirect(shown)
    if card_id := parse_id(request.GET.get("card", "")):
        return fragments(render_to_string("web/my/choices.html", _choices(card_id, shown), request))
    context = {
        "lists": List.objects.filter(board=shown).open(),
        "labels": [(label.pk, label) for label in read_labels(shown.pk)],
        "people": [member.user for member in read_members(shown.pk)],
        "hues": palette(),
    }
    return fragments(render_to_string("web/partials/board/selection_menus.html", context, request))


def _choices(card_id: UUID, shown: Board) -> dict[str, object]:
    """Return the labels and people of the board, and the ids of those that the card has."""
    return {
        "labels": read_labels(shown.pk),
        "people": [member.user for member in read_members(shown.pk)],
        "chosen": {
            *CardLabel.objects.filter(card=card_id, board=shown).values_list("label_id", flat=True),
            *Assignment.objects.filter(card=card_id, board=shown).values_list("user_id", flat=True),
        },
    }


def _change(request: SignedInRequest, shown: Board) -> HttpResponse:
    """Change the cards in the order in which the form names them."""
    ids, act = cards_of(request), action_of(request, ACTIONS)
    with together(shown.pk, ids, _destination(request)) as board:
        text = act(request, board, ids)
        has_changed = any(made.board_id == board.pk for made in actor(request).changes)
    said = [text] if has_changed and text and (act is _move or not _is_quiet(request)) else []
    button = NOTHING
    if said and len(ids) == 1:
        said[0], button = _about_one(request, Card.objects.get(pk=ids[0]), text)
    if not is_partial(request):
        return back_to(request, shown.get_absolute_url(), "".join(said), also=button)
    changed = fragments_since(request, shown, board.version) or tiles_of(request, ids)
    return fragments(*open_card_among(request, ids), *changed, *(_told(request, text, button) for text in said))


def _about_one(request: SignedInRequest, card: Card, text: str) -> tuple[str, SafeString]:
    """Return the message with the card's title, and a button to archive it if that brings the next one."""
    text, button = done_words(request, card) if request.POST.get("done") == "1" else (text, NOTHING)
    return about(card, text), button


def _told(request: SignedInRequest, text: str, button: SafeString) -> SafeString:
    """Return the message. Quiet changes are taken back by a key alone."""
    return toast(text) if _is_quiet(request) else toast(text, request, also=button)


def cards_of(request: SignedInRequest) -> list[UUID]:
    """Return the ids of the cards that a form names, each once. Raise NotFound for anything else."""
    sent = dict.fromkeys(request.POST.getlist("card"))
    if not 1 <= len(sent) <= AT_MOST:
        raise Invalid(_("Choose between 1 and %(most)s cards.") % {"most": AT_MOST}, "card")
    ids = [found for one in sent if (found := parse_id(one))]
    if len(ids) < len(sent):
        raise not_found()
    return ids


def action_of(request: SignedInRequest, actions: Mapping[str, Did]) -> Did:
    """Return what a form asks for. Raise Invalid unless it names exactly one of these actions."""
    asked = [name for name in actions if name in request.POST]
    if len(asked) != 1:
        names = ", ".join(actions)
        raise Invalid(_("Name one thing to do with the cards: %(names)s.") % {"names": names})
    return actions[asked[0]]


def _destination(request: SignedInRequest) -> UUID | None:
    """Return the board of the list to which the cards move; None if they do not move. A list never changes its board."""
    if "list" not in request.POST:
        return None
    into, _role = visible_list(fields.id_of(request.POST, "list"), reader(request))
    return into.board_id


def _move(request: SignedInRequest, board: Board, ids: list[UUID]) -> str:
    """Move the cards to a place on this board or another one, one below the other.

    A quiet move is told by the page itself, but for what it warns of.
    """
    list_id = fields.id_of(request.POST, "list")
    place = place_of(request.POST, Siblings(Card, "list", list_id), moving=ids)
    is_filled = len(read_ids(Card, "list_id", list_id, ids)) < len(ids)
    for card_id in ids:
        moved = move_card(actor=actor(request), card_id=card_id, list_id=list_id, place=place)
        place = Place("after", card_id)
    hidden = (
        [_("There are cards next to it that the filter hides.")]
        if _is_beside_hidden(request, board, moved.list, ids)
        else []
    )
    told = [] if _is_quiet(request) else [_moved_words(moved, board, len(ids))]
    return " · ".join([*told, *hidden, *warnings([moved.list] if is_filled else [])])


def _moved_words(moved: Card, board: Board, number: int) -> str:
    names = {"number": number, "list": moved.list.title, "board": moved.board.title}
    if moved.board_id != board.pk:
        text = ngettext("Moved to %(list)s on %(board)s", "%(number)s cards moved to %(list)s on %(board)s", number)
        return text % names
    return whereabouts(moved) if number == 1 else _("%(number)s cards moved to %(list)s") % names


def _is_quiet(request: SignedInRequest) -> bool:
    return "quiet" in request.POST


def _is_beside_hidden(request: SignedInRequest, board: Board, row: List, ids: list[UUID]) -> bool:
    """Tell whether a filter hides the card above or below the moved ones: a place is chosen among the cards in view."""
    found = filtered(request)
    if row.board_id != board.pk or found.board is None or found.left_out(ids):  # then that is said
        return False
    cards = Card.objects.filter(list=row, archived_at=None)
    places = cards.filter(pk__in=ids).aggregate(first=Min("position"), last=Max("position"))
    above = cards.filter(position__lt=places["first"]).order_by("-position").values_list("pk", flat=True)[:1]
    below = cards.filter(position__gt=places["last"]).order_by("position").values_list("pk", flat=True)[:1]
    return bool(found.left_out([*above, *below]))


def _complete(request: SignedInRequest, board: Board | None, ids: list[UUID]) -> str:
    done = fields.flag(request, "done")
    for card_id in ids:
        (complete_card if done else reopen_card)(actor=actor(request), card_id=card_id)
    if done:
        return _counted(ngettext("Marked as done.", "%(number)s cards marked as done.", len(ids)), ids)
    return _counted(ngettext("Reopened.", "%(number)s cards reopened.", len(ids)), ids)


def _archive(request: SignedInRequest, board: Board | None, ids: list[UUID]) -> str:
    archived = fields.flag(request, "archived")
    following = 0
    for card_id in ids:
        if archived:
            following += archive_card(actor=actor(request), card_id=card_id).next is not None
        else:
            restore_card(actor=actor(request), card_id=card_id)
    if following and len(ids) == 1:
        return _("Archived. The next occurrence is on the board.")
    if len(ids) == 1 and archived:
        return pgettext("card", "Archived.")
    if archived:
        return _counted(ngettext("Card archived.", "%(number)s cards archived.", len(ids)), ids)
    many = _counted(ngettext("Card restored.", "%(number)s cards restored.", len(ids)), ids)
    text = pgettext("card", "Restored.") if len(ids) == 1 else many
    return with_warnings(text, List.objects.filter(cards__in=ids).distinct())


def _label(request: SignedInRequest, board: Board, ids: list[UUID]) -> str:
    label_id = fields.id_of(request.POST, "label")
    return _add_or_remove(request, dict.fromkeys(ids, label_id))


def _label_by_name(request: SignedInRequest, board: Board | None, ids: list[UUID]) -> str:
    labels = labels_named(request.POST["label"], ids, reader(request))
    return _add_or_remove(request, {card_id: labels[card_id] for card_id in ids})


def _add_or_remove(request: SignedInRequest, labels: Mapping[UUID, UUID]) -> str:
    """Add a label to each of these cards, or remove it."""
    ids, on = [*labels], fields.flag(request, "on")
    for card_id, label_id in labels.items():
        (add_label if on else remove_label)(actor=actor(request), card_id=card_id, label_id=label_id)
    if on:
        return _counted(ngettext("Label added.", "Label added to %(number)s cards.", len(ids)), ids)
    return _counted(ngettext("Label removed.", "Label removed from %(number)s cards.", len(ids)), ids)


def _assign(request: SignedInRequest, board: Board | None, ids: list[UUID]) -> str:
    is_me = request.POST["person"] == "me"
    user_id, on = request.user.pk if is_me else fields.id_of(request.POST, "person"), fields.flag(request, "on")
    for card_id in ids:
        (assign if on else unassign)(actor=actor(request), card_id=card_id, user_id=user_id)
    if on:
        return _counted(ngettext("Assigned.", "%(number)s cards assigned.", len(ids)), ids)
    return _counted(ngettext("Unassigned.", "%(number)s cards unassigned.", len(ids)), ids)


def _set_due(request: SignedInRequest, board: Board | None, ids: list[UUID]) -> str:
    dates = fields.due(request)
    for card_id in ids:
        update_card(actor=actor(request), card_id=card_id, **dates)
    if not any(dates.values()):
        return _counted(ngettext("Due date removed.", "Due date removed from %(number)s cards.", len(ids)), ids)
    return _counted(ngettext("Due date set.", "Due date set on %(number)s cards.", len(ids)), ids)


def _cover(request: SignedInRequest, board: Board, ids: list[UUID]) -> str:
    hue = fields.whole_number(request, "cover")
    for card_id in ids:
        update_card(actor=actor(request), card_id=card_id, cover_hue=hue)
    if hue is None:
        return _counted(ngettext("Cover removed.", "Cover removed from %(number)s cards.", len(ids)), ids)
    return _counted(ngettext("Cover set.", "Cover set on %(number)s cards.", len(ids)), ids)


def _counted(text: str, ids: list[UUID]) -> str:
    return text % {"number": len(ids)}


# By the field that says what to do
ACTIONS: dict[str, Act] = {
    "list": _move,
    "done": _complete,
    "archived": _archive,
    "label": _label,
    "person": _assign,
    "due": _set_due,
    "cover": _cover,
}
# The same for cards of any boards. The label is a name there, as each board has labels of its own.
ANYWHERE: dict[str, ActAnywhere] = {
    "done": _complete,
    "archived": _archive,
    "label": _label_by_name,
    "person": _assign,
    "due": _set_due,
}
