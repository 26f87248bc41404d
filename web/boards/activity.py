"""The activity page of a board, newest first, and former descriptions.

Pages start at a version, so they stay the same while more happens.
"""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from boards import access
from boards.models import Activity, Role
from boards.models.verbs import Door
from boards.reading.open_card import read_former_description
from boards.reading.reach import visible_board, visible_card
from boards.richtext import to_html
from boards.statements import read_members
from core.http import compact_json
from core.http.requests import SignedInRequest
from core.ids import parse_id, parse_number
from web.boards.context import board_context
from web.history import Entry, HtmlLine, html_lines, lines
from web.http.guard import reader, signed_in

ENTRIES = 50  # on one page
CHANGES = 200  # that one page reads at most for them
PROGRAMS = "programs"
DOORS_OF_PROGRAMS = (Door.AGENT, Door.API)
TOGETHER = timedelta(minutes=10)  # from the first to the last change of an entry


@signed_in("GET")
def activity(request: SignedInRequest, board_id: UUID) -> HttpResponse:
    """`?before=<version>` shows older changes, `?card=<id>` those of one card, `?by=` those of one member, by id, or of
    `programs`. Other values are ignored.
    """
    board, role = visible_board(board_id, reader(request))
    found = Activity.objects.filter(board=board).order_by("-version")
    before = parse_number(request.GET.get("before", ""))
    if before is not None:
        found = found.filter(version__lt=before)
    card_id = parse_id(request.GET.get("card", ""))
    if card_id is not None:
        found = found.filter(card_id=card_id)
    people = [member.user for member in read_members(board.pk)]
    by = request.GET.get("by", "")
    if by == PROGRAMS:
        found = found.filter(door__in=DOORS_OF_PROGRAMS)
    elif by in [str(user.pk) for user in people]:
        found = found.filter(user_id=by)
    else:
        by = ""
    read = lines(found[: CHANGES + 1], of_board=True)
    entries = grouped(read[:CHANGES])
    shown = entries[:ENTRIES]
    is_more = len(read) > CHANGES or len(entries) > ENTRIES
    context = board_context(board, role, "activity") | {
        "entries": shown,
        "next": shown[-1].lines[-1].activity.version if is_more else None,
        "card_id": card_id,
        "by": by,
        "people": people,
        "programs": PROGRAMS,
    }
    return render(request, "web/activity.html", context)


@signed_in("GET")
def former_description(request: SignedInRequest, card_id: UUID, change_id: UUID) -> HttpResponse:
    """Show the description that a change replaced to those who may edit the board, and offer to restore it."""
    card, role = visible_card(card_id, reader(request))
    access.require(role, Role.EDITOR)
    change, former = read_former_description(card, change_id)
    context = board_context(card.board, role, "activity") | {
        "card": card,
        "line": html_lines([change])[0],
        "former": compact_json.dumps(former) if former else "",
        "former_html": to_html(former),
        "is_present": former == card.description,
        "is_archived": card.archived_at or card.list.archived_at,
    }
    return render(request, "web/former_description.html", context)


def grouped(found: Iterable[HtmlLine]) -> list[Entry]:
    """Return the lines as entries. An entry has what one person did through one door within ten minutes without a break:
    all to one card, or the same to many.
    """
    entries: list[Entry] = []
    verbs, cards = set[str](), set[UUID | None]()
    for line in found:
        activity = line.activity
        if (
            entries
            and _is_soon_before(activity, entries[-1])
            and _are_alike(verbs | {activity.verb}, cards | {activity.card_id})
        ):
            entries[-1].lines.append(line)
        else:
            entries.append(Entry([line]))
            verbs, cards = set(), set()
        verbs.add(activity.verb)
        cards.add(activity.card_id)
    return entries


def _is_soon_before(activity: Activity, entry: Entry) -> bool:
    newest = entry.newest.activity
    return _who(activity) == _who(newest) and newest.created_at - activity.created_at <= TOGETHER


def _are_alike(verbs: set[str], cards: set[UUID | None]) -> bool:
    return len(verbs) == 1 or (len(cards) == 1 and None not in cards)


def _who(activity: Activity) -> tuple[object, ...]:
    return activity.user_id, activity.door, activity.token_id
