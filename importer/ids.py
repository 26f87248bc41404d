"""Ids that rows of an import get, known before the rows are there: so texts can link to cards that come later."""

import hashlib
from uuid import UUID


def new_id(salt: bytes, kind: str, key: str) -> UUID:
    """Return a UUID version 7 for what the source calls `key`: the same each time for one salt, whose first 6 bytes are
    its time in milliseconds, and impossible to guess for another.
    """
    rest = hashlib.blake2b(f"{kind}\0{key}".encode("utf-8", "surrogatepass"), key=salt[6:], digest_size=10).digest()
    number = int.from_bytes(salt[:6] + rest, "big")
    number = number & ~(0xF << 76) | 7 << 76
    return UUID(int=number & ~(0x3 << 62) | 0x2 << 62)


def new_salt(now_ms: int, secret: bytes) -> bytes:
    """Return the salt of one import: its time, then at least 16 random bytes."""
    return now_ms.to_bytes(6, "big") + secret
