from django.urls import path

from account_deletion.views import deleted, deletion

urlpatterns = [
    path("settings/delete", deletion, name="account_deletion"),
    path("account/deleted", deleted, name="account_deleted"),
]
