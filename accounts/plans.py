"""Choose the plan that a new account starts on."""

from accounts.demo import ADDRESSES
from accounts.models import DefaultPlan, Plan, User
from accounts.models.plan import default_plan

UNLIMITED = "pro"


def nobody_has_an_account() -> bool:
    """Return whether there are no accounts but those of the demo. A demo account that was made an operator counts."""
    return not User.objects.exclude(email__in=ADDRESSES, is_staff=False).exists()


def plan_of_newcomer() -> str:
    """Return the plan of an account that this transaction makes. The first of an installation is on pro."""
    if nobody_has_an_account():
        lock_default_plan()
        if nobody_has_an_account() and Plan.objects.filter(pk=UNLIMITED).exists():
            return UNLIMITED
    return default_plan()


def lock_default_plan() -> DefaultPlan:
    """Lock the one row that everything waits for which may happen once in an installation."""
    return DefaultPlan.objects.select_for_update(no_key=True).get()


def start_on(plan: str) -> None:
    """Let new accounts start on this plan."""
    DefaultPlan.objects.update(plan=plan)
