from django.apps import AppConfig


class Apiv1Config(AppConfig):
    name = "apiv1"
    verbose_name = "REST API v1"
