from django.contrib import admin
from django.contrib.admin.models import DELETION
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from boards.actions.cards.comments import delete_comment
from boards.admin.operating import OperatingAdmin
from boards.models import Comment


@admin.register(Comment)
class CommentAdmin(OperatingAdmin):
    rights = ("view", "change", "delete")
    list_display = ("__str__", "author", "card", "board", "door", "created_at")
    list_select_related = ("author", "card", "board")
    list_filter = ("door",)
    search_fields = ("body", "author__email")
    id_fields = ("pk", "board", "card", "author")
    fields = ("id", "board", "card", "author", "body", "door", "token_name", "created_at", "edited_at", "version")
    actions = ("delete_selected",)

    @admin.action(permissions=["erase"], description=gettext_lazy("Permanently delete selected comments"))
    def delete_selected(self, request: HttpRequest, queryset: QuerySet[Comment]) -> HttpResponse | None:
        """Ask for confirmation, then delete. The name is that of Django's own action, because its page posts to it."""
        if "post" not in request.POST:
            counts = {str(Comment._meta.verbose_name_plural): queryset.count()}
            return self.ask_before_deleting(request, queryset, counts)
        self.operate(
            request,
            queryset,
            lambda actor, pk: delete_comment(actor=actor, comment_id=pk),
            log=_("Permanently deleted."),
            said=lambda count: ngettext("%(count)s comment deleted.", "%(count)s comments deleted.", count),
            flag=DELETION,
        )
        return None
