"""The inbox: the page, the panel of the bell, and the actions on a notification."""

from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from boards.errors import Invalid
from core.http.requests import SignedInRequest
from core.ids import parse_id
from core.text.dates import date_in_form
from notifications.inbox import entries
from notifications.inbox.entries import A_PAGE, Later, Pile
from notifications.inbox.lines import told
from web.door.answers import back_to, form_button, fragments, is_opened, is_partial
from web.door.guard import reader, signed_in

IN_PANEL = 8


@signed_in("GET", "POST")
def notifications(request: SignedInRequest) -> HttpResponse:
    """GET: a page of a pile, of one board or of all; for scripts the panel of the bell. POST: mark all as read, or undo that."""
    if request.method == "POST":
        return _mark_all(request)
    if is_partial(request):
        return _panel(request)
    pile = _pile(request.GET.get("pile", ""))
    board_id = parse_id(request.GET.get("board", ""))
    rows = entries.pile_of(reader(request), pile, board_id, request.GET.get("before", ""))
    context = {
        "pile": pile.value,
        "piles": [(one.value, NAMES[one]) for one in Pile],
        "lines": told(rows[:A_PAGE]),
        "boards": entries.boards_in(reader(request)),
        "board_id": board_id,
        "address": _address(pile, board_id),
        "older": entries.place_of(rows[A_PAGE - 1]) if len(rows) > A_PAGE else "",
        "now": timezone.now().isoformat(),
    }
    return render(request, "web/notifications.html", context)


NAMES = {Pile.UNREAD: gettext_lazy("Unread"), Pile.LATER: gettext_lazy("Later"), Pile.ALL: gettext_lazy("All")}


def _pile(name: str) -> Pile:
    return Pile(name) if name in Pile.values else Pile.UNREAD


def _address(pile: Pile, board_id: UUID | None) -> str:
    asked = {"pile": pile.value} if pile != Pile.UNREAD else {}
    return f"{reverse('notifications')}?{urlencode(asked | ({'board': str(board_id)} if board_id else {}))}".rstrip("?")


def _panel(request: SignedInRequest) -> HttpResponse:
    rows = entries.pile_of(reader(request), Pile.UNREAD)
    context = {"lines": told(rows[:IN_PANEL]), "more": len(rows) > IN_PANEL}
    part = render_to_string("web/partials/inbox/notifications_panel.html", context, request)
    return fragments(part)


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
    try:
        found = parse_datetime(request.POST.get(name, ""))
    except ValueError:
        found = None
    if found is None or timezone.is_naive(found):
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
            put_off = entries.put_off(reader(request), notification_id, Later(until))
            text = _("You see this again on %(day)s.") % {"day": _day(put_off.later_until)}
        case _:
            raise Invalid.of("do", _("%(field)s must be read, unread, tomorrow or next-week."))
    pile, board_id = _pile(request.POST.get("pile", "")), parse_id(request.POST.get("board", ""))
    return back_to(request, _address(pile, board_id), text)


def _day(moment: datetime | None) -> str:
    return date_in_form(timezone.localtime(moment), "DATE_FORMAT")


def _open(request: SignedInRequest, notification_id: UUID) -> HttpResponse:
    found = entries.one(reader(request), notification_id)
    lines = told([found])
    if is_opened(request):
        entries.mark(reader(request), notification_id, read=True)
    return redirect(lines[0].link if lines else "notifications")
