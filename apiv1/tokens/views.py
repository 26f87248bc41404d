"""The token of the request."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.tokens import Wider, narrow_token, revoke_token
from apiv1.base import ApiView, answer
from apiv1.errors import Refused
from apiv1.schema import errors, refusal
from apiv1.tokens import shapes
from apiv1.tokens.boards import ids_of_boards, remaining_boards
from boards.dates import parse_due
from boards.errors import Invalid
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


class CurrentTokenView(TokenView):
    counted_as = {"GET": "read", "PATCH": "write", "DELETE": "token"}

    @extend_schema(
        operation_id="getCurrentToken",
        summary="Get the token of the request and what it may do",
        responses={200: OpenApiResponse(shapes.TokenAnswer, "The token."), **errors(400, 401, 429)},
    )
    def get(self, request: Request) -> HttpResponse:
        """Of chosen boards, those are named that exist and that the owner of the token can see."""
        return self.shown()

    @extend_schema(
        operation_id="narrowCurrentToken",
        summary="Let the token of the request do less",
        request=shapes.TokenIn,
        responses={
            200: OpenApiResponse(shapes.TokenAnswer, "The token."),
            403: refusal("The token would be allowed more than before."),
            404: refusal("One of the boards does not exist, or the owner of the token cannot see it."),
            **errors(400, 401, 411, 413, 415, 429),
        },
    )
    def patch(self, request: Request) -> HttpResponse:
        """Give it fewer rights or boards, or an earlier expiry. It can never get more than it has. A token that may only read can do this too."""
        given = self.patched(shapes.TokenIn)
        wanted: dict[str, Any] = {name: given[name] for name in ("access", "deletes") if name in given}
        if "expiresAt" in given:
            wanted["expires_at"] = self.expiry(given["expiresAt"])
        if "boards" in given:
            wanted["board_ids"] = ids_of_boards(given["boards"], self.token)
        try:
            changed = narrow_token(self.token, **wanted)
        except Wider as refused:
            raise Refused(403, str(refused)) from None
        if changed:
            log_event(EventKind.TOKEN_NARROWED, request._request, user=self.owner, name=self.token.name)
        return self.shown()

    def expiry(self, given: object) -> datetime | None:
        if given is None:
            return None
        found = parse_due(given, self.owner.zone, "expiresAt")
        if found <= timezone.now():
            raise Invalid("expiresAt must be in the future. To revoke the token, use DELETE.", "expiresAt")
        return found

    @extend_schema(
        operation_id="revokeCurrentToken",
        summary="Revoke the token of the request, as DELETE /api/v1/token does",
        responses={204: OpenApiResponse(None, "The token is revoked."), **errors(400, 401, 411, 413, 415, 429)},
    )
    def delete(self, request: Request) -> HttpResponse:
        """The token stops working immediately. It takes no fields."""
        return super().delete(request)

    def shown(self) -> HttpResponse:
        return answer({"token": shapes.token_out(self.token, remaining_boards(self.token))})
