from django.urls import path

from exporter import pages
from exporter.views import ExportView

urlpatterns = [
    path("api/export", ExportView.as_view(), name="export"),
    path("settings/data", pages.data, name="data"),
    path("settings/data/exports", pages.exports, name="exports"),
    path("settings/data/exports/<id:export_id>", pages.export_file, name="export_file"),
    path("settings/data/exports/<id:export_id>/cancellation", pages.cancellation, name="export_cancellation"),
    path("settings/data/exports/<id:export_id>/deletion", pages.deletion, name="export_deletion"),
]
