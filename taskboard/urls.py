"""Every address of the service, by app."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("boards.urls")),
    path("", include("apiv1.urls")),
]
