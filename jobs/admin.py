"""Tasks in the operators' admin. Arguments of tasks are not shown: a mail may hold a link that opens an
account."""

from datetime import datetime

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_tasks_db.models import DBTaskResult, get_date_max

from core.admin import ReadOnlyAdmin
from jobs.models import Cursor, Follower, Task, Turn
from jobs.running import try_again

admin.site.unregister(DBTaskResult)  # its own pages show the arguments


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    rights = ("view", "change")
    list_display = ("task_path", "status", "attempts", "next_try", "last_error", "enqueued_at", "finished_at")
    list_filter = ("status",)
    search_fields = ("task_path",)
    ordering = ("-enqueued_at",)
    fields = (
        "id",
        "task_path",
        "status",
        "attempts",
        "next_try",
        "enqueued_at",
        "started_at",
        "finished_at",
        "traceback",
    )
    actions = ("try_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        return super().get_queryset(request).defer("args_kwargs", "return_value")

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("jobs.change_task")

    @admin.action(permissions=["retry"], description=gettext_lazy("Retry selected failed tasks"))
    def try_again(self, request: HttpRequest, queryset: QuerySet[Task]) -> None:
        tried = [task for task in queryset if try_again(task.pk)]
        LogEntry.objects.log_actions(request.user.pk, tried, CHANGE, _("Retried."))  # type: ignore[arg-type]
        if tried:
            said = ngettext("%(count)s task will be retried.", "%(count)s tasks will be retried.", len(tried))
            self.message_user(request, said % {"count": len(tried)})
        if len(tried) < len(queryset):
            self.message_user(request, _("Only failed tasks can be retried."), messages.WARNING)

    @admin.display(description=gettext_lazy("attempts"))
    def attempts(self, task: Task) -> int:
        return len(task.worker_ids)

    @admin.display(description=gettext_lazy("next attempt"))
    def next_try(self, task: Task) -> datetime | None:
        return task.run_after if task.status == "READY" and task.run_after != get_date_max() else None

    @admin.display(description=gettext_lazy("last error"))
    def last_error(self, task: Task) -> str:
        return task.traceback.strip().rpartition("\n")[2]


@admin.register(Cursor)
class CursorAdmin(ReadOnlyAdmin):
    """Lists failing followers first."""

    is_listed = False
    list_display = ("follower", "board_id", "version", "attempts", "next_try_at", "error")
    list_filter = ("follower",)
    search_fields = ("board_id",)
    ordering = ("-attempts", "-id")


@admin.register(Follower)
class FollowerAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("name", "began_at")
    ordering = ("name",)


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("name", "next_at", "last_at", "task_id")
    ordering = ("name",)
