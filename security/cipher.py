"""Encrypts secrets that the service must be able to read again, such as those of authenticator apps.

The key comes from SECRET_KEY, by HKDF and under the name of a purpose, so that no purpose can read the texts of
another. Former secret keys (SECRET_KEY_FALLBACKS) are still read.
"""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class Unreadable(Exception):
    """The text was not encrypted for this purpose, by no key that is known, or too long ago."""


@dataclass(frozen=True)
class Cipher:
    purpose: str

    def encrypt(self, text: str) -> str:
        return self._newest.encrypt(text.encode()).decode()

    def decrypt(self, encrypted: str, max_age: timedelta | None = None) -> str:
        """Return the text. Raise Unreadable."""
        keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        reader = MultiFernet([_fernet(key, self.purpose) for key in keys])
        seconds = None if max_age is None else int(max_age.total_seconds())
        try:
            return reader.decrypt(encrypted.encode(), ttl=seconds).decode()
        except InvalidToken as error:
            raise Unreadable(self.purpose) from error

    def is_current(self, encrypted: str) -> bool:
        """Return whether the newest secret key encrypted this."""
        try:
            self._newest.decrypt(encrypted.encode())
        except InvalidToken:
            return False
        return True

    @property
    def _newest(self) -> Fernet:
        return _fernet(settings.SECRET_KEY, self.purpose)


@lru_cache(maxsize=64)
def _fernet(secret: str, purpose: str) -> Fernet:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=f"taskboard {purpose}".encode()).derive(secret.encode())
    return Fernet(urlsafe_b64encode(key))
