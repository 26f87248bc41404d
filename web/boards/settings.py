"""The settings page of a board: its title, colour and labels, and its deletion."""

from collections.abc import Iterator
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.sign_in.confirmation import password_confirmed
from boards import access
from boards.actions.boards.board import delete_board, update_board
from boards.actions.cards.labels import create_label, delete_label, update_label
from boards.backgrounds import kind_of, picture_of
from boards.colours import next_hue
from boards.errors import Invalid
from boards.models import Board, Label, Role
from boards.reading.pending import public_link_of
from boards.reading.reach import visible_board, visible_label
from core.files.pictures import MOST_BYTES, TYPES, too_large
from core.http.requests import SignedInRequest
from security.events import log_event
from security.models import EventKind
from web.boards.context import board_context
from web.boards.forms import BoardSettingsForm, LabelForm, NewLabelForm
from web.cards.answers import open_card_with
from web.http import fields
from web.http.answers import back_to, fragments, is_partial, toast
from web.http.changed import fragments_since
from web.http.forms import DomainForm
from web.http.guard import actor, reader, signed_in
from web.http.refusals import STATUS

FORMS = 50  # of labels on one page: each takes 4 ms and has 5 kB


@signed_in("GET", "POST")
def settings(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    if request.method != "POST":
        return _page(request, board, role)
    form = BoardSettingsForm(request.POST)
    if form.send(
        lambda data: update_board(
            actor=actor(request),
            board_id=board_id,
            title=data["title"],
            hue=data["color"],
            background=data["background"],
        )
    ):
        return back_to(request, _address(board), _("Saved."))
    return _page(request, board, role, form)


@signed_in("POST")
def labels(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    board, role = visible_board(board_id, reader(request))
    form = NewLabelForm(request.POST)
    made = form.send(
        lambda data: create_label(actor=actor(request), board_id=board_id, name=data["name"], hue=data["color"]),
        conflicts="name",
    )
    return back_to(request, _address(board)) if made else _page(request, board, role, form)


@signed_in("POST")
def label(request: SignedInRequest, label_id: UUID) -> HttpResponse:
    found, role = visible_label(label_id, reader(request))
    if is_partial(request):
        return _label_on_board(request, found)
    form = label_form(found, request.POST)
    changed = form.send(
        lambda data: update_label(actor=actor(request), label_id=label_id, name=data["name"], hue=data["color"]),
        conflicts="name",
    )
    if changed:
        return back_to(request, _address(found.board), _("Saved."))
    return _page(request, found.board, role, form)


def _label_on_board(request: SignedInRequest, row: Label) -> HttpResponse:
    """Change the label, and answer the form in the menu of an open card with what a board shows of it."""
    update_label(actor=actor(request), label_id=row.pk, name=request.POST.get("name", ""), hue=fields.hue(request))
    changed = fragments_since(request, row.board, row.board.version)
    return fragments(*open_card_with(request, own=["labels"]), *changed, toast(_("Saved."), request))


def label_form(row: Label, sent: QueryDict | None = None) -> LabelForm:
    """Return the form of one label. The page has one for each label, so the ids of its fields end with the label's."""
    return LabelForm(sent, auto_id=auto_id(row), initial={"name": row.name, "color": row.hue})


def auto_id(row: Label) -> str:
    return f"%s-{row.pk}"


def _page(request: SignedInRequest, board: Board, role: Role, refused: DomainForm | None = None) -> HttpResponse:
    """Render the page. `refused` takes the place of the same form without errors."""
    rows = list(Label.objects.filter(board=board))
    context = board_context(board, role, "settings") | {
        "form": refused
        if isinstance(refused, BoardSettingsForm)
        else BoardSettingsForm(
            initial={"title": board.title, "color": board.hue, "background": kind_of(board.background)}
        ),
        "new_label": refused
        if isinstance(refused, NewLabelForm)
        else NewLabelForm(initial={"color": next_hue(row.hue for row in rows)}),
        "labels": list(_labels(rows, request.GET.get("label", ""), refused)),
        "picture": picture_of(board.background),
        "picture_types": TYPES,
        "picture_bytes": MOST_BYTES,
        "picture_too_large": too_large(),
        "asked": request.GET.get("label"),
        "public_link": public_link_of(board),
    }
    return render(request, "web/settings.html", context, status=refused.status if refused else 200)


def _labels(rows: list[Label], asked: str, refused: DomainForm | None) -> Iterator[tuple[Label, DomainForm | None]]:
    """Yield the labels with their forms. Of many labels the later ones have none but that which is asked for."""
    for number, row in enumerate(rows):
        if refused and refused.auto_id == auto_id(row):
            yield row, refused
        else:
            yield row, label_form(row) if number < FORMS or asked == str(row.pk) else None


@signed_in("GET", "POST")
def label_deletion(request: SignedInRequest, label_id: UUID) -> HttpResponse:
    """GET: ask for confirmation. POST: delete the label, which takes it off every card."""
    found, role = visible_label(label_id, reader(request))
    if request.method == "POST":
        delete_label(actor=actor(request), label_id=label_id)
        text = _("The label “%(name)s” was deleted.") % {"name": found.name}
        return back_to(request, _address(found.board), text)
    access.require(role, Role.EDITOR)
    context = {
        "board": found.board,
        "heading": _("Delete this label?"),
        "subject": found.name,
        "words": _("It will be removed from every card."),
        "button": _("Delete"),
        "back": _address(found.board),
    }
    return render(request, "web/confirm.html", context)


@signed_in("GET", "POST")
@password_confirmed
def deletion(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """Delete the board for good, with everything on it. The owner has to type its title."""
    board, role = visible_board(board_id, reader(request))
    access.require(role, Role.OWNER)
    typed = request.POST.get("title", "")
    if request.method == "POST" and typed.strip() == board.title:
        with transaction.atomic():
            delete_board(actor=actor(request), board_id=board_id)
            log_event(EventKind.BOARD_DELETED, request, user=request.user, board=str(board_id), title=board.title)
        return back_to(request, "/", pgettext("board", "“%(title)s” was deleted.") % {"title": board.title})
    wrong = _("That is not the board's title. Type it exactly as shown above.")
    context = {"board": board, "typed": typed, "error": wrong if request.method == "POST" else ""}
    return render(request, "web/delete.html", context, status=STATUS[Invalid] if request.method == "POST" else 200)


def _address(board: Board) -> str:
    return f"{board.get_absolute_url()}/settings"
