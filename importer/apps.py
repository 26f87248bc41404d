from django.apps import AppConfig


class ImporterConfig(AppConfig):
    name = "importer"

    def ready(self) -> None:
        import importer.tasks  # noqa: F401  its entry of the clock
