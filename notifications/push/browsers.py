"""The browsers of a user that get push messages. Each is switched on in a session, and ends with it."""

from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.locks import lock_undeleted_account
from accounts.models import User
from accounts.sign_in.sessions.browser_sessions import sessions_of
from boards.access import not_found
from boards.errors import Invalid
from notifications.kinds import Kind
from notifications.models import PushBrowser, Way
from notifications.push.encryption import POINT, SECRET, is_point
from notifications.push.endpoints import is_allowed
from notifications.push.keys import decoded, is_known
from security.models import BrowserSession

MOST = 20  # of an account; the oldest goes
AT_FIRST = (Kind.INVITED, Kind.ASSIGNED, Kind.MENTIONED, Kind.COMMENT, Kind.ACCESS, Kind.DUE)


def browsers_of(user: User) -> list[PushBrowser]:
    """Return those whose session lives, the latest first."""
    living = [one.pk for one in sessions_of(user)]
    found = PushBrowser.objects.filter(user=user, session__in=living)
    return list(found.select_related("session").order_by("-created_at", "-pk"))


@transaction.atomic
def switch_on(
    user: User, session: BrowserSession, *, endpoint: str, point: str, secret: str, key: str, former: str = ""
) -> PushBrowser:
    """Push to this browser while this session lasts. `former` is the endpoint that the browser has given up.

    An endpoint that another account had is now this one's: somebody else uses the browser. Repeating is harmless.
    """
    lock_undeleted_account(user.pk)  # several tabs may subscribe at once
    made = PushBrowser(
        user=user,
        session=session,
        digest=digest_of(endpoint),
        endpoint=_valid_endpoint(endpoint),
        point=_valid_point(point),
        secret=_bytes("auth", secret, SECRET),
        key=_valid_key(key),
    )
    is_first = not PushBrowser.objects.filter(user=user).exists()
    PushBrowser.objects.filter(digest=made.digest).delete()
    PushBrowser.objects.filter(session=session).delete()
    PushBrowser.objects.filter(user=user, digest=digest_of(former)).delete()
    made.save(force_insert=True)
    kept = PushBrowser.objects.filter(user=user).order_by("-created_at", "-pk").values_list("pk", flat=True)[:MOST]
    PushBrowser.objects.filter(user=user).exclude(pk__in=list(kept)).delete()
    if is_first and not Way.objects.filter(user=user, push=True).exists():
        _choose_kinds(user)
    return made


def switch_off(user: User, pk: UUID) -> PushBrowser:
    """Push to this browser no more. Raise NotFound if it is none of this person."""
    found = PushBrowser.objects.select_related("session").filter(user=user, pk=pk).first()
    if found is None:
        raise not_found()
    found.delete()
    return found


def digest_of(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _choose_kinds(user: User) -> None:
    """Switch push on for the kinds that are about the person. The settings can change that."""
    rows = [Way(user=user, kind=kind, push=True) for kind in AT_FIRST]
    Way.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user", "kind"], update_fields=["push"])


def _valid_endpoint(endpoint: str) -> str:
    if not is_allowed(endpoint):
        raise Invalid.of("endpoint", _("%(field)s is not the address of a push service."))
    return endpoint


def _valid_point(text: str) -> bytes:
    found = _bytes("p256dh", text, POINT)
    if not is_point(found):
        raise Invalid.of("p256dh", _("%(field)s is not a key of a push subscription."))
    return found


def _valid_key(key: str) -> str:
    if not is_known(key):
        raise Invalid(_("Taskboard has a new key for push notifications. Reload the page and try again."), "key")
    return key


def _bytes(field: str, text: str, length: int) -> bytes:
    try:
        found = decoded(text) if len(text) <= 2 * length else b""
    except ValueError:
        found = b""
    if len(found) != length:
        raise Invalid.of(field, _("%(field)s is not a key of a push subscription."))
    return found
