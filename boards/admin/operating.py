"""Call our actions from the admin, as the operator, once per row, and report each refusal.

Why not let the admin save and delete rows: only actions keep versions, history and live pages right.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import model_ngettext
from django.contrib.auth import get_permission_codename
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.actor import Actor
from boards.admin.read_only import ReadOnlyAdmin
from boards.errors import DomainError, LimitReached, NotFound
from boards.models.verbs import Door
from core.text.lists import join_items

DELETED_AT_ONCE = 100
NAMED_AT_ONCE = 5


class OperatingAdmin(ReadOnlyAdmin):
    """Pages without editable fields. Django's permissions to change and delete rows allow the admin's actions."""

    rights: tuple[str, ...] = ("view", "change")

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return self._has(request, "change")

    def has_erase_permission(self, request: HttpRequest) -> bool:
        return self._has(request, "change") and self._has(request, "delete")

    def _has(self, request: HttpRequest, what: str) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.{get_permission_codename(what, self.opts)}")

    def operate(
        self,
        request: HttpRequest,
        rows: Iterable[Model],
        act: Callable[[Actor, UUID], object],
        *,
        log: str,
        said: Callable[[int], str],
        flag: int = CHANGE,
    ) -> None:
        """Call `act` for each row. A row that is refused does not stop the others.

        `log` is the text for the admin's log; `said` gives the sentence for a %(count)s, shown to the operator.
        """
        actor = Actor(request.user, door=Door.ADMIN)  # type: ignore[arg-type]  # the admin has checked the sign-in
        count = 0
        refused = defaultdict(list)
        for row in rows:
            try:
                act(actor, row.pk)
            except DomainError as error:
                refused[sentence_for_operators(error)].append(row)
            else:
                LogEntry.objects.log_actions(actor.user.pk, [row], flag, log, single_object=True)
                count += 1
        if count:
            self.message_user(request, said(count) % {"count": count})
        for reason, refused_rows in refused.items():
            self.message_user(request, f"{names_of(refused_rows)}: {reason}", messages.ERROR)

    def ask_before_deleting(
        self, request: HttpRequest, rows: QuerySet[Any], goes: dict[str, int]
    ) -> TemplateResponse | None:
        """Return Django's confirmation page, with `goes`: how many rows of what will be deleted.

        Returns None, and leaves a message, when more than DELETED_AT_ONCE rows are selected.
        """
        count = rows.count()
        if count > DELETED_AT_ONCE:
            text = _("Choose at most %(most)s at a time to delete permanently.") % {"most": DELETED_AT_ONCE}
            self.message_user(request, text, messages.ERROR)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Delete permanently?"),
            "objects_name": model_ngettext(self.opts, count),
            "deletable_objects": [[str(row) for row in rows]],
            "model_count": goes.items(),
            "queryset": rows,
            "opts": self.opts,
            "action_checkbox_name": helpers.ACTION_CHECKBOX_NAME,
            "media": self.media,
        }
        return TemplateResponse(request, "admin/delete_selected_confirmation.html", context)


def sentence_for_operators(error: DomainError) -> str:
    """Return the error's sentence, reworded where it would mislead an operator, as it was written for members."""
    if isinstance(error, NotFound):
        return _("This no longer exists, or its board is archived. Restore the board first.")
    if isinstance(error, LimitReached):
        return _("The owner's plan allows no more boards. Change the plan, or archive another board first.")
    return error.message


def names_of(rows: list[Model]) -> str:
    """Return the names of the first few rows and how many more there are."""
    names = join_items(_("“%(title)s”") % {"title": row} for row in rows[:NAMED_AT_ONCE])
    more = len(rows) - NAMED_AT_ONCE
    if more <= 0:
        return names
    values = {"names": names, "count": more}
    return ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", more) % values
