"""Bearer tokens, which REST and the agent tools authenticate with, and count calls by."""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.tokens import find_live_token
from security.limits import Usage, count

TOGETHER = 4  # as many times the rate of one token is what all tokens of an account may do together


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


def count_call(request: HttpRequest, name: str, token: ApiToken) -> Usage | None:
    """Count a call by its token, and by the owner of it, who could make token after token. Return the token's usage."""
    usage = count(request, name, str(token.pk), user=token.user)
    count(request, name, f"owner {token.user_id}", times=TOGETHER, user=token.user)
    return usage
