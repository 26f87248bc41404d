"""Find the account of a user who comes from the OpenID provider: the linked one, one to link, or a new one."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import time_zones
from accounts.locks import lock_account
from accounts.models import User
from accounts.names import MAX_LENGTH, NameField
from accounts.notices import tell
from accounts.plans import plan_of_newcomer
from accounts.recovery import end_sessions
from accounts.sign_in.factors.changes import FactorRefused
from accounts.sign_in.factors.held import factors_of
from accounts.sign_in.provider.followers import tell_groups
from accounts.sign_in.provider.journey import Person, ProviderRefused
from accounts.sign_in.provider.links import find_link, link_of, make_link
from core.http.requests import SignedInRequest
from core.sign_up import may_sign_up
from security.events import log_event
from security.models import EventKind


def account_of(request: HttpRequest, person: Person) -> User:
    """Return the account to sign in to. Raise ProviderRefused, with words that say how to go on."""
    known = find_link(person.subject)
    if known is not None:
        return known.user
    email = usable(person.email)
    try:
        with transaction.atomic():
            found = User.objects.filter(email=email).first()
            if found is None:
                return sign_up(request, email, person)
            require_confirmed(found)
            return link(request, found, person)
    except IntegrityError as error:  # somebody else took the address, or the same person came twice at once
        known = find_link(person.subject)
        if known is not None:
            return known.user
        words = _("An account was changed at the same moment. Try again.")
        raise ProviderRefused(words, "race") from error


def usable(email: str) -> str:
    try:
        validate_email(email)
        if len(email) <= User._meta.get_field("email").max_length:  # type: ignore[operator]
            return email
    except ValidationError:
        pass
    words = _(
        "%(name)s does not confirm your email address, so it cannot be linked. Confirm it there. If you have an account "
        "here, sign in to it and link it under Settings, Security."
    )
    raise ProviderRefused(words % {"name": settings.OIDC_NAME}, "address not verified")


def require_confirmed(user: User) -> None:
    """Refuse an account whose address nobody confirmed here: a stranger may have signed up with it to wait for its owner."""
    if not user.is_active or EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists():
        return
    if settings.OIDC_ONLY:
        words = _(
            "The account with this address is not confirmed. Ask the operator of this service to mark its address as verified."
        )
    else:
        words = _(
            "There is an account with this address, which is not linked to %(name)s. Sign in to it, then link it under "
            "Settings, Security."
        )
    raise ProviderRefused(words % {"name": settings.OIDC_NAME}, "address not confirmed here")


def sign_up(request: HttpRequest, email: str, person: Person) -> User:
    if not (may_sign_up(request) or settings.OIDC_ONLY):
        words = _("You have no account here, and sign-up is closed. Ask the operator of this service for one.")
        raise ProviderRefused(words, "sign-up is closed")
    user = User(email=email, name=name_in(person), language=language_in(person), time_zone=zone_in(person))
    user.set_unusable_password()
    user.plan_id = plan_of_newcomer()
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    make_link(user, person.subject)
    log_event(EventKind.SIGNED_UP, request, user=user, via="provider")
    return user


def link(request: HttpRequest, user: User, person: Person) -> User:
    """Link the account for good. Raise ProviderRefused if one of the two is linked already."""
    with transaction.atomic():
        user = lock_account(user)
        if not user.is_active:
            return user  # refused at the sign-in
        if link_of(user) is not None:
            words = _("Your account is already linked to another account at %(name)s. Unlink that one first.")
            raise ProviderRefused(words % {"name": settings.OIDC_NAME}, "linked already")
        if find_link(person.subject) is not None:
            words = _("This account at %(name)s is linked to another account here. Unlink it there first.")
            raise ProviderRefused(words % {"name": settings.OIDC_NAME}, "subject linked already")
        make_link(user, person.subject)
        log_event(EventKind.PROVIDER_LINKED, request, user=user)
        tell(user, "provider_linked", request, name=settings.OIDC_NAME)
    return user


def unlink(request: SignedInRequest) -> bool:
    """Remove the link and end the other sessions, which it may have begun. Raise FactorRefused for the last way in."""
    with transaction.atomic():
        user = lock_account(request.user)
        found = link_of(user)
        if found is None:
            return False
        if settings.OIDC_ONLY and not user.is_staff:
            raise FactorRefused(_("You can sign in to this service with %(name)s only.") % {"name": settings.OIDC_NAME})
        if not user.has_usable_password() and not factors_of(user).passkeys:
            raise FactorRefused(
                _("%(name)s is the only way to sign in to your account. Set a password or add a passkey first.")
                % {"name": settings.OIDC_NAME}
            )
        found.delete()
        end_sessions(request.user, but=request.session.session_key)
        update_session_auth_hash(request, request.user)
        log_event(EventKind.PROVIDER_UNLINKED, request, user=user)
        tell(user, "provider_unlinked", request, name=settings.OIDC_NAME)
    tell_groups(request, user, ())  # what the provider's groups gave ends with the link, or it would last for ever
    return True


def name_in(person: Person) -> str:
    try:
        return NameField(required=False).clean(str(person.claims.get("name") or "")[:MAX_LENGTH])
    except ValidationError:
        return ""


def language_in(person: Person) -> str:
    """Return the language that the provider names, as in de-AT or zh-CN, else that of the page."""
    told, ours = str(person.claims.get("locale") or "").lower().replace("_", "-"), dict(settings.LANGUAGES)
    base = told.partition("-")[0]
    for wanted in (told, base, {"pt": "pt-br", "zh": "zh-hans"}.get(base, ""), get_language() or ""):
        if wanted in ours:
            return wanted
    return "en"


def zone_in(person: Person) -> str:
    told = person.claims.get("zoneinfo")
    return told if isinstance(told, str) and told in time_zones.names() else "UTC"
