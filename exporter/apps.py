from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExporterConfig(AppConfig):
    name = "exporter"
    verbose_name = _("Exports")

    def ready(self) -> None:
        from exporter import making  # noqa: F401  the task that workers look for
