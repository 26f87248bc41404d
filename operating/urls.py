from typing import Any

from django.conf import settings
from django.urls import URLPattern, path
from django.urls.resolvers import RoutePattern

from operating.banner.pages import close
from operating.metrics.pages import metrics


class WhereMetricsAreOn(URLPattern):
    """Takes no path while metrics are off, so that the answer is that to an unknown one, from every middleware too."""

    def resolve(self, path: str) -> Any:
        return None if settings.METRICS == "off" else super().resolve(path)


urlpatterns = [
    path("banner/close", close, name="close_banner"),
    WhereMetricsAreOn(RoutePattern("metrics", name="metrics", is_endpoint=True), metrics, name="metrics"),
]
