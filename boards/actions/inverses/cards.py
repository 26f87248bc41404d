"""A card that went to another board comes back, with its number, its labels and the people whom it lost."""

from dataclasses import replace
from uuid import UUID

from boards.access import not_found
from boards.actions.cards.moves import move_to_board
from boards.actions.change import Change, change
from boards.actions.guards import require_open
from boards.actions.inverses.moved import old_place
from boards.actions.inverses.undoing import Inverse, Undoing, former_of
from boards.models import Activity, Assignment, Board, Card, CardLabel, Label, Membership, Verb


def _left(u: Undoing) -> None:
    _bring_back(u, left=u.line, arrived=_partner(u, Verb.CARD_ARRIVED, board_id=u.new_id("board_id")))


def _arrived(u: Undoing) -> None:
    left = _partner(u, Verb.CARD_LEFT, board_id=u.old_id("board_id"))
    _bring_back(Undoing(left, u.actor, u.owners), left=left, arrived=u.line)


def _partner(u: Undoing, verb: Verb, board_id: UUID) -> Activity:
    """Return the line of the same move in the history of the other board. A number is never given twice."""
    number = u.pair("number")[0]
    found = Activity.objects.filter(board=board_id, card_id=u.line.card_id, verb=verb, data__number__0=number).first()
    if found is None:
        raise u.gone()
    return found


def _bring_back(u: Undoing, left: Activity, arrived: Activity) -> None:
    actor = replace(u.actor, undoing={line.board_id: line.version for line in (left, arrived)})
    if not Card.objects.filter(pk=u.card_id, board=arrived.board_id).exists():  # these two boards alone are locked
        raise u.moved_on([]) if Card.objects.filter(pk=u.card_id).exists() else not_found()
    with change(actor, Card, u.card_id, and_board=left.board_id) as c:
        there, moves = Undoing(arrived, actor), Undoing(arrived, actor).later(Verb.CARD_MOVED, Verb.CARD_LEFT)
        if c.other is None or moves or c.row.list_id != there.new_id("list_id"):
            raise there.moved_on(moves)
        require_open(c.row)
        into = u.old_id("list_id")
        place = old_place(u, Card.objects.filter(list=into))
        move_to_board(c, c.other, into, place, u.owners, number=u.pair("number")[0])
        _assign_again(c.other, c.row, u.former.get("unassigned_ids", []))
        _delete_unused_labels(c, arrived)


def _assign_again(c: Change[Board], card: Card, user_ids: list[str]) -> None:
    members = Membership.objects.filter(board=c.board, user__in=map(UUID, user_ids))
    missing = members.exclude(user__in=Assignment.objects.filter(card=card).values("user"))
    c.add_all(Assignment(card=card, user_id=user_id) for user_id in missing.values_list("user_id", flat=True))


def _delete_unused_labels(c: Change[Card], arrived: Activity) -> None:
    """Delete the labels that the card brought to the other board, unless somebody uses or has changed them."""
    brought = former_of(arrived).get("created_label_ids", [])
    for label in Label.objects.filter(board=c.board, pk__in=brought, version=arrived.version):
        if not CardLabel.objects.filter(label=label).exists():
            c.remove(label)


INVERSES: dict[Verb, Inverse] = {Verb.CARD_LEFT: _left, Verb.CARD_ARRIVED: _arrived}
