"""GET me."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from apiv1.account import shapes
from apiv1.base import FIRST_VERSION, ApiView, answer
from apiv1.schema import errors


class MeView(ApiView):
    counted_as = {"GET": "me"}
    ignores_unknown = FIRST_VERSION

    @extend_schema(
        operation_id="me",
        summary="Get the owner of the token",
        responses={200: OpenApiResponse(shapes.MeAnswer, "The owner of the token."), **errors(401, 429)},
    )
    def get(self, request: Request) -> HttpResponse:
        """The owner of the token; use it to check a token."""
        return answer({"user": shapes.user_out(self.owner)})
