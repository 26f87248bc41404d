"""Apply the groups of the OpenID provider at each sign-in: operators, plans, and, by FOLLOWERS, boards."""

import logging

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from accounts.models import Plan, User
from accounts.models.plan import default_plan
from accounts.sign_in.provider.followers import tell_groups
from accounts.sign_in.provider.journey import Person
from security.events import log_event
from security.models import EventKind

log = logging.getLogger(__name__)


def apply_groups(request: HttpRequest, user: User, person: Person) -> None:
    if not user.is_active:
        return
    with transaction.atomic():
        if settings.OIDC_OPERATOR_GROUP:
            apply_operator(request, user, is_member=settings.OIDC_OPERATOR_GROUP in person.groups)
        if settings.OIDC_PLAN_GROUPS:
            apply_plan(request, user, person)
    tell_groups(request, user, person.groups)


def apply_operator(request: HttpRequest, user: User, *, is_member: bool) -> None:
    """Make the user an operator, or none any more. A restricted operator stays as they are, and so does the last one."""
    operators = set(User.objects.select_for_update(no_key=True).filter(is_staff=True).values_list("pk", flat=True))
    if is_member == (user.pk in operators):
        return
    if (
        not is_member
        and not User.objects.filter(pk__in=operators - {user.pk}, is_active=True, is_superuser=True).exists()
    ):
        log.warning(
            "Single sign-on: the last operator is not in the group %s, and stays.", settings.OIDC_OPERATOR_GROUP
        )
        return
    user.is_staff = user.is_superuser = is_member
    user.save(update_fields=["is_staff", "is_superuser"])
    log_event(EventKind.GROUPS_APPLIED, request, user=user, operator="yes" if is_member else "no")


def apply_plan(request: HttpRequest, user: User, person: Person) -> None:
    """Give the plan of the first group in the settings that the user is in. Plans that no group gives are left alone."""
    groups, plans = set(person.groups), settings.OIDC_PLAN_GROUPS
    plan = next((plan for group, plan in plans.items() if group in groups), None)
    if plan is None and user.plan_id in plans.values():
        plan = default_plan()
    if plan is None or plan == user.plan_id:
        return
    if not Plan.objects.filter(pk=plan).exists():
        log.warning("Single sign-on: TASKBOARD_OIDC_PLAN_GROUPS names the plan %s, which does not exist.", plan)
        return
    user.plan_id = plan
    user.save(update_fields=["plan"])
    log_event(EventKind.GROUPS_APPLIED, request, user=user, plan=plan)
