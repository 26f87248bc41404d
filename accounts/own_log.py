"""The activity of one's own account, in words: the lines of the security log that its owner is shown."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from security.browsers import name_of_browser
from security.models import Kind, SecurityEvent

LINES = 50  # on one page

# What happened, with the values of `details` that a sentence names; the second, where it names nothing.
SENTENCES: dict[Kind, str | Promise] = {
    Kind.SIGNED_IN: pgettext_lazy("event", "Signed in"),
    Kind.SIGN_IN_FAILED: gettext_lazy("Sign-in failed"),
    Kind.SECOND_STEP_FAILED: gettext_lazy("Wrong code or passkey after the password"),
    Kind.SIGNED_OUT: gettext_lazy("Signed out"),
    Kind.SESSIONS_ENDED: gettext_lazy("Signed out everywhere else"),
    Kind.CONFIRMED: gettext_lazy("Identity confirmed"),
    Kind.LIMIT_REACHED: gettext_lazy("Too many attempts: refused for a while"),
    Kind.SIGNED_UP: gettext_lazy("Account created"),
    Kind.FACTOR_ADDED: gettext_lazy("Authenticator app added"),
    Kind.FACTOR_REMOVED: gettext_lazy("Two-step sign-in removed"),
    Kind.CODES_MADE: gettext_lazy("Recovery codes created"),
    Kind.CODE_USED: gettext_lazy("Recovery code used"),
    Kind.BROWSER_TRUSTED: gettext_lazy("Browser remembered"),
    Kind.TRUST_WITHDRAWN: gettext_lazy("Remembered browsers forgotten"),
    Kind.PROVIDER_LINKED: gettext_lazy("Linked to single sign-on"),
    Kind.PROVIDER_UNLINKED: gettext_lazy("Unlinked from single sign-on"),
    Kind.GROUPS_APPLIED: gettext_lazy("Changed by a group of single sign-on"),
    Kind.PASSWORD_CHANGED: gettext_lazy("Password changed"),
    Kind.PASSWORD_RESET: gettext_lazy("Password reset by a mailed link"),
    Kind.RESET_REQUESTED: gettext_lazy("Password reset requested"),
    Kind.ADDRESS_REQUESTED: gettext_lazy("Change of email address requested"),
    Kind.ADDRESS_STOPPED: gettext_lazy("Change of email address stopped"),
    Kind.ADDRESS_CHANGED: gettext_lazy("Email address changed"),
    Kind.DEACTIVATED: pgettext_lazy("event", "Account deactivated"),
    Kind.ACTIVATED: gettext_lazy("Account activated"),
    Kind.TOKEN_CREATED: gettext_lazy("API token “%(name)s” created"),
    Kind.TOKEN_REVOKED: gettext_lazy("API token “%(name)s” revoked"),
    Kind.TOKEN_REFUSED: gettext_lazy("API token “%(name)s” refused: it was revoked or has expired"),
    Kind.DEVICE_APPROVED: gettext_lazy("Command line “%(name)s” approved"),
    Kind.DEVICE_DENIED: gettext_lazy("Command line “%(name)s” denied"),
    Kind.EXPORTED: gettext_lazy("Data exported"),
    Kind.IMPORTED: gettext_lazy("Import of “%(name)s” started"),
    Kind.PUSH_ON: gettext_lazy("Push notifications turned on for “%(browser)s”"),
    Kind.PUSH_OFF: gettext_lazy("Push notifications turned off for “%(browser)s”"),
}
# Instead, where `details` has this value, or has one at all.
VARIANTS: dict[tuple[Kind, str, str], str | Promise] = {
    (Kind.SIGN_IN_FAILED, "via", "passkey"): gettext_lazy("Sign-in with a passkey failed"),
    (Kind.SIGNED_IN, "via", "provider"): gettext_lazy("Signed in by single sign-on"),
    (Kind.SIGN_IN_FAILED, "via", "provider"): gettext_lazy("Single sign-on failed"),
    (Kind.GROUPS_APPLIED, "operator", "yes"): gettext_lazy("Made an operator by a group of single sign-on"),
    (Kind.GROUPS_APPLIED, "operator", "no"): gettext_lazy("No longer an operator by the groups of single sign-on"),
    (Kind.GROUPS_APPLIED, "boards", ""): gettext_lazy("Boards changed by the groups of single sign-on"),
    (Kind.GROUPS_APPLIED, "refused", ""): gettext_lazy("A board refused a group of single sign-on"),
    (Kind.SESSIONS_ENDED, "browser", ""): gettext_lazy("“%(browser)s” signed out"),
    (Kind.FACTOR_ADDED, "factor", "passkey"): gettext_lazy("Passkey “%(name)s” added"),
    (Kind.FACTOR_REMOVED, "factor", "passkey"): gettext_lazy("Passkey “%(name)s” removed"),
    (Kind.FACTOR_REMOVED, "factor", "app"): gettext_lazy("Authenticator app removed"),
    (Kind.FACTOR_REMOVED, "factor", "codes"): gettext_lazy("Recovery codes removed"),
    (Kind.TRUST_WITHDRAWN, "browser", "all"): gettext_lazy("Remembered browsers forgotten"),
    (Kind.TRUST_WITHDRAWN, "browser", ""): gettext_lazy("“%(browser)s” is no longer remembered"),
    (Kind.ADDRESS_REQUESTED, "email", ""): gettext_lazy("Change of email address to %(email)s requested"),
    (Kind.ADDRESS_STOPPED, "email", ""): gettext_lazy("Change of email address to %(email)s stopped"),
    (Kind.ADDRESS_CHANGED, "after", ""): gettext_lazy("Email address changed from %(before)s to %(after)s"),
}
# By what the page filters. Boards have an activity of their own, so their events are not here.
GROUPS: dict[str, tuple[str | Promise, tuple[Kind, ...]]] = {
    "sign-in": (
        gettext_lazy("Sign-ins and sessions"),
        (
            Kind.SIGNED_IN,
            Kind.SIGN_IN_FAILED,
            Kind.SECOND_STEP_FAILED,
            Kind.SIGNED_OUT,
            Kind.SESSIONS_ENDED,
            Kind.CONFIRMED,
            Kind.PROVIDER_LINKED,
            Kind.PROVIDER_UNLINKED,
            Kind.LIMIT_REACHED,
        ),
    ),
    "factors": (
        gettext_lazy("Two-step sign-in"),
        (
            Kind.FACTOR_ADDED,
            Kind.FACTOR_REMOVED,
            Kind.CODES_MADE,
            Kind.CODE_USED,
            Kind.BROWSER_TRUSTED,
            Kind.TRUST_WITHDRAWN,
        ),
    ),
    "account": (
        gettext_lazy("Password and email address"),
        (
            Kind.SIGNED_UP,
            Kind.PASSWORD_CHANGED,
            Kind.PASSWORD_RESET,
            Kind.RESET_REQUESTED,
            Kind.ADDRESS_REQUESTED,
            Kind.ADDRESS_STOPPED,
            Kind.ADDRESS_CHANGED,
            Kind.DEACTIVATED,
            Kind.ACTIVATED,
            Kind.GROUPS_APPLIED,
        ),
    ),
    "tokens": (
        gettext_lazy("API tokens"),
        (Kind.TOKEN_CREATED, Kind.TOKEN_REVOKED, Kind.TOKEN_REFUSED, Kind.DEVICE_APPROVED, Kind.DEVICE_DENIED),
    ),
    "data": (gettext_lazy("Exports and imports"), (Kind.EXPORTED, Kind.IMPORTED)),
    "push": (gettext_lazy("Push notifications"), (Kind.PUSH_ON, Kind.PUSH_OFF)),
}
WARNINGS = {Kind.SIGN_IN_FAILED, Kind.SECOND_STEP_FAILED, Kind.LIMIT_REACHED, Kind.TOKEN_REFUSED}


@dataclass(frozen=True)
class Line:
    pk: int
    at: datetime
    text: str
    by_operator: bool
    address: str
    browser: str
    is_warning: bool


def lines_of(user: User, *, group: str = "", before: int | None = None) -> tuple[list[Line], int | None]:
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


def line_of(event: SecurityEvent) -> Line:
    """Say it in words. Where an operator did it, their address and browser are not told."""
    by_operator = event.by_id is not None and event.by_id != event.user_id
    is_told = not by_operator and bool(event.address)
    return Line(
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
    kind, details = Kind(event.kind), event.details
    found: str | Promise = SENTENCES[kind]
    for (of, name, value), variant in VARIANTS.items():
        if of == kind and name in details and value in ("", details[name]):
            found = variant
            break
    names = {name: str(details.get(name, "")) for name in ("name", "browser", "email", "before", "after")}
    return str(found) % {**names, "name": names["name"] or _("unnamed")}
