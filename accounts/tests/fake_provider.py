"""Stands in for an OpenID provider inside the tests' process: signs what it is told to, also what no honest one would."""

import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

from accounts.sign_in.provider.fetching import Answered, ProviderAway

ISSUER = "https://login.example.com/main"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public(key: Any, name: str) -> dict[str, Any]:
    return {
        **jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True),
        "kid": name,
        "use": "sig",
        "alg": "RS256",
    }


@dataclass
class FakeProvider:
    claims: dict[str, Any] = field(
        default_factory=lambda: {
            "sub": "s-1",
            "email": "Olga@example.com",
            "email_verified": True,
            "name": "Olga",
            "groups": [],
        }
    )
    userinfo: dict[str, Any] = field(default_factory=dict)
    keys: list[dict[str, Any]] = field(default_factory=lambda: [public(KEY, "one")])
    key: Any = KEY
    algorithm: str = "RS256"
    is_away: bool = False
    more: dict[str, Any] = field(default_factory=dict)  # of the metadata
    nonce: str = ""
    used: list[str] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)

    def fetch(self, url: str, *, form: Any = None, headers: Any = None) -> dict[str, Any]:
        if self.is_away:
            raise ProviderAway("away")
        self.used.append(url)
        match url.removeprefix(ISSUER):
            case "/.well-known/openid-configuration":
                places = {"authorization_endpoint": "auth", "token_endpoint": "token", "jwks_uri": "keys"}
                at = {name: f"{ISSUER}/{place}" for name, place in places.items()}
                return {"issuer": ISSUER, "userinfo_endpoint": f"{ISSUER}/me", **at, **self.more}
            case "/keys":
                return {"keys": self.keys}
            case "/me":
                return self.userinfo
            case "/token":
                self.forms.append({**form, **(headers or {})})
                if form["code"] != "good":
                    raise Answered("invalid_grant")
                return {"access_token": "a", "id_token": self.token()}
        raise AssertionError(url)

    def token(self, **claims: Any) -> str:
        now = int(time.time())
        base = {"iss": ISSUER, "aud": "taskboard", "iat": now, "exp": now + 60, "nonce": self.nonce}
        key = self.key if self.algorithm != "none" else None
        return jwt.encode({**base, **self.claims, **claims}, key, algorithm=self.algorithm, headers={"kid": "one"})

    def come_back(self, client: Client, begun: Any, **query: str) -> Any:
        """Answer what the browser was sent to the provider for, as `begun` says."""
        asked = asked_in(begun)
        self.nonce = self.nonce or asked["nonce"]
        sent = {"code": "good", "state": asked["state"], "iss": ISSUER, **query}
        answer = client.get("/sign-in/oidc/callback", {name: value for name, value in sent.items() if value})
        self.nonce = ""
        return answer

    def sign_in(self, client: Client, onward: str = "", **query: str) -> Any:
        return self.come_back(client, client.post("/sign-in/oidc", {"next": onward}), **query)


def asked_in(answer: Any) -> dict[str, str]:
    assert answer.status_code == 302, answer.content
    return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    settings.OIDC_URL, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = ISSUER, "taskboard", "hush"
    settings.OIDC_NAME = "Example Login"
    fake = FakeProvider()
    for module in ("metadata", "tokens"):
        monkeypatch.setattr(f"accounts.sign_in.provider.{module}.fetch", fake.fetch)
    return fake
