"""The token of the request."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.tokens import revoke_token
from apiv1.base import ApiView
from apiv1.schema import errors
from security.events import log_event
from security.models import EventKind


class TokenView(ApiView):
    counted_as = {"DELETE": "token"}

    @extend_schema(
        operation_id="revokeToken",
        summary="Revoke the token of the request",
        responses={204: OpenApiResponse(None, "The token is revoked."), **errors(400, 401, 411, 413, 415, 429)},
    )
    def delete(self, request: Request) -> HttpResponse:
        """The token stops working immediately. This is how a client signs out. It takes no fields."""
        self.take_no_fields()
        if revoke_token(self.token):
            log_event(EventKind.TOKEN_REVOKED, request._request, user=self.token.user, name=self.token.name)
        return HttpResponse(status=204)
