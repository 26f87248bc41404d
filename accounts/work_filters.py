"""The filters of *My work* that an account keeps by name: list, save, replace, rename, delete.

The account is locked, so that parallel calls cannot exceed the cap, and a deleted account gets none.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.locks import lock_account
from accounts.models import User, WorkFilter
from core import sql
from core.text.folding import fold

MOST = 20  # that an account keeps


class FilterLimitReached(Exception):
    """The account keeps as many filters as it may. str() is a sentence for people."""


class FilterExists(Exception):
    """Another filter of the account has the name. str() is a sentence for people."""


class NoSuchFilter(Exception):
    """The account keeps no filter by this name."""


def filters_of(user: User) -> list[WorkFilter]:
    """Return the user's filters by name: one statement."""
    return sql.select(WorkFilter, "WHERE this.user_id = %s ORDER BY this.folded", sql.keys([user.pk]))


def save_filter(user: User, name: str, query: str, *, replace: bool = False) -> str:
    """Keep a query by a name, and return the query that it had before; "" if it is new.

    With `replace`, a filter that has this name already gets this query. Raise FilterExists and FilterLimitReached.
    """
    with transaction.atomic():
        owner = lock_account(user)
        same = _named(owner, name)
        if same is None:
            _require_room(owner)
            WorkFilter.objects.create(user=owner, name=name, folded=fold(name), query=query)
            return ""
        former = same.query
        if former != query:
            if not replace:
                raise _taken(same)
            same.query = query
            same.save(update_fields=["query"])
    return former


def rename_filter(user: User, name: str, to: str) -> None:
    """Raise NoSuchFilter, and FilterExists if another one has the new name."""
    with transaction.atomic():
        owner = lock_account(user)
        found, same = _named(owner, name), _named(owner, to)
        if found is None:
            raise NoSuchFilter
        if same is not None and same.pk != found.pk:
            raise _taken(same)
        if found.name != to:
            found.name, found.folded = to, fold(to)
            found.save(update_fields=["name", "folded"])


def delete_filter(user: User, name: str) -> str:
    """Delete a filter and return its query; "" if there is none of this name."""
    with transaction.atomic():
        found = _named(lock_account(user), name)
        if found is None:
            return ""
        found.delete()
    return found.query


def _named(owner: User, name: str) -> WorkFilter | None:
    if "\0" in name:  # which PostgreSQL takes in no text
        return None
    return WorkFilter.objects.filter(user=owner, folded=fold(name)).first()


def _require_room(owner: User) -> None:
    if WorkFilter.objects.filter(user=owner).count() >= MOST:
        raise FilterLimitReached(
            _("You have %(most)d saved filters, which is the maximum. Delete one first.") % {"most": MOST}
        )


def _taken(same: WorkFilter) -> FilterExists:
    return FilterExists(
        _("You already have a filter named “%(name)s”. Choose another name, or replace that one.") % {"name": same.name}
    )
