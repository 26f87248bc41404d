"""Fetch the ID token for a code, and accept it only after every check of OpenID Connect Core 3.1.3.7."""

from base64 import b64encode
from typing import Any
from urllib.parse import quote

import jwt
from django.conf import settings
from django.utils.crypto import constant_time_compare

from accounts.sign_in.provider.fetching import Answered, fetch
from accounts.sign_in.provider.metadata import keys, metadata

SKEW = 60  # seconds that our clock and the provider's may differ
# Never `none`, and none with a shared secret: a signature must show that the provider made it.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
FROM_USERINFO = ("email", "email_verified", "name", "locale", "zoneinfo")


class Untrue(Exception):
    """The token failed a check. str() names the check, for the log."""


def claims_for(code: str, *, verifier: str, nonce: str, redirect_uri: str) -> dict[str, Any]:
    """Return the verified claims about who signed in. Raise ProviderAway, Answered or Untrue."""
    told = metadata()
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
    }
    answer = fetch(told["token_endpoint"], **_authenticated(told, form))
    claims = verified(str(answer.get("id_token", "")), nonce=nonce)
    access, userinfo = answer.get("access_token"), told.get("userinfo_endpoint")
    groups = settings.OIDC_GROUPS_CLAIM
    lacks_some = "email" not in claims or claims.keys().isdisjoint({groups, groups.partition(".")[0]})
    if lacks_some and isinstance(access, str) and isinstance(userinfo, str):
        claims = _joined(claims, _more(userinfo, access, claims["sub"]))
    return claims


def _joined(claims: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return all claims. An address is verified only by the source that names it: the ID token, if it names one."""
    source = claims if "email" in claims else more
    pair: dict[str, Any] = {name: source[name] for name in ("email", "email_verified") if name in source}
    others = {name: value for name, value in {**more, **claims}.items() if name not in ("email", "email_verified")}
    return {**others, **pair}


def verified(token: str, *, nonce: str) -> dict[str, Any]:
    """Return the claims of an ID token. Raise Untrue."""
    try:
        header = jwt.get_unverified_header(token)
        if header.get("alg") not in ALGORITHMS:
            raise Untrue("the algorithm of the signature")
        claims = jwt.decode(
            token,
            _key_for(header),
            algorithms=[header["alg"]],
            audience=settings.OIDC_CLIENT_ID,
            issuer=settings.OIDC_URL,
            leeway=SKEW,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except jwt.PyJWTError as error:
        raise Untrue(f"{type(error).__name__}: {error}") from error
    audience = claims["aud"]
    party = claims.get("azp", settings.OIDC_CLIENT_ID if isinstance(audience, str) or len(audience) == 1 else None)
    if party != settings.OIDC_CLIENT_ID:
        raise Untrue("the authorized party")
    if not isinstance(claims.get("nonce"), str) or not constant_time_compare(claims["nonce"], nonce):
        raise Untrue("the nonce")
    if not 0 < len(str(claims["sub"])) <= 255:
        raise Untrue("the subject")
    return claims


def _key_for(header: dict[str, Any]) -> Any:
    name = header.get("kid")
    found = _suiting(keys(), header) or _suiting(keys(without=str(name)), header)
    if len(found) != 1:
        raise Untrue("no key, or several, for the signature")
    return found[0]


def _suiting(published: list[dict[str, Any]], header: dict[str, Any]) -> list[Any]:
    name, algorithm, found = header.get("kid"), header["alg"], []
    for key in published:
        if key.get("use", "sig") != "sig" or key.get("alg", algorithm) != algorithm:
            continue
        if name is not None and key.get("kid") != name:
            continue
        try:
            found.append(jwt.PyJWK.from_dict(key, algorithm=algorithm))
        except jwt.PyJWTError:
            continue  # a key of another kind
    return found


def _authenticated(told: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
    """Return form and headers that show who we are, in the way that the provider takes."""
    name, secret = settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET
    ways = told.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    if "client_secret_basic" in ways or "client_secret_post" not in ways:
        both = f"{quote(name, safe='')}:{quote(secret, safe='')}".encode()
        return {"form": form, "headers": {"Authorization": f"Basic {b64encode(both).decode()}"}}
    return {"form": {**form, "client_id": name, "client_secret": secret}}


def _more(userinfo: str, access: str, subject: str) -> dict[str, Any]:
    """Return what the provider tells at its userinfo address, of the same person only."""
    try:
        told = fetch(userinfo, headers={"Authorization": f"Bearer {access}"})
    except Answered as error:
        raise Untrue("userinfo was refused") from error
    if told.get("sub") != subject:
        raise Untrue("userinfo of another subject")
    wanted = {*FROM_USERINFO, settings.OIDC_GROUPS_CLAIM, settings.OIDC_GROUPS_CLAIM.partition(".")[0]}
    return {name: value for name, value in told.items() if name in wanted}
