"""Admin pages that show rows of boards and cannot change them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.utils import lookup_spawns_duplicates
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import core.admin

if TYPE_CHECKING:
    from django.contrib.admin.filters import _ListFilterChoices


class DoneFilter(admin.EmptyFieldListFilter):
    """Filter for a time that is set once something is done: "Yes" means that it is set."""

    def choices(self, changelist: ChangeList) -> "Iterator[_ListFilterChoices]":
        for chosen, title in ((None, _("All")), ("0", _("Yes")), ("1", _("No"))):
            yield {
                "selected": self.lookup_val == chosen,
                "query_string": changelist.get_query_string({self.lookup_kwarg: chosen}),
                "display": title,
            }


class ReadOnlyAdmin(core.admin.ReadOnlyAdmin):
    """Read-only. A search for a UUID finds the rows in which any of `id_fields` has that value."""

    view_on_site = False  # operators are not members, so the link would lead to a 404
    ordering = ("-id",)
    search_help_text = gettext_lazy("You can also search by row ID or board ID.")
    id_fields: tuple[str, ...] = ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        wanted = _id_in(search_term)
        if wanted is None or not self.id_fields:
            return super().get_search_results(request, queryset, search_term)
        found = queryset.filter(Q.create([(name, wanted) for name in self.id_fields], Q.OR))
        return found, any(lookup_spawns_duplicates(self.opts, name) for name in self.id_fields)


def _id_in(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None
