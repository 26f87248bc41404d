"""Encrypts a message for one browser, so that its push service cannot read it: aes128gcm (RFC 8188, RFC 8291)."""

import os

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from notifications.push.keys import public_bytes

RECORD = 4096  # bytes, the only record of a message; push services take no longer ones
HEAD, TAG = 16 + 4 + 1 + 65, 16
LONGEST = RECORD - HEAD - TAG - 1  # bytes of a text
STEP = 1024  # texts are filled up to a multiple of it, so that their length tells nothing
POINT, SECRET = 65, 16  # bytes of the browser's public key, and of the secret that it shares with us


def is_point(value: bytes) -> bool:
    """Tell whether this is a public key to which something can be encrypted."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), value)
    except ValueError:
        return False
    return len(value) == POINT


def encrypt(
    text: bytes,
    point: bytes,
    secret: bytes,
    *,
    salt: bytes = b"",
    own: EllipticCurvePrivateKey | None = None,
    step: int = STEP,
) -> bytes:
    """Return the body of the message. `salt` and `own` are random; the example of the standard gives both."""
    salt, own = salt or os.urandom(16), own or generate_private_key(SECP256R1())
    mine = public_bytes(own)
    shared = own.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point))
    both = _derived(shared, secret, b"WebPush: info\0" + point + mine, 32)
    key = _derived(both, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(both, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4) + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, _filled(text, step), None)


def _filled(text: bytes, step: int) -> bytes:
    if len(text) > LONGEST:
        raise ValueError("a push message is too long")
    ended = text + b"\2"  # the last record
    return ended.ljust(min(-(-len(ended) // step) * step, LONGEST + 1), b"\0")


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(key)
