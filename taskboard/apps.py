from django.apps import AppConfig


class TaskboardConfig(AppConfig):
    name = "taskboard"

    def ready(self) -> None:
        from taskboard import tidying  # noqa: F401
        from taskboard.backup import daily  # noqa: F401
