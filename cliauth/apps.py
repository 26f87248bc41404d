from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CliAuthConfig(AppConfig):
    name = "cliauth"
    verbose_name = _("Command line sign-ins")
