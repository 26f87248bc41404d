from django.urls import path

from exporter.views import ExportView, data

urlpatterns = [
    path("api/export", ExportView.as_view(), name="export"),
    path("settings/data", data, name="data"),
]
