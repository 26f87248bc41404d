"""The activity of one's own account, in words: the lines of the security log that its owner is shown."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from security.browsers import name_of_browser
from security.models import EventKind, SecurityEvent

LINES = 50  # on one page

# What happened, with the values of `details` that a sentence names; the second, where it names nothing.
SENTENCES: dict[EventKind, str | Promise] = {
    EventKind.SIGNED_IN: pgettext_lazy("event", "Signed in"),
    EventKind.SIGN_IN_FAILED: gettext_lazy("Sign-in failed"),
    EventKind.SECOND_STEP_FAILED: gettext_lazy("Wrong code or passkey after the password"),
    EventKind.SIGNED_OUT: gettext_lazy("Signed out"),
    EventKind.SESSIONS_ENDED: gettext_lazy("Signed out everywhere else"),
    EventKind.CONFIRMED: gettext_lazy("Identity confirmed"),
    EventKind.LIMIT_REACHED: gettext_lazy("Too many attempts: blocked for a while"),
    EventKind.SIGNED_UP: gettext_lazy("Account created"),
    EventKind.FACTOR_ADDED: gettext_lazy("Authenticator app added"),
    EventKind.FACTOR_REMOVED: gettext_lazy("Two-step sign-in removed"),
    EventKind.CODES_MADE: gettext_lazy("Recovery codes created"),
    EventKind.CODE_USED: gettext_lazy("Recovery code used"),
    EventKind.BROWSER_TRUSTED: gettext_lazy("Browser remembered"),
    EventKind.TRUST_WITHDRAWN: gettext_lazy("Remembered browsers forgotten"),
    EventKind.PROVIDER_LINKED: gettext_lazy("Linked to single sign-on"),
    EventKind.PROVIDER_UNLINKED: gettext_lazy("Unlinked from single sign-on"),
    EventKind.GROUPS_APPLIED: gettext_lazy("Changed by a group of single sign-on"),
    EventKind.PASSWORD_CHANGED: gettext_lazy("Password changed"),
    EventKind.PASSWORD_RESET: gettext_lazy("Password reset through an emailed link"),
    EventKind.RESET_REQUESTED: gettext_lazy("Password reset requested"),
    EventKind.ADDRESS_REQUESTED: gettext_lazy("Change of email address requested"),
    EventKind.ADDRESS_STOPPED: gettext_lazy("Change of email address stopped"),
    EventKind.ADDRESS_CHANGED: gettext_lazy("Email address changed"),
    EventKind.DEACTIVATED: pgettext_lazy("event", "Account deactivated"),
    EventKind.ACTIVATED: gettext_lazy("Account activated"),
    EventKind.PLAN_CHANGED: gettext_lazy("Plan changed to “%(name)s”"),
    EventKind.TOKEN_CREATED: gettext_lazy("API token “%(name)s” created"),
    EventKind.TOKEN_NARROWED: gettext_lazy("API token “%(name)s” restricted"),
    EventKind.TOKEN_REVOKED: gettext_lazy("API token “%(name)s” revoked"),
    EventKind.TOKEN_REFUSED: gettext_lazy("API token “%(name)s” refused: it was revoked or has expired"),
    EventKind.DEVICE_APPROVED: gettext_lazy("Command line “%(name)s” approved"),
    EventKind.DEVICE_DENIED: gettext_lazy("Command line “%(name)s” denied"),
    EventKind.EXPORTED: gettext_lazy("Data exported"),
    EventKind.IMPORTED: gettext_lazy("Import of “%(name)s” started"),
    EventKind.PUSH_ON: gettext_lazy("Push notifications turned on for “%(browser)s”"),
    EventKind.PUSH_OFF: gettext_lazy("Push notifications turned off for “%(browser)s”"),
}
# Instead, where `details` has this value, or has one at all.
VARIANTS: dict[tuple[EventKind, str, str], str | Promise] = {
    (EventKind.SIGN_IN_FAILED, "via", "passkey"): gettext_lazy("Sign-in with a passkey failed"),
    (EventKind.SIGNED_IN, "via", "provider"): gettext_lazy("Signed in by single sign-on"),
    (EventKind.SIGN_IN_FAILED, "via", "provider"): gettext_lazy("Single sign-on failed"),
    (EventKind.GROUPS_APPLIED, "operator", "yes"): gettext_lazy("Made an operator by a group of single sign-on"),
    (EventKind.GROUPS_APPLIED, "operator", "no"): gettext_lazy("No longer an operator by the groups of single sign-on"),
    (EventKind.GROUPS_APPLIED, "boards", ""): gettext_lazy("Boards changed by the groups of single sign-on"),
    (EventKind.GROUPS_APPLIED, "refused", ""): gettext_lazy("A board refused a group of single sign-on"),
    (EventKind.SESSIONS_ENDED, "browser", ""): gettext_lazy("“%(browser)s” signed out"),
    (EventKind.FACTOR_ADDED, "factor", "passkey"): gettext_lazy("Passkey “%(name)s” added"),
    (EventKind.FACTOR_REMOVED, "factor", "passkey"): gettext_lazy("Passkey “%(name)s” removed"),
    (EventKind.FACTOR_REMOVED, "factor", "app"): gettext_lazy("Authenticator app removed"),
    (EventKind.FACTOR_REMOVED, "factor", "codes"): gettext_lazy("Recovery codes removed"),
    (EventKind.TRUST_WITHDRAWN, "browser", "all"): gettext_lazy("Remembered browsers forgotten"),
    (EventKind.TRUST_WITHDRAWN, "browser", ""): gettext_lazy("“%(browser)s” is no longer remembered"),
    (EventKind.EXPORTED, "log", ""): gettext_lazy("Security log exported"),
    (EventKind.ADDRESS_REQUESTED, "email", ""): gettext_lazy("Change of email address to %(email)s requested"),
    (EventKind.ADDRESS_STOPPED, "email", ""): gettext_lazy("Change of email address to %(email)s stopped"),
    (EventKind.ADDRESS_CHANGED, "after", ""): gettext_lazy("Email address changed from %(before)s to %(after)s"),
}
# By what the page filters. Boards have an activity of their own, so their events are not here.
GROUPS: dict[str, tuple[str | Promise, tuple[EventKind, ...]]] = {
    "sign-in": (
        gettext_lazy("Sign-ins and sessions"),
        (
            EventKind.SIGNED_IN,
            EventKind.SIGN_IN_FAILED,
            EventKind.SECOND_STEP_FAILED,
            EventKind.SIGNED_OUT,
            EventKind.SESSIONS_ENDED,
            EventKind.CONFIRMED,
            EventKind.PROVIDER_LINKED,
            EventKind.PROVIDER_UNLINKED,
            EventKind.LIMIT_REACHED,
        ),
    ),
    "factors": (
        gettext_lazy("Two-step sign-in"),
        (
            EventKind.FACTOR_ADDED,
            EventKind.FACTOR_REMOVED,
            EventKind.CODES_MADE,
            EventKind.CODE_USED,
            EventKind.BROWSER_TRUSTED,
            EventKind.TRUST_WITHDRAWN,
        ),
    ),
    "account": (
        gettext_lazy("Password and email address"),
        (
            EventKind.SIGNED_UP,
            EventKind.PASSWORD_CHANGED,
            EventKind.PASSWORD_RESET,
            EventKind.RESET_REQUESTED,
            EventKind.ADDRESS_REQUESTED,
            EventKind.ADDRESS_STOPPED,
            EventKind.ADDRESS_CHANGED,
            EventKind.DEACTIVATED,
            EventKind.ACTIVATED,
            EventKind.PLAN_CHANGED,
            EventKind.GROUPS_APPLIED,
        ),
    ),
    "tokens": (
        gettext_lazy("API tokens"),
        (
            EventKind.TOKEN_CREATED,
            EventKind.TOKEN_NARROWED,
            EventKind.TOKEN_REVOKED,
            EventKind.TOKEN_REFUSED,
            EventKind.DEVICE_APPROVED,
            EventKind.DEVICE_DENIED,
        ),
    ),
    "data": (gettext_lazy("Exports and imports"), (EventKind.EXPORTED, EventKind.IMPORTED)),
    "push": (gettext_lazy("Push notifications"), (EventKind.PUSH_ON, EventKind.PUSH_OFF)),
}
WARNINGS = {EventKind.SIGN_IN_FAILED, EventKind.SECOND_STEP_FAILED, EventKind.LIMIT_REACHED, EventKind.TOKEN_REFUSED}


@dataclass(frozen=True)
class ActivityLine:
    pk: int
    at: datetime
    text: str
    by_operator: bool
    address: str
    browser: str
    is_warning: bool


def lines_of(user: User, *, group: str = "", before: int | None = None) -> tuple[list[ActivityLine], int | None]:
    """Return a page of lines, the newest first, and the id before which the next page begins, if there is one.

    Unknown groups are ignored.
    """
    kinds = GROUPS[group][1] if group in GROUPS else tuple(SENTENCES)
    found = SecurityEvent.objects.filter(user=user, kind__in=kinds)
    if before is not None:
        found = found.filter(pk__lt=before)
    events = list(found[: LINES + 1])
    shown = [line_of(event) for event in events[:LINES]]
    return shown, shown[-1].pk if len(events) > LINES else None


def line_of(event: SecurityEvent) -> ActivityLine:
    """Say it in words. Where an operator did it, their address and browser are not told."""
    by_operator = event.by_id is not None and event.by_id != event.user_id
    is_told = not by_operator and bool(event.address)
    return ActivityLine(
        pk=event.pk,
        at=event.at,
        text=sentence(event),
        by_operator=by_operator or not event.address,
        address=event.address if is_told else "",
        browser=name_of_browser(event.browser) if is_told else "",
        is_warning=event.kind in WARNINGS,
    )


def sentence(event: SecurityEvent) -> str:
    """Return the sentence of this kind. Of `details` it names only what the sentences name."""
    kind, details = EventKind(event.kind), event.details
    found: str | Promise = SENTENCES[kind]
    for (of, name, value), variant in VARIANTS.items():
        if of == kind and name in details and value in ("", details[name]):
            found = variant
            break
    names = {name: str(details.get(name, "")) for name in ("name", "browser", "email", "before", "after")}
    return str(found) % {**names, "name": names["name"] or _("unnamed")}
