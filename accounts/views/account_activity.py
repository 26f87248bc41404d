"""The page /settings/security/activity: the security events of the user's account."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.own_log import GROUPS, lines_of
from core.http.requests import SignedInRequest
from security.events import KEEP_FOR


@login_required
@require_safe
def account_activity(request: SignedInRequest) -> HttpResponse:
    """`?kind=<group>` shows some kinds, `?before=<id>` older lines. Other values are ignored."""
    group, before = request.GET.get("kind", ""), request.GET.get("before", "")
    is_number = before.isascii() and before.isdigit() and len(before) < 19
    lines, following = lines_of(request.user, group=group, before=int(before) if is_number else None)
    context = {
        "lines": lines,
        "next": following,
        "is_older": is_number,
        "group": group if group in GROUPS else "",
        "groups": [(name, label) for name, (label, _kinds) in GROUPS.items()],
        "days": KEEP_FOR.days,
    }
    return render(request, "accounts/account_activity.html", context)
