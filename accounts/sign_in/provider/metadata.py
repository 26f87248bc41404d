"""The provider's metadata: its addresses and its keys, kept for an hour."""

import logging
from typing import Any, TypeVar
from urllib.parse import urlsplit

from csp.decorators import csp_update
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

from accounts.sign_in.provider.fetching import Answered, ProviderAway, fetch, is_allowed

AnyResponse = TypeVar("AnyResponse", bound=HttpResponseBase)
log = logging.getLogger(__name__)

KEPT_FOR = 60 * 60  # seconds
AWAY_FOR = 30  # seconds for which nobody asks again
KEYS_AGAIN_AFTER = 60  # seconds between two looks for a key that is not known
REQUIRED = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")


def is_used() -> bool:
    return bool(settings.OIDC_URL)


def is_away() -> bool:
    """Return whether the provider did not answer a moment ago. Asks nobody."""
    return cache.get(_key("away")) is not None


def metadata() -> dict[str, Any]:
    """Return what the provider publishes. Raise ProviderAway."""
    if found := cache.get(_key("metadata")):
        return found
    found = _asked(f"{settings.OIDC_URL.rstrip('/')}/.well-known/openid-configuration")
    if found.get("issuer") != settings.OIDC_URL:
        raise _away(
            f"the provider calls itself {str(found.get('issuer'))[:200]!r}: write exactly that as TASKBOARD_OIDC_URL"
        )
    if not all(isinstance(found.get(name), str) and is_allowed(found[name]) for name in REQUIRED):
        raise _away(f"the provider names no https address for each of {', '.join(REQUIRED[1:])}")
    cache.set(_key("metadata"), found, KEPT_FOR)
    return found


def keys(*, without: str = "") -> list[dict[str, Any]]:
    """Return the keys with which the provider signs. If `without` is given, that key is missing: look for new ones."""
    found = cache.get(_key("keys"))
    if found is None or (without and cache.add(_key("looked-again"), 1, KEYS_AGAIN_AFTER)):
        published = _asked(metadata()["jwks_uri"]).get("keys")
        found = [one for one in published if isinstance(one, dict)] if isinstance(published, list) else []
        cache.set(_key("keys"), found, KEPT_FOR)
    return found


def origins() -> list[str]:
    """Return the origins that a form which starts the sign-in leads to."""
    return [origin_of(settings.OIDC_URL), *settings.OIDC_ORIGINS]


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def may_lead_there(answer: AnyResponse) -> AnyResponse:
    """Let the forms of this page end at the provider: browsers refuse a form that is redirected elsewhere."""
    if is_used():
        csp_update({"form-action": origins()})(lambda request: answer)(HttpRequest())  # it marks what a view returns
    return answer


def _asked(url: str) -> dict[str, Any]:
    if is_away():
        raise ProviderAway("it was away a moment ago")
    try:
        return fetch(url)
    except (ProviderAway, Answered) as error:
        raise _away(str(error)) from error


def _away(why: str) -> ProviderAway:
    log.warning("Single sign-on: %s.", why)
    cache.set(_key("away"), 1, AWAY_FOR)
    return ProviderAway(why)


def _key(name: str) -> str:
    return f"oidc:{name}:{settings.OIDC_URL}"
