"""The ways in which a person is told of each kind."""

from collections.abc import Iterable

from django.conf import settings

from accounts.models import User
from notifications.kinds import DEFAULT_MAIL, Kind, Mail
from notifications.models import Habits, Way


def ways_of(user: User) -> dict[Kind, Way]:
    """Return for each kind how this person is told of it, with the defaults filled in. They are not to be saved as such."""
    chosen = {way.kind: way for way in Way.objects.filter(user=user)}
    ways = {kind: chosen.get(kind) or Way(user=user, kind=kind) for kind in Kind}
    for kind, way in ways.items():
        way.mail = mail_of(way, kind)
    return ways


def mail_of(way: Way | None, kind: Kind) -> Mail:
    """Return when a person with this row, or without one, is mailed about the kind, where there is a mail server."""
    return Mail(way.mail) if way and way.mail else DEFAULT_MAIL.get(kind, Mail.OFF)


def mail_now(way: Way | None, kind: Kind) -> str:
    """Return what `Notification.to_mail` is for something that is told now."""
    mail = mail_of(way, kind) if settings.MAIL else Mail.OFF
    return "" if mail == Mail.OFF or (kind == Kind.INVITED and mail == Mail.NOW) else mail


def kinds_in_app(user: User) -> set[Kind]:
    """Return the kinds that this person sees in the app: all that they have not turned off."""
    return {kind for kind, way in ways_of(user).items() if way.in_app}


def set_ways(user: User, ways: Iterable[Way], names: Iterable[str]) -> None:
    """Keep what `names` says of these ways; what else was chosen stays."""
    rows = [Way(user=user, kind=way.kind, **{name: getattr(way, name) for name in names}) for way in ways]
    Way.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user", "kind"], update_fields=[*names])


def habits_of(user: User) -> Habits:
    return Habits.objects.filter(user=user).first() or Habits(user=user)


def takes_mails(user: User, habits: Habits) -> bool:
    """Tell whether this account gets mails about notifications at all."""
    return bool(settings.MAIL) and habits.mails and user.is_active and user.has_confirmed_address


def switch_mails(user: User, *, on: bool) -> None:
    """Send mails, or none of any kind. What is chosen by kind stays."""
    row = Habits(user=user, mails=on)
    Habits.objects.bulk_create([row], update_conflicts=True, unique_fields=["user"], update_fields=["mails"])


def keep_mails_of(user: User, kinds: Iterable[Kind]) -> None:
    """Turn the mails about all other kinds off."""
    others = [way for kind, way in ways_of(user).items() if kind not in {*kinds}]
    for way in others:
        way.mail = Mail.OFF
    set_ways(user, others, ["mail"])
