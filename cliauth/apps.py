from django.apps import AppConfig


class CliAuthConfig(AppConfig):
    name = "cliauth"
