from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext

from boards.actions.handover import withdraw_offer
from boards.actions.invitations import withdraw_invitation
from boards.admin.operating import OperatingAdmin
from boards.admin.read_only import DoneFilter, ReadOnlyAdmin
from boards.models import Invitation, Membership, Offer, Use

INVITATIONS_WITHDRAWN = ngettext_lazy("%(count)s invitation withdrawn.", "%(count)s invitations withdrawn.", "count")
OFFERS_WITHDRAWN = ngettext_lazy("%(count)s offer withdrawn.", "%(count)s offers withdrawn.", "count")


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("user", "board", "role", "created_at")
    list_select_related = ("user", "board")
    list_filter = ("role",)
    search_fields = ("user__email", "user__name", "board__title")
    id_fields = ("pk", "board", "user")
    fields = ("id", "board", "user", "role", "created_at", "version")


@admin.register(Invitation)
class InvitationAdmin(OperatingAdmin):
    list_display = ("email", "board", "role", "invited_by", "created_at", "expires_at", "declined_at")
    list_select_related = ("board", "invited_by")
    list_filter = ("role", ("declined_at", DoneFilter))
    search_fields = ("email", "invited_by__email", "board__title")
    id_fields = ("pk", "board", "invited_by")
    fields = ("id", *list_display)
    actions = ("withdraw",)

    @admin.action(permissions=["operate"], description=gettext_lazy("Withdraw selected invitations"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: withdraw_invitation(actor=actor, invitation_id=pk),
            log=pgettext("invitation", "Withdrawn."),
            said=INVITATIONS_WITHDRAWN,
        )


@admin.register(Offer)
class OfferAdmin(OperatingAdmin):
    list_display = ("board", "offered_by", "to", "created_at")
    list_select_related = ("board", "offered_by", "to")
    search_fields = ("board__title", "to__email", "offered_by__email")
    id_fields = ("pk", "board", "to", "offered_by")
    fields = ("id", *list_display, "version")
    actions = ("withdraw",)

    @admin.action(permissions=["operate"], description=gettext_lazy("Withdraw selected offers"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Offer]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: withdraw_offer(actor=actor, offer_id=pk),
            log=pgettext("offer", "Withdrawn."),
            said=OFFERS_WITHDRAWN,
        )


@admin.register(Use)
class UseAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("at", "what", "user")
    list_select_related = ("user",)
    list_filter = ("what",)
    search_fields = ("user__email",)
    fields = ("at", "what", "user")
