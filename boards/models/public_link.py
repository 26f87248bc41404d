"""The public link of a board: a secret address at which anybody reads it."""

import base64
import hashlib
import re
import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from boards.models.base import BoardRow

KEY = re.compile("[A-Za-z0-9_-]{43}")
FRAMES = 500  # characters of the origins that may embed a board
ANYBODY = "*"  # may embed it


def digest_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class PublicLink(BoardRow):
    """One a board. Its key, 256 bits, is the last part of its address.

    The key is found by its digest, and made again from `nonce` and the service's secret key, so that the owner can copy the
    address another day and yet nobody can read it from a copy of the database (docs/decisions/public-links.md).
    """

    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="public_links")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    nonce = models.CharField(max_length=43, editable=False)
    password = models.CharField(_("password"), max_length=128, blank=True, editable=False)  # its hash; "" for none
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    shows_comments = models.BooleanField(_("comments are shown"), default=False)
    shows_names = models.BooleanField(_("names are shown"), default=False)
    # The origins whose pages may embed the board, with spaces between; "" for none, "*" for all
    frames = models.CharField(_("embedded by"), max_length=FRAMES, blank=True)
    created_at = models.DateTimeField(pgettext_lazy("time", "turned on"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "id"]
        verbose_name = _("public link")
        verbose_name_plural = _("public links")
        constraints = [models.UniqueConstraint(fields=["board"], name="one_public_link_a_board")]

    def __str__(self) -> str:
        return str(self.board)

    @classmethod
    def new(cls, **choices: Any) -> "PublicLink":
        """Return a link with a key that never was before. It is not saved yet."""
        nonce = secrets.token_urlsafe(32)
        return cls(nonce=nonce, digest=digest_of(_key(nonce, settings.SECRET_KEY)), **choices)

    @property
    def key(self) -> str:
        """Return the secret part of the address; "" when the secret key that it was made with is gone."""
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            key = _key(self.nonce, secret)
            if constant_time_compare(digest_of(key), self.digest):
                return key
        return ""

    @property
    def address(self) -> str:
        """Return the whole address; "" like `key`."""
        return f"{settings.BASE_URL}/public/{key}" if (key := self.key) else ""

    @property
    def is_over(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()


def _key(nonce: str, secret: str) -> str:
    made = salted_hmac("boards.models.PublicLink", nonce, secret=secret, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")
