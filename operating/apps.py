from django.apps import AppConfig


class OperatingConfig(AppConfig):
    name = "operating"

    def ready(self) -> None:
        from operating import tidying  # noqa: F401 (it sets the clock)
        from operating.backup import daily  # noqa: F401 (it sets the clock)
