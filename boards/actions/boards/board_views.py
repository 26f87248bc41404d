"""Change a user's own view of a board: star, collapsed lists, saved filters, first lines of descriptions.

None of it changes the board, so nothing is recorded or pushed, and viewers may do it too. Each action locks the board: a
member who is removed at the same moment keeps nothing, and parallel calls cannot exceed a cap.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from boards.access import not_found, require_rights
from boards.actions.caps import FILTERS
from boards.actor import Actor
from boards.errors import Conflict, Invalid, LimitReached
from boards.models import BoardView, List
from boards.statements import lock_board, lock_board_of, read_board
from boards.text import FILTER_NAME, clean_line
from core.text.folding import fold

QUERY = 12_000  # characters of a filter's query, more than the longest text and fifty values of each kind take


def star_board(*, actor: Actor, board_id: UUID | None, starred: bool = True) -> None:
    with _own_view(actor, board_id) as view:
        _keep(view, starred=starred)


def show_excerpts(*, actor: Actor, board_id: UUID | None, shown: bool = True) -> None:
    """Show the first lines of descriptions on the tiles of this board, or hide them."""
    with _own_view(actor, board_id) as view:
        _keep(view, excerpts=shown)


def collapse_list(*, actor: Actor, list_id: UUID | None, collapsed: bool = True) -> None:
    """Collapse or expand an open list. Lists that are no longer open are forgotten, so there are never more than a cap."""
    with _own_view(actor, list_id=list_id) as view:
        wanted = {*view.collapsed, str(list_id)} if collapsed else {*view.collapsed} - {str(list_id)}
        open_lists = List.objects.open().filter(board=view.board_id, pk__in=wanted) if wanted else []
        _keep(view, collapsed=[str(row.pk) for row in open_lists])


def save_filter(*, actor: Actor, board_id: UUID | None, name: str, query: str, replace: bool = False) -> str:
    """Keep a filter by a name, and return the query that it had before; "" if it is new.

    `query` is that of an address, as BoardFilter.address() writes it. With `replace`, a filter that has this name
    already gets this query. Raises Invalid, Conflict, LimitReached.
    """
    name = _valid_name(name)
    if not query or len(query) > QUERY:
        raise Invalid(_("Filter the cards first, then save the filter."))
    with _own_view(actor, board_id) as view:
        same = _named(view, name)
        if same is None and len(view.filters) >= FILTERS:
            raise LimitReached(
                _("You have %(most)d saved filters on this board, which is the maximum. Delete one first.")
                % {"most": FILTERS}
            )
        former: str = view.filters.get(same, "")
        if former not in ("", query) and not replace:
            raise _taken(same)
        _keep(view, filters=view.filters | {same or name: query})
    return former


def rename_filter(*, actor: Actor, board_id: UUID | None, name: str, to: str) -> None:
    """Rename a saved filter. Raises NotFound, Invalid, and Conflict if another one has this name."""
    to = _valid_name(to)
    with _own_view(actor, board_id) as view:
        if name not in view.filters:
            raise not_found()
        same = _named(view, to)
        if same not in (None, name):
            raise _taken(same)
        _keep(view, filters={to if one == name else one: query for one, query in view.filters.items()})


def delete_filter(*, actor: Actor, board_id: UUID | None, name: str) -> str:
    """Delete a saved filter and return its query; "" if there is none of this name."""
    with _own_view(actor, board_id, deletes=True) as view:
        query: str = view.filters.get(name, "")
        _keep(view, filters={one: kept for one, kept in view.filters.items() if one != name})
    return query


@contextmanager
def _own_view(
    actor: Actor, board_id: UUID | None = None, list_id: UUID | None = None, *, deletes: bool = False
) -> Iterator[BoardView]:
    """Lock the board, or that of the list, and give the actor's view of it, a new one if nothing is kept yet.

    Raises NotFound unless the actor is a member and the board is open, and NotAllowed when their token lacks a right.
    """
    with transaction.atomic():
        locked = lock_board_of(List, list_id) if list_id else board_id and lock_board(board_id)
        found = read_board(locked.pk, actor.reader) if locked else None
        if found is None or found[0].archived_at is not None:
            raise not_found()
        require_rights(actor, deletes=deletes)
        mine = {"user": actor.user, "board": found[0]}
        yield BoardView.objects.filter(**mine).first() or BoardView(**mine)


def _keep(view: BoardView, **values: Any) -> None:
    """Save the values that differ. A view that keeps nothing yet is created now."""
    new = {name: value for name, value in values.items() if getattr(view, name) != value}
    if not new:
        return
    for name, value in new.items():
        setattr(view, name, value)
    view.save(update_fields=None if view._state.adding else [*new])


def _valid_name(value: str) -> str:
    return clean_line(value, "name", FILTER_NAME)


def _named(view: BoardView, name: str) -> str | None:
    """Return the name of the saved filter that is called so, in small or capital letters."""
    return next((one for one in view.filters if fold(one) == fold(name)), None)


def _taken(name: str | None) -> Conflict:
    return Conflict(
        _("You already have a filter named “%(name)s” on this board. Choose another name, or replace that one.")
        % {"name": name}
    )
