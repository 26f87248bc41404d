import zoneinfo
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from uuid_utils.compat import uuid7

from accounts.models.plan import Plan, default_plan
from accounts.time_zones import zone_named
from core.bus.access_check import check_access
from core.text.dates import first_weekday
from core.text.locale import language_tag
from core.text.names import FORMER_MEMBER, display_name, is_former


class Theme(models.TextChoices):
    SYSTEM = "system", _("Match system")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Density(models.TextChoices):
    """The distance between rows, and between cards."""

    COMFORTABLE = "comfortable", _("Comfortable")
    COMPACT = "compact", _("Compact")


class StartPage(models.TextChoices):
    """The page that is shown after sign-in."""

    BOARDS = "", _("Your boards")
    MY_WORK = "my", _("My work")


def languages() -> list[tuple[str, str]]:
    """Return the choices of a field. A callable, so that adding a language needs no migration."""
    return settings.LANGUAGES


def themes() -> list[tuple[str, object]]:
    """Return the choices of a field. A callable, so that changing a label needs no migration."""
    return list(Theme.choices)


def densities() -> list[tuple[str, object]]:
    """Return the choices of a field, as `themes` does."""
    return list(Density.choices)


def is_time_zone(value: str) -> None:
    if value not in zoneinfo.available_timezones():
        raise ValidationError(_("Choose a time zone such as Europe/Berlin."))


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """An account. The email address is stored in lower case and matched in any case.

    The row of a deleted account stays without anything of the person, because history, comments and cards refer to it
    (account_deletion/deletion.py). So the first account of an installation stays its first.

    A new account without a plan is saved with the default one.

    `save` makes the user's live pages check their access when the password, `is_active` or `sessions_ended_at` has
    changed, whoever changed it. An `update()` of the queryset does not; live pages then notice within 30 seconds (web/live/consumer.py).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(_("email address"), unique=True)
    name = models.CharField(_("name"), max_length=100, blank=True)
    language = models.CharField(_("language"), max_length=10, choices=languages, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[is_time_zone])
    theme = models.CharField(_("theme"), max_length=10, choices=themes, default=Theme.SYSTEM)
    density = models.CharField(
        _("density"), max_length=12, choices=densities, default=Density.COMFORTABLE, db_default=Density.COMFORTABLE
    )
    start_page = models.CharField(_("start page"), max_length=10, blank=True, default="", db_default="")
    # Empty: by language (core/text/dates.py)
    week_start = models.CharField(_("first day of the week"), max_length=10, blank=True, default="")
    date_form = models.CharField(_("form of dates"), max_length=10, blank=True, default="")
    clock = models.CharField(_("form of times"), max_length=2, blank=True, default="")
    # The random name of the file (accounts/pictures.py). Empty: initials are shown.
    picture = models.CharField(_("picture"), max_length=40, blank=True, default="", editable=False)
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, verbose_name=_("plan"))  # without one: `save`
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("operator"), default=False)
    # Sessions that began before do not count any more. None: none were ended but by a new password.
    sessions_ended_at = models.DateTimeField(pgettext_lazy("time", "sessions ended"), null=True, editable=False)
    # Noted once a day (accounts/sign_in/sessions/lifetime.py). None: no page was opened since this is noted.
    seen_at = models.DateTimeField(_("last seen"), null=True, editable=False)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    objects = UserManager()

    _admitted: tuple[object, ...] | None = None

    class Meta:
        ordering = ["email"]
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [models.CheckConstraint(condition=models.Q(email=Lower("email")), name="email_in_lower_case")]

    def __str__(self) -> str:
        return self.email

    @classmethod
    def from_db(cls, *args: Any, **kwargs: Any) -> "User":
        user = super().from_db(*args, **kwargs)
        user._admitted = user._admits()
        return user

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = self.email.lower()
        if self.__dict__.get("plan_id", "") is None:
            self.plan_id = default_plan()
        super().save(*args, **kwargs)
        before, self._admitted = self._admitted, self._admits()
        if before is not None and before != self._admitted:
            check_access(self.pk)

    def check_password(self, raw_password: str | None) -> bool:
        """Check the password, and keep it hashed anew where it was hashed for a weaker setting.

        A new password that came meanwhile stays. Django would write the old one over it.
        """

        def keep_hashed_anew(raw_password: str) -> None:
            before, self.password = self.password, make_password(raw_password)
            User.objects.filter(pk=self.pk, password=before).update(password=self.password)

        return check_password(raw_password, self.password, keep_hashed_anew)

    def _admits(self) -> tuple[object, ...]:
        """Return the fields whose change ends sessions, from __dict__, so that a deferred field is not fetched."""
        return tuple(self.__dict__.get(name) for name in ("password", "is_active", "sessions_ended_at"))

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """Make the sessions and approvals of an account depend on `sessions_ended_at` too, as Django does by password."""
        of_password = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        if self.sessions_ended_at is None:
            return of_password
        key = f"{of_password}{self.sessions_ended_at.timestamp()}"
        return salted_hmac("accounts.sessions", key, secret=secret, algorithm="sha256").hexdigest()

    @property
    def display_name(self) -> str:
        """Return the name, or the part of the address before the @ if there is none."""
        return display_name(self.name, self.email)

    @property
    def is_former(self) -> bool:
        """Tell whether the account was deleted."""
        return is_former(self.email)

    @property
    def recorded_name(self) -> str:
        """Return the name to write into the history, which people of all languages read."""
        return FORMER_MEMBER if self.is_former else self.display_name

    @property
    def has_confirmed_address(self) -> bool:
        """Tell whether the user has shown that the address is theirs. Without a mail server nobody has to."""
        return not settings.MAIL or self.emailaddress_set.filter(email=self.email, verified=True).exists()

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zone_named(self.time_zone)

    @property
    def first_weekday(self) -> int:
        """Return the day on which weeks begin: Monday is 1, Sunday 7."""
        return first_weekday(self)

    @property
    def language_tag(self) -> str:
        """Return the language as BCP 47 has it, as in pt-BR."""
        return language_tag(self.language)

    def get_full_name(self) -> str:
        return self.display_name
