from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

admin.site.unregister(EmailAddress)


@admin.register(EmailAddress)
class AddressAdmin(EmailAddressAdmin):
    """Primary addresses are changed on the account's page. Others can be confirmed or deleted here."""

    rights = ("view", "change", "delete")
    list_select_related = ("user",)
    list_per_page = 50
    show_full_result_count = False
    ordering = ("email",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and obj.primary)

    def has_verify_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("account.change_emailaddress")

    @admin.action(permissions=["verify"], description=gettext_lazy("Mark selected email addresses as verified"))
    def make_verified(self, request: HttpRequest, queryset: QuerySet[EmailAddress]) -> None:
        super().make_verified(request, queryset)
