"""Pictures of people: the form of one's own on the profile, and the address under which each is served."""

from csp.constants import NONE
from csp.decorators import csp
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.forms import PictureForm
from accounts.pictures import PEOPLE, remove_picture, set_picture
from accounts.views.profile import profile_page
from core.files.pictures import turns
from core.http.requests import SignedInRequest, form_of_account

YEAR = 365 * 24 * 60 * 60  # seconds


@form_of_account
def profile_picture(request: SignedInRequest) -> HttpResponse:
    """Take a picture, or remove the one that is there."""
    if "remove" in request.POST:
        if remove_picture(request.user):
            messages.success(request, _("Picture removed."))
        return redirect("profile")
    form = PictureForm(request.POST, request.FILES)
    with turns.take(request.user.pk):
        is_taken = form.is_valid()
    if not is_taken:
        return profile_page(request, picture_form=form)
    set_picture(request.user, form.cleaned_data["picture"])
    messages.success(request, _("Picture saved."))
    return redirect("profile")


@login_required
@require_http_methods(["GET", "HEAD"])
@csp({"default-src": [NONE], "sandbox": True})  # type: ignore[arg-type]  # its types know no SignedInRequest
def picture(request: SignedInRequest, name: str) -> HttpResponse:
    """Answer with the file. A person who knows the name has seen it on a page: docs/decisions/pictures.md."""
    content = PEOPLE.read(name)
    if content is None:
        raise Http404
    return as_picture(content)


def as_picture(content: bytes) -> HttpResponse:
    """Return the answer with a picture whose address never has another."""
    return HttpResponse(
        content,
        content_type="image/webp",
        headers={
            "Cache-Control": f"private, max-age={YEAR}, immutable",
            "Content-Disposition": "inline",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        },
    )
