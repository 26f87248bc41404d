from uuid import UUID

from django.contrib import admin
from django.contrib.admin.models import DELETION
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from boards.actions.boards.board import archive_board, delete_board, restore_board
from boards.actions.files.caps import used_by_board
from boards.actor import Actor
from boards.admin.operating import OperatingAdmin
from boards.admin.read_only import DoneFilter
from boards.models import Activity, Attachment, Board, Card, Checklist, Comment, Label, List, Membership, Role
from core.text.lists import join_items
from core.text.sizes import size_in_words
from security.events import log_event
from security.models import EventKind

ROWS: tuple[type[Model], ...] = (Membership, List, Card, Label, Checklist, Comment, Attachment, Activity)


@admin.register(Board)
class BoardAdmin(OperatingAdmin):
    rights = ("view", "change", "delete")
    list_display = ("title", "owner", "created_at", "changed_at", "archived_at")
    list_filter = (("archived_at", DoneFilter),)
    date_hierarchy = "created_at"
    search_fields = ("title", "memberships__user__email")
    id_fields = ("pk", "memberships__user")
    fields = (
        "id",
        "title",
        "hue",
        "owner",
        "version",
        "created_at",
        "changed_at",
        "archived_at",
        "used",
        "rows",
    )
    actions = ("archive", "restore", "delete_selected")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Board]:
        owners = Membership.objects.filter(role=Role.OWNER).select_related("user")
        boards = super().get_queryset(request).filter(Exists(Membership.objects.filter(board=OuterRef("pk"))))
        return boards.prefetch_related(Prefetch("memberships", owners, to_attr="owners"))  # others are being deleted

    @admin.display(description=gettext_lazy("owner"))
    def owner(self, board: Board) -> str:
        return join_items(membership.user for membership in board.owners)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("files on its cards"))
    def used(self, board: Board) -> str:
        return size_in_words(used_by_board(board.pk))

    @admin.display(description=gettext_lazy("on this board"))
    def rows(self, board: Board) -> SafeString:
        return format_html_join(
            " · ",
            '<a href="{}?q={}">{}</a>',
            (
                (
                    reverse(f"admin:boards_{m._meta.model_name}_changelist"),
                    board.pk,
                    capfirst(m._meta.verbose_name_plural),
                )
                for m in ROWS
            ),
        )

    @admin.action(permissions=["operate"], description=gettext_lazy("Archive selected boards"))
    def archive(self, request: HttpRequest, queryset: QuerySet[Board]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: archive_board(actor=actor, board_id=pk),
            log=pgettext("board", "Archived."),
            said=lambda count: ngettext("%(count)s board archived.", "%(count)s boards archived.", count),
        )

    @admin.action(permissions=["operate"], description=gettext_lazy("Restore selected boards"))
    def restore(self, request: HttpRequest, queryset: QuerySet[Board]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: restore_board(actor=actor, board_id=pk),
            log=pgettext("board", "Restored."),
            said=lambda count: ngettext("%(count)s board restored.", "%(count)s boards restored.", count),
        )

    @admin.action(permissions=["erase"], description=gettext_lazy("Permanently delete selected boards"))
    def delete_selected(self, request: HttpRequest, queryset: QuerySet[Board]) -> HttpResponse | None:
        """Ask for confirmation, then delete. The name is that of Django's own action, because its page posts to it."""
        if "post" not in request.POST:
            return self.ask_before_deleting(request, queryset, _rows_to_delete(queryset))
        boards = {board.pk: board for board in queryset}

        def delete(actor: Actor, pk: UUID) -> None:
            board = boards[pk]
            with transaction.atomic():
                delete_board(actor=actor, board_id=pk)
                owner = board.owners[0].user  # type: ignore[attr-defined]
                log_event(EventKind.BOARD_DELETED, request, user=owner, by=actor.user, board=str(pk), title=board.title)

        self.operate(
            request,
            boards.values(),
            delete,
            log=_("Permanently deleted."),
            said=lambda count: ngettext("%(count)s board deleted.", "%(count)s boards deleted.", count),
            flag=DELETION,
        )
        return None


def _rows_to_delete(boards: QuerySet[Board]) -> dict[str, int]:
    """Return the counts for the confirmation page, by the name of the model."""
    counts = {str(Board._meta.verbose_name_plural): boards.count()}
    for model in (List, Card, Comment):
        counts[str(model._meta.verbose_name_plural)] = model._default_manager.filter(board__in=boards).count()
    return counts
