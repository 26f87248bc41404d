from django.urls import path

from cliauth.views.endpoints import PollView, StartView
from cliauth.views.page import cli

urlpatterns = [
    path("api/v1/cli/auth", StartView.as_view(), name="cli-start"),
    path("api/v1/cli/auth/token", PollView.as_view(), name="cli-poll"),
    path("cli", cli, name="cli"),
]
