from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts import time_zones
from accounts.forms import ProfileForm
from accounts.models import User
from core.http import SignedInRequest
from core.locale import locale_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    user = User.objects.select_related("plan").get(pk=request.user.id)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        user.save(update_fields=form.Meta.fields)
        with locale_of(user):
            messages.success(request, gettext("Profile saved."))
        return redirect("profile")
    context = {
        "form": form,
        "account": user,
        "now": timezone.now(),
        "time_zones": time_zones.suggestions(),
    }
    return render(request, "accounts/profile.html", context)
