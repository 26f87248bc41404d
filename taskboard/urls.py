"""Every address of the service, by app."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from taskboard.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("web.urls")),
    path("", include("cliauth.urls")),
    path("", include("mcpserver.urls")),
    path("", include("exporter.urls")),
    path("", include("apiv1.urls")),  # answers every other path under /api/
]

handler400 = "apiv1.errors.bad_request"
handler403 = "apiv1.errors.forbidden"
handler404 = "apiv1.errors.not_found"
handler500 = "apiv1.errors.crashed"
