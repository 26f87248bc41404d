"""Bearer tokens, which REST and the agent tools authenticate with."""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.tokens import find_live_token


class BearerAuthentication(BaseAuthentication):
    """Refuses a missing, unknown, revoked or expired token and an inactive account with one and the same answer."""

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
