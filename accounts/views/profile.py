from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts import time_zones
from accounts.forms import PictureForm, ProfileForm
from accounts.models import User
from accounts.profile import save_profile
from core.http.requests import SignedInRequest
from core.text.locale import locale_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return profile_page(request)
    user = User.objects.select_related("plan").get(pk=request.user.id)
    form = ProfileForm(request.POST, instance=user)
    if not form.is_valid():
        return profile_page(request, form=form)
    save_profile(user, form.Meta.fields)
    with locale_of(user):
        messages.success(request, gettext("Profile saved."))
    return redirect("profile")


def profile_page(
    request: SignedInRequest, *, form: ProfileForm | None = None, picture_form: PictureForm | None = None
) -> HttpResponse:
    """Show the profile, with a form that was refused."""
    account = form.instance if form else User.objects.select_related("plan").get(pk=request.user.id)
    context = {
        "form": form or ProfileForm(instance=account),
        "picture_form": picture_form or PictureForm(),
        "account": account,
        "now": timezone.now(),
        "time_zones": time_zones.suggestions(),
    }
    return render(request, "accounts/profile.html", context)
