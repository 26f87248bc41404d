from django.apps import AppConfig
from django.urls import register_converter

from core.ids import IdConverter


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
