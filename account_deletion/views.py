"""The page on which people delete their account."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from account_deletion.deletion import delete_account, is_last_operator
from account_deletion.owned import owned_boards, ticked
from accounts.models import User
from accounts.sign_in.confirmation import password_confirmed
from boards.errors import NotAllowed
from core.http.requests import SignedInRequest


class DeletionForm(forms.Form):
    """The address, typed, so that nobody deletes an account with one click too many."""

    email = forms.CharField(
        label=_("Your email address"),
        help_text=_("Type it to confirm."),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "email"}),
    )

    def __init__(self, *args: object, user: User, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.user = user

    def clean_email(self) -> str:
        if self.cleaned_data["email"].lower() != self.user.email:
            raise forms.ValidationError(
                _("This is not the email address of your account. Type it as it is shown above.")
            )
        return self.user.email


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@password_confirmed
def deletion(request: SignedInRequest) -> HttpResponse:
    owned, refusal = owned_boards(request.user), ""
    form = DeletionForm(request.POST if "email" in request.POST else None, user=request.user)
    chosen = ticked(owned, request.POST)
    if request.method == "POST" and form.is_valid():
        try:
            delete_account(request.user, deleting=chosen, request=request)
        except NotAllowed as error:
            refusal = error.message
        else:
            request.session.flush()
            request.user = AnonymousUser()  # type: ignore[assignment]
            return redirect("account_deleted")
    context = {
        "form": form,
        "refusal": refusal,
        "shared": [(one, one.board.pk in chosen) for one in owned if one.others],
        "alone": [one for one in owned if not one.others],
        "is_last_operator": is_last_operator(request.user),
    }
    return render(request, "account_deletion/deletion.html", context, status=422 if refusal or form.errors else 200)


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """Say that the account was deleted. The page says it to everybody, as its visitor is signed out."""
    return render(request, "account_deletion/deleted.html")
