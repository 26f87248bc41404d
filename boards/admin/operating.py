"""Calling our actions from the admin: as the operator, row by row, with a clear word about each refusal."""

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

DELETED_AT_ONCE = 100
NAMED_AT_ONCE = 5


class OperatingAdmin(ReadOnlyAdmin):
    """No field can be edited here, but Django's permissions to change and to delete open the admin's actions."""

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
        said: Any,
        flag: int = CHANGE,
    ) -> None:
        """Call `act` for each row and log it as `log`; `said` is a lazy plural of `count` for the operator."""
        actor = Actor(request.user, door=Door.ADMIN)  # type: ignore[arg-type]  # nobody else comes this far
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
            self.message_user(request, said % {"count": count})
        for reason, those in refused.items():
            self.message_user(request, f"{names_of(those)}: {reason}", messages.ERROR)

    def ask_before_deleting(
        self, request: HttpRequest, rows: QuerySet[Any], goes: dict[str, int]
    ) -> TemplateResponse | None:
        """Django's page that asks, with what `goes`; None, and a message, where too much is chosen at once."""
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
    """The domain speaks to members; where that would mislead an operator, in other words."""
    if isinstance(error, NotFound):
        return _("This no longer exists, or its board is archived. Restore the board first.")
    if isinstance(error, LimitReached):
        return _("The owner's plan allows no more boards. Change the plan, or archive another board first.")
    return error.message


def names_of(rows: list[Model]) -> str:
    """The first few; how many more."""
    names = ", ".join(f"“{row}”" for row in rows[:NAMED_AT_ONCE])
    more = len(rows) - NAMED_AT_ONCE
    if more <= 0:
        return names
    values = {"names": names, "count": more}
    return ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", more) % values
