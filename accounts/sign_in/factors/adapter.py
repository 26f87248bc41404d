"""allauth.mfa's adapter, which encrypts the stored secrets and names this service to authenticator apps."""

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from security.cipher import Cipher

STORED = Cipher("stored factors")


class FactorAdapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return STORED.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return STORED.decrypt(encrypted_text)

    def get_totp_issuer(self) -> str:
        host = settings.BASE_URL.partition("://")[2].partition(":")[0]  # an issuer must not contain a colon
        return f"Taskboard ({host})"
