"""The inbox: the page, the panel of the bell, and the actions on a notification."""

from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from boards.errors import Invalid
from boards.reading.due import due_cards
from core.http.requests import SignedInRequest
from core.ids import parse_id
from core.text.dates import date_in_form
from notifications.inbox import entries
from notifications.inbox.entries import Later
from notifications.inbox.lines import quoted, told
from notifications.inbox.piles import A_PAGE, Pile, boards_in, in_pile, moment_in, page_of, place_of
from web.http.answers import back_to, form_button, fragments, is_opened, is_partial, toast
from web.http.guard import reader, signed_in
from web.inbox.pane import pane_context

IN_PANEL = 8


@signed_in("GET", "POST")
def notifications(request: SignedInRequest) -> HttpResponse:
    """GET: a page of a pile, of one board or of all, with the card that `?card=` chooses. POST: mark all as read, or undo that.

    For scripts the chosen card alone, with `?rows` the rows and the offered boards, or else the panel of the bell.
    """
    if request.method == "POST":
        return _mark_all(request)
    if is_partial(request):
        return fragments(*_parts(request))
    pane = pane_context(request, parse_id(request.GET["card"])) if "card" in request.GET else {}
    context = _rows(request) | pane | {"boards": boards_in(reader(request))}
    return render(request, "web/notifications.html", context)


def _parts(request: SignedInRequest) -> list[SafeString]:
    if "rows" in request.GET:
        context = _rows(request) | {"boards": boards_in(reader(request))}
        return [render_to_string(f"web/partials/inbox/{name}.html", context, request) for name in ("rows", "boards")]
    if "card" in request.GET:
        context = pane_context(request, parse_id(request.GET["card"])) | _asked(request)
        return [render_to_string("web/partials/inbox/pane.html", context, request)]
    rows = page_of(in_pile(reader(request), Pile.UNREAD), most=IN_PANEL)
    context = {"lines": quoted(told(rows[:IN_PANEL])), "more": len(rows) > IN_PANEL}
    return [render_to_string("web/partials/inbox/notifications_panel.html", context, request)]


def _rows(request: SignedInRequest) -> dict[str, Any]:
    asked = _asked(request)
    pile, board_id, chosen = Pile(asked["pile"]), asked["board_id"], asked["chosen"]
    rows = page_of(in_pile(reader(request), pile, board_id, chosen), request.GET.get("before", ""))
    return asked | {
        "piles": [(one.value, NAMES[one]) for one in Pile],
        "lines": quoted(told(rows[:A_PAGE])),
        "older": place_of(rows[A_PAGE - 1]) if len(rows) > A_PAGE else "",
        "now": timezone.now().isoformat(),
        "due": None if rows else next(iter(due_cards(reader(request), 1)), None),
    }


def _asked(request: SignedInRequest) -> dict[str, Any]:
    pile, board_id = _pile(request.GET.get("pile", "")), parse_id(request.GET.get("board", ""))
    return {
        "pile": pile.value,
        "board_id": board_id,
        "chosen": parse_id(request.GET.get("card", "")),
        "address": _address(pile, board_id),
    }


NAMES = {Pile.UNREAD: gettext_lazy("Unread"), Pile.LATER: gettext_lazy("Later"), Pile.ALL: gettext_lazy("All")}


def _pile(name: str) -> Pile:
    return Pile(name) if name in Pile.values else Pile.UNREAD


def _address(pile: Pile, board_id: UUID | None) -> str:
    asked = {"pile": pile.value} if pile != Pile.UNREAD else {}
    return f"{reverse('notifications')}?{urlencode(asked | ({'board': str(board_id)} if board_id else {}))}".rstrip("?")


def _mark_all(request: SignedInRequest) -> HttpResponse:
    board_id = parse_id(request.POST.get("board", ""))
    address = _address(_pile(request.POST.get("pile", "")), board_id)
    if "undo" in request.POST:
        entries.mark_unread_again(reader(request), _moment(request, "undo"))
        return back_to(request, address, _("Marked as unread again."))
    number, moment = entries.mark_all_read(reader(request), board_id, _moment(request, "upto"))
    if not number:
        return redirect(address)
    text = ngettext("%(number)s marked as read.", "%(number)s marked as read.", number) % {"number": number}
    return back_to(request, address, text, also=form_button(address, "undo", moment.isoformat(), _("Undo")))


def _moment(request: SignedInRequest, name: str) -> datetime:
    found = moment_in(request.POST.get(name, ""))
    if found is None:
        raise Invalid.of(name, _("%(field)s must be a date and time with an offset."))
    return found


@signed_in("GET", "POST")
def notification(request: SignedInRequest, notification_id: UUID) -> HttpResponse:
    """GET: mark as read, and go where it leads. POST: `do` one of read, unread, tomorrow, next-week."""
    if request.method != "POST":
        return _open(request, notification_id)
    match request.POST.get("do"):
        case "read" | "unread" as state:
            entries.mark(reader(request), notification_id, read=state == "read")
            text = ""
        case "tomorrow" | "next-week" as until:
            moment = entries.put_off(reader(request), notification_id, Later(until))
            text = _("You'll see this again on %(day)s.") % {"day": _day(moment)}
            text = text.replace("..", ".")  # a short month at the end has its own
        case _:
            raise Invalid.of("do", _("%(field)s must be read, unread, tomorrow or next-week."))
    if is_partial(request):
        return fragments(toast(text)) if text else fragments()
    pile, board_id = _pile(request.POST.get("pile", "")), parse_id(request.POST.get("board", ""))
    return back_to(request, _address(pile, board_id), text)


def _day(moment: datetime) -> str:
    return date_in_form(timezone.localtime(moment), "DATE_FORMAT")


def _open(request: SignedInRequest, notification_id: UUID) -> HttpResponse:
    found = entries.one(reader(request), notification_id)
    lines = told([found])
    if is_opened(request):
        entries.mark(reader(request), notification_id, read=True)
    return redirect(lines[0].address if lines else "notifications")
