"""Mails about invitations to addresses without an account. Addresses are kept as digests."""

from hashlib import sha256

from django.db import models
from django.utils import timezone


class InvitationMail(models.Model):
    """A mail that was sent to this address on this day. There is one a day, whoever invites."""

    digest = models.CharField(max_length=64)
    day = models.DateField()  # in UTC

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "digest"], name="one_invitation_mail_a_day")]

    def __str__(self) -> str:
        return f"{self.day} · {self.digest[:8]}"


class InvitationStop(models.Model):
    """An address whose reader wants no more mails about invitations."""

    digest = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d} · {self.digest[:8]}"


def digest_of_address(email: str) -> str:
    return sha256(f"invitation mails to {email.lower()}".encode()).hexdigest()
