"""The operators' action that deletes an account, as its owner could."""

from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from account_deletion.deletion import delete_account
from account_deletion.owned import owned_boards, ticked
from accounts.admin.users import AccountAdmin
from accounts.models import User
from boards.errors import NotAllowed
from core.http.requests import SignedInRequest
from core.text.names import former_email

admin.site.unregister(User)


@admin.register(User)
class LeavingAccountAdmin(AccountAdmin):
    """Accounts, one of which can be deleted at a time, after a page that shows its boards."""

    rights = (*AccountAdmin.rights, "delete")
    actions = (*AccountAdmin.actions, "delete_account")

    def has_erase_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.delete_user") and request.user.has_perm("accounts.change_user")

    @admin.action(permissions=["erase"], description=gettext_lazy("Delete selected account"))
    def delete_account(self, request: SignedInRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        chosen = list(queryset[:2])
        if len(chosen) != 1:
            self.message_user(request, _("Choose one account to delete."), messages.WARNING)
            return None
        user = next(iter(self._changeable(request, chosen)), None)
        if user is None:
            return None
        if user.pk == request.user.pk:
            text = _("Delete your own account in its settings, under “Your data”.")
            self.message_user(request, text, messages.WARNING)
            return None
        owned = owned_boards(user)
        if "confirmed" in request.POST:
            try:
                delete_account(user, deleting=ticked(owned, request.POST), request=request, by=request.user)
            except NotAllowed as refusal:
                self.message_user(request, refusal.message, messages.ERROR)
            else:
                self._log(request, user)
                self.message_user(request, _("The account was deleted."))
                return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Delete this account?"),
            "account": user,
            "shared": [one for one in owned if one.others],
            "alone": [one for one in owned if not one.others],
            "opts": self.opts,
            "action_checkbox_name": helpers.ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/accounts/user/delete_account.html", context)

    def _log(self, request: SignedInRequest, user: User) -> None:
        """Write the line of the admin's log. It names the row by its emptied account."""
        user.email, user.name = former_email(user.pk), ""
        LogEntry.objects.log_actions(request.user.pk, [user], DELETION, _("Account deleted."), single_object=True)
