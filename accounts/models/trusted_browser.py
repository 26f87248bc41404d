from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from accounts.models.user import User
from security.browsers import name_of_browser

LIFETIME = timedelta(days=30)


class TrustedBrowser(models.Model):
    """A browser in which a user is not asked for the second step. Only a digest of what its cookie holds is stored."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="trusted_browsers", verbose_name=_("account"))
    digest = models.CharField(max_length=64, unique=True)
    address = models.CharField(_("IP address"), max_length=45, blank=True)
    browser = models.CharField(_("browser"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)
    used_at = models.DateTimeField(_("last used"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("until"), editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("remembered browser")
        verbose_name_plural = _("remembered browsers")
        indexes = [models.Index(fields=["expires_at"], name="trusted_browsers_by_end")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return name_of_browser(self.browser)
