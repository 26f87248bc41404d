"""The keys that tell push services who sends: a pair of P-256 (VAPID, RFC 8292).

Browsers subscribe with the public key, and their push service takes messages signed with its private key alone. It comes from
SECRET_KEY, by HKDF as in security/cipher.py, so every process of the service has the same one and there is no further secret
to keep; or from TASKBOARD_PUSH_PRIVATE_KEY. Former keys still sign for the browsers that subscribed with them.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, derive_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the group of P-256
GOOD_FOR = timedelta(hours=12)  # RFC 8292 allows a day


def public_key() -> str:
    """Return the public key of the newest pair, as browsers take it."""
    return next(iter(_keys()))


def is_known(public: str) -> bool:
    return public in _keys()


def authorization(endpoint: str, public: str, now: datetime) -> str:
    """Return the header that signs a message to this endpoint with the key of this public one."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + GOOD_FOR).timestamp()),
        "sub": settings.PUSH_CONTACT,
    }
    return f"vapid t={jwt.encode(claims, _keys()[public], algorithm='ES256')}, k={public}"


def _keys() -> dict[str, EllipticCurvePrivateKey]:
    return _pairs(tuple(settings.PUSH_PRIVATE_KEYS), (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@lru_cache(maxsize=8)
def _pairs(given: tuple[str, ...], secrets: tuple[str, ...]) -> dict[str, EllipticCurvePrivateKey]:
    """Return the private keys by their public ones, the newest first: those that were given, then those of the secret keys."""
    numbers = [int.from_bytes(decoded(key)) for key in given] + [_number(secret) for secret in secrets]
    found = [derive_private_key(number, SECP256R1()) for number in numbers]
    return {encoded(public_bytes(key)): key for key in found}


def _number(secret: str) -> int:
    # 48 bytes, so that the remainder favours no key noticeably
    made = HKDF(algorithm=SHA256(), length=48, salt=None, info=b"taskboard push").derive(secret.encode())
    return int.from_bytes(made) % (ORDER - 1) + 1


def public_bytes(key: EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64url without padding. Raise ValueError."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
