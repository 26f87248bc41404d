"""Read what programs need to write by name: the labels and members of a board, and what its cards have of them.

Fixed statements (docs/decisions/statements.md). None of them asks who reads: the caller has found the board already.
"""

from collections.abc import Collection
from uuid import UUID

from django.contrib.auth import get_user_model

from boards.models import Assignment, Board, Card, CardLabel, Label, List, Membership, Role
from boards.reader import Reader
from core import sql
from core.sql import key_in, keys, table


def labels_of_board(board_id: UUID) -> list[tuple[UUID, str, int]]:
    """Return (id, name, hue) of each label."""
    query = f"SELECT id, name, hue FROM {table(Label)} WHERE board_id = %s ORDER BY id"  # noqa: S608 (own names)
    return [(key_in(pk), name, hue) for pk, name, hue in sql.rows(query, keys([board_id]))]


def members_of_board(board_id: UUID) -> list[tuple[UUID, str, str]]:
    """Return (id of the account, name, address) of each member."""
    users = table(get_user_model())
    query = (
        f"SELECT u.id, u.name, u.email FROM {table(Membership)} m JOIN {users} u ON u.id = m.user_id"  # noqa: S608 (own names)
        " WHERE m.board_id = %s ORDER BY u.id"
    )
    return [(key_in(pk), name, email) for pk, name, email in sql.rows(query, keys([board_id]))]


def owners_of_boards(board_ids: Collection[UUID]) -> dict[UUID, tuple[UUID, str, str]]:
    """Return (id of the account, name, address) of the owner by board."""
    users = table(get_user_model())
    query = (
        f"SELECT m.board_id, u.id, u.name, u.email FROM {table(Membership)} m JOIN {users} u ON u.id = m.user_id"  # noqa: S608 (own names)
        f" WHERE m.role = '{Role.OWNER}' AND m.board_id IN ({', '.join(['%s'] * len(board_ids))})"
    )
    return {key_in(board): (key_in(pk), name, email) for board, pk, name, email in sql.rows(query, keys([*board_ids]))}


def labels_of_cards(card_ids: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    """Return (id of the card, id of the label)."""
    return _pairs(f"SELECT card_id, label_id FROM {table(CardLabel)}", card_ids)  # noqa: S608 (own names)


def people_of_cards(card_ids: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    """Return (id of the card, id of the account)."""
    return _pairs(f"SELECT card_id, user_id FROM {table(Assignment)}", card_ids)  # noqa: S608 (own names)


def place_of_card(card_id: UUID, reader: Reader) -> tuple[UUID, int, UUID, UUID] | None:
    """Return id, number, board and list of a card, perhaps an archived one; None when the reader cannot see it."""
    mine, params = reader.membership_sql("m")
    query = (
        f"SELECT c.id, c.number, c.board_id, c.list_id FROM {table(Card)} c"  # noqa: S608 (own names)
        f" JOIN {table(Board)} b ON b.id = c.board_id AND b.archived_at IS NULL"
        f" JOIN {table(Membership)} m ON m.board_id = c.board_id AND {mine} WHERE c.id = %s"
    )
    found = sql.first(query, keys([*params, card_id]))
    return found and (key_in(found[0]), found[1], key_in(found[2]), key_in(found[3]))


def board_of_open_list(list_id: UUID, reader: Reader) -> UUID | None:
    """Return the board of a list, neither of which is archived; None when the reader cannot see it."""
    mine, params = reader.membership_sql("m")
    query = (
        f"SELECT l.board_id FROM {table(List)} l"  # noqa: S608 (own names)
        f" JOIN {table(Board)} b ON b.id = l.board_id AND b.archived_at IS NULL"
        f" JOIN {table(Membership)} m ON m.board_id = l.board_id AND {mine} WHERE l.id = %s AND l.archived_at IS NULL"
    )
    found = sql.first(query, keys([*params, list_id]))
    return key_in(found[0]) if found else None


def _pairs(query: str, card_ids: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    if not card_ids:
        return []
    wanted = f"{query} WHERE card_id IN ({', '.join(['%s'] * len(card_ids))})"
    return [(key_in(card), key_in(other)) for card, other in sql.rows(wanted, keys(card_ids))]
