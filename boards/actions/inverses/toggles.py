"""Changes with two sides: done and open, archived and restored, labelled and not, assigned and not."""

from boards.actions.boards.board import archive_board, restore_board
from boards.actions.cards.archive import archive_card, restore_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.labels import add_label, remove_label
from boards.actions.guards import require_open
from boards.actions.inverses.created import require_item
from boards.actions.inverses.fields import old_values
from boards.actions.inverses.undoing import Inverse, Undoing
from boards.actions.lists.list import restore_list
from boards.models import Card, List, Verb


def _completion(back: Verb) -> Inverse:
    def inverse(u: Undoing) -> None:
        with u.change(Card) as c:
            require_open(c.row)
            if c.set(c.row, **old_values(u, c.row, "completed_at")):
                c.record(back, c.row)

    return inverse


def _card_archived(u: Undoing) -> None:
    old_values(u, u.row(Card), "archived_at")
    restore_card(actor=u.actor, card_id=u.subject_id)


def _card_restored(u: Undoing) -> None:
    """Archive the card as it was; a card that has taken back its recurrence gets another next occurrence."""
    if u.line.undoes is not None:
        require_item(u)
    if "next_occurrence_id" in u.line.data:
        old_values(u, u.row(Card), "archived_at")
        archive_card(actor=u.actor, card_id=u.subject_id)
        return
    with u.change(Card) as c:
        if c.set(c.row, **old_values(u, c.row, "archived_at")):
            c.record(Verb.CARD_ARCHIVED, c.row)


def _list_archived(u: Undoing) -> None:
    old_values(u, u.row(List), "archived_at")
    restore_list(actor=u.actor, list_id=u.subject_id)


def _list_restored(u: Undoing) -> None:
    with u.change(List) as c:
        if c.set(c.row, **old_values(u, c.row, "archived_at")):
            c.record(Verb.LIST_ARCHIVED, c.row)


def _board_archived(u: Undoing) -> None:
    """Restore the board. Its invitations and its offer, which ended with it, have to be made anew."""
    restore_board(actor=u.actor, board_id=u.line.board_id)


def _board_restored(u: Undoing) -> None:
    archive_board(actor=u.actor, board_id=u.line.board_id)


def _labelled(u: Undoing) -> None:
    remove_label(actor=u.actor, card_id=u.row(Card).pk, label_id=u.new_id("label_id"))


def _unlabelled(u: Undoing) -> None:
    add_label(actor=u.actor, card_id=u.row(Card).pk, label_id=u.old_id("label_id"))


def _assigned(u: Undoing) -> None:
    unassign(actor=u.actor, card_id=u.row(Card).pk, user_id=u.new_id("assignee_id"))


def _unassigned(u: Undoing) -> None:
    assign(actor=u.actor, card_id=u.row(Card).pk, user_id=u.old_id("assignee_id"))


INVERSES: dict[Verb, Inverse] = {
    Verb.BOARD_ARCHIVED: _board_archived,
    Verb.BOARD_RESTORED: _board_restored,
    Verb.LIST_ARCHIVED: _list_archived,
    Verb.LIST_RESTORED: _list_restored,
    Verb.CARD_COMPLETED: _completion(Verb.CARD_REOPENED),
    Verb.CARD_REOPENED: _completion(Verb.CARD_COMPLETED),
    Verb.CARD_ARCHIVED: _card_archived,
    Verb.CARD_RESTORED: _card_restored,
    Verb.CARD_LABELLED: _labelled,
    Verb.CARD_UNLABELLED: _unlabelled,
    Verb.CARD_ASSIGNED: _assigned,
    Verb.CARD_UNASSIGNED: _unassigned,
}
