"""Bearer tokens: the door of REST and of the agent tools."""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.tokens import find_live_token


class BearerAuthentication(BaseAuthentication):
    """One and the same refusal for a missing, unknown, revoked or expired token and for an inactive account."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken]:
        token = token_of(request._request)
        if token is None:
            raise NotAuthenticated
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def token_of(request: HttpRequest) -> ApiToken | None:
    scheme, _space, value = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    return find_live_token(value.strip()) if scheme.lower() == "bearer" else None
