"""Changes of a board since a version, as fragments: the present state of the changed things, not the changes one by one.

So it is as long as what it shows, however much happened in between, and placing it twice does no harm.
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from boards.models import Board, Label, Verb
from boards.reader import MEMBERS, PublicView
from boards.reading.columns import WHOLE, count_cards
from boards.reading.pending import offer_of, with_shared
from boards.reading.public import tiles_for
from boards.statements import read_changed_cards, read_changed_lists, read_members, read_passed
from web.fragments import (
    render_board_head,
    render_labels,
    render_list,
    render_members,
    render_offer,
    render_tile,
)

AT_MOST = 500  # changed things in one message; with more, the page reloads its lists

PUBLIC = ("list", "card")  # kinds of things that holders of a public link have on their page

Thing = dict[str, str]


class Changes(NamedTuple):
    changed: list[Thing]  # what to show
    removed: list[Thing]  # what to remove from the page
    totals: dict[str, int]  # the number of cards in lists of which pages may have a part only
    lists: set[UUID]  # whose cards are others now, or have changed


def changed_and_removed(board_id: UUID, since: int, all_cards: int, view: PublicView | None) -> Changes | None:
    """Return the changes, or None when they are about more than AT_MOST things.

    `all_cards` is how many the board ever had. Pages of boards with few cards show all of them, and count them.
    """
    card_ids = read_changed_cards(board_id, since, AT_MOST + 1)
    lists = read_changed_lists(board_id, since, AT_MOST + 1)
    verbs, gone, left = _history(board_id, since)
    if len(card_ids) + len(lists) + len(gone) > AT_MOST:
        return None
    if view is not None:
        if Verb.LINK_CHANGED in verbs:  # what it shows of each card may be another
            return None
        gone = [thing for thing in gone if thing["kind"] in PUBLIC]
    changed = [
        *(_head(board_id, verbs) if view is None else _public_head(view, verbs)),
        *(_thing("list", row.pk, render_list(row, [], view=view)) for row in lists if row.archived_at is None),
        *(_thing("card", card.pk, render_tile(card)) for card in tiles_for(view, [pk for pk, _list in card_ids])),
    ]
    shown = {(thing["kind"], thing["id"]) for thing in changed}
    hidden = [
        *(_thing("list", row.pk) for row in lists if row.archived_at is not None),
        *(_thing("card", pk) for pk, _list in card_ids),
        *gone,
    ]
    removed = [thing for thing in hidden if (thing["kind"], thing["id"]) not in shown]
    touched = left.union(list_id for _pk, list_id in card_ids)
    return Changes(changed, removed, totals_of(touched, all_cards), touched)


def totals_of(list_ids: Iterable[UUID], all_cards: int) -> dict[str, int]:
    """Return how many cards these lists have, if pages may have a part of them only; {} for a board with few cards."""
    return {str(pk): total for pk, total in count_cards(list_ids).items()} if all_cards > WHOLE else {}


def _history(board_id: UUID, since: int) -> tuple[set[str], list[Thing], set[UUID]]:
    """Return the verbs of the changes since then, the things that were deleted or moved to another board, and the lists
    that cards left.
    """
    verbs: set[str] = set()
    gone: list[Thing] = []
    left: set[UUID] = set()
    for verb, removed, data in read_passed(board_id, since):
        verbs.add(verb)
        gone += removed
        left.update(UUID(pk) for pk in data.get("list_id") or () if pk)
    return verbs, gone, left


def _head(board_id: UUID, verbs: set[str]) -> list[Thing]:
    """Return the board's head, its members, its labels and its offer, each only if one of these verbs is about it.

    The rows themselves cannot tell: a board's version moves with every change, and a removed member leaves no row.
    """
    things = []
    if any(verb.startswith(("board.", "link.", "owner.")) for verb in verbs):  # a new owner ends the public link
        things.append(_thing("board", board_id, render_board_head(with_shared(board_id), MEMBERS)))
    if any(verb.startswith(("member.", "owner.")) or verb == Verb.BOARD_CREATED for verb in verbs):
        things.append(_thing("members", board_id, render_members(read_members(board_id))))
    if any(verb.startswith("invitation_link.") for verb in verbs):
        things.append(_thing("invitation_links", board_id, ""))  # pages of members read them; boards do not show them
    if any(verb.startswith("label.") for verb in verbs):
        things.append(_thing("labels", board_id, render_labels(Label.objects.filter(board=board_id))))
    # The bar of an offer names the board.
    is_about_offer = Verb.BOARD_CHANGED in verbs or any(verb.startswith("offer.") for verb in verbs)
    if is_about_offer and (offer := offer_of(board_id)):
        things.append(_thing("offer", offer.pk, render_offer(offer)))
    return things


def _public_head(view: PublicView, verbs: set[str]) -> list[Thing]:
    if not any(verb.startswith("board.") for verb in verbs):
        return []
    return [{"kind": "board", "id": "", "html": render_board_head(Board.objects.get(pk=view.board), view)}]


def _thing(kind: str, pk: UUID, html: str | None = None) -> Thing:
    return {"kind": kind, "id": str(pk)} | ({} if html is None else {"html": html})
