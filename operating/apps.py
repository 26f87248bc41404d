from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy


class OperatingConfig(AppConfig):
    name = "operating"
    verbose_name = gettext_lazy("Service")

    def ready(self) -> None:
        from operating import tidying  # noqa: F401 (it sets the clock)
        from operating.backup import daily  # noqa: F401 (it sets the clock)
        from operating.banner import admin  # noqa: F401 (`operating.admin` is the admin itself, and loaded before models)

        if settings.METRICS != "off":
            from core.measures import Measure
            from operating.metrics.recording import Recorder

            Measure.recorder = Recorder(settings.DATA / "metrics")
