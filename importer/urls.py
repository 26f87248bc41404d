from django.urls import path

from importer import views

urlpatterns = [
    path("settings/data/import", views.imports, name="imports"),
    path("settings/data/import/<id:import_id>", views.one_import, name="import"),
    path("settings/data/import/<id:import_id>/start", views.start, name="import_start"),
    path("settings/data/import/<id:import_id>/cancel", views.stop, name="import_cancel"),
    path("settings/data/import/<id:import_id>/take-back", views.taking_back, name="import_taking_back"),
]
