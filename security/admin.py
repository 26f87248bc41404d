from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.admin import ReadOnlyAdmin
from security.events import log_event
from security.export import FORMATS
from security.models import EventKind, SecurityEvent


@admin.register(SecurityEvent)
class SecurityEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "user", "by", "address", "browser")
    list_select_related = ("user", "by")
    list_filter = ("kind",)
    search_fields = ("user__email", "address")
    date_hierarchy = "at"
    fields = ("at", "kind", "user", "by", "address", "browser", "details")

    def get_urls(self) -> list[URLPattern]:
        return [
            path(
                f"export/{name}/",
                self.admin_site.admin_view(require_safe(self.export)),
                {"form": name},
                name=f"security_securityevent_{name}",
            )
            for name in FORMATS
        ] + super().get_urls()

    def export(self, request: HttpRequest, form: str) -> HttpResponseBase:
        """Send all lines that the list has with the same filters, whichever its page."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            events = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return redirect("admin:security_securityevent_changelist")
        content_type, lines = FORMATS[form]
        if request.method == "GET":
            log_event(EventKind.EXPORTED, request, user=request.user, log=form)
        response = StreamingHttpResponse(lines(events), content_type=content_type)
        name = f"taskboard-security-log-{timezone.now():%Y-%m-%d}.{form}"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        response["Cache-Control"] = "no-store"
        return response
