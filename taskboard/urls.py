"""Every address of the service, by app."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView, TemplateView

from apiv1.errors import unknown_path
from taskboard.health import healthz, livez

manifest = TemplateView.as_view(template_name="site.webmanifest", content_type="application/manifest+json")
urlpatterns = [
    # Calls come first, because they are many.
    path("", include("apiv1.urls")),
    path("", include("mcpserver.urls")),
    path("", include("cliauth.urls")),
    path("", include("exporter.urls")),
    re_path(r"^api/(?P<rest>.*)$", unknown_path),
    path("", include("web.urls")),
    path("", include("accounts.urls")),
    path("", include("importer.urls")),
    path("", include("account_deletion.urls")),
    path("", include("operating.urls")),
    path("healthz", healthz, name="healthz"),
    path("livez", livez, name="livez"),
    path("robots.txt", TemplateView.as_view(template_name="robots.txt", content_type="text/plain"), name="robots"),
    path("site.webmanifest", manifest, name="manifest"),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
]

handler400 = "taskboard.failures.bad_request"
handler403 = "apiv1.errors.forbidden"
handler404 = "apiv1.errors.not_found"
handler500 = "taskboard.failures.failed"
