"""The public views of the API's description: the OpenAPI document and the reference page."""

from django.http import HttpResponse
from django.template.loader import render_to_string
from rest_framework.request import Request

from apiv1.base import FIRST_VERSION, AnonymousView, answer_bytes
from apiv1.openapi import description
from apiv1.readable import reference
from core.http.kept_html import PageOfParts
from core.templatetags.kept_tags import include_kept


class OpenApiView(AnonymousView):
    schema = None

    def get(self, request: Request) -> HttpResponse:
        return answer_bytes(description())


class ReferenceView(AnonymousView):
    schema = None
    ignores_unknown = FIRST_VERSION  # a page, which links lead to

    def perform_authentication(self, request: Request) -> None:
        """Leave the user of the session, whom the page's header shows. DRF would set nobody."""

    def get(self, request: Request) -> HttpResponse:
        calls = include_kept("apiv1/_calls.html", reference=reference())
        return PageOfParts(render_to_string("apiv1/reference.html", {"calls": calls}, request._request), [calls])
