"""Admin pages that show rows and cannot change them."""

from django.contrib import admin
from django.db import models
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.utils.html import format_html

LONGEST = 32  # characters of a name in a list


class ReadOnlyAdmin(admin.ModelAdmin):
    """Pages of rows that nobody changes by hand.

    `is_listed` is false where operators come by a link only, because the rows are parts of others or internal. `rights`
    names the permissions that have an effect on these pages.
    """

    show_full_result_count = False
    list_per_page = 50
    is_listed = True
    rights: tuple[str, ...] = ("view",)
    # Fields that no page shows. Filtering by their beginning would tell them all the same.
    secrets: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return lookup.split(LOOKUP_SEP)[0] not in self.secrets and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return super().get_model_perms(request) if self.is_listed else {}


def shortened(text: str) -> str:
    """Return a long name cut for a list, where the pointer shows the rest."""
    return text if len(text) <= LONGEST else format_html('<span title="{}">{}…</span>', text, text[: LONGEST - 1])
