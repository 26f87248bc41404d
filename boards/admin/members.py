from uuid import UUID

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext, pgettext

from boards.actions.people.handover import withdraw_offer
from boards.actions.sharing.invitation_links import withdraw_invitation_link
from boards.actions.sharing.invitations import withdraw_invitation
from boards.actions.sharing.public_links import withdraw_public_link
from boards.actor import Actor
from boards.admin.operating import OperatingAdmin
from boards.admin.read_only import DoneFilter, ReadOnlyAdmin
from boards.models import Invitation, InvitationLink, Membership, Offer, PublicLink, Role, Use
from security.events import log_event
from security.models import EventKind


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
    list_display = ("email", "invitee", "board", "role", "invited_by", "created_at", "expires_at", "declined_at")
    list_select_related = ("board", "invited_by", "invitee")
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
            said=lambda count: ngettext("%(count)s invitation withdrawn.", "%(count)s invitations withdrawn.", count),
        )


@admin.register(InvitationLink)
class InvitationLinkAdmin(OperatingAdmin):
    list_display = ("__str__", "board", "role", "made_by", "created_at", "expires_at", "uses_left", "last_used_at")
    list_select_related = ("board", "made_by")
    list_filter = ("role",)
    search_fields = ("name", "made_by__email", "board__title")
    id_fields = ("pk", "board", "made_by")
    secrets = ("digest",)
    fields = ("id", "name", "last_four", *list_display[1:], "version")
    actions = ("withdraw",)

    @admin.action(permissions=["operate"], description=gettext_lazy("Withdraw selected invitation links"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[InvitationLink]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: withdraw_invitation_link(actor=actor, link_id=pk),
            log=pgettext("invitation link", "Withdrawn."),
            said=lambda count: ngettext(
                "%(count)s invitation link withdrawn.", "%(count)s invitation links withdrawn.", count
            ),
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
            said=lambda count: ngettext("%(count)s offer withdrawn.", "%(count)s offers withdrawn.", count),
        )


@admin.register(PublicLink)
class PublicLinkAdmin(OperatingAdmin):
    """Shows neither the address nor its key: operators end links, they do not use them."""

    secrets = ("digest", "nonce", "password")
    list_display = ("board", "created_at", "expires_at", "has_password", "shows_comments", "shows_names", "frames")
    list_select_related = ("board",)
    search_fields = ("board__title",)
    id_fields = ("pk", "board")
    fields = ("id", *list_display, "version")
    actions = ("withdraw",)

    @admin.display(description=gettext_lazy("password"), boolean=True)
    def has_password(self, link: PublicLink) -> bool:
        return bool(link.password)

    @admin.action(permissions=["operate"], description=gettext_lazy("Turn off selected public links"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[PublicLink]) -> None:
        links = {link.pk: link for link in queryset.select_related("board")}

        def switch_off(actor: Actor, pk: UUID) -> None:
            board = links[pk].board
            with transaction.atomic():
                withdraw_public_link(actor=actor, board_id=board.pk)
                owner = Membership.objects.select_related("user").get(board=board, role=Role.OWNER).user
                log_event(
                    EventKind.PUBLIC_LINK_OFF,
                    request,
                    user=owner,
                    by=actor.user,
                    board=str(board.pk),
                    title=board.title,
                )

        self.operate(
            request,
            list(links.values()),
            switch_off,
            log=pgettext("public link", "Turned off."),
            said=lambda count: ngettext(
                "%(count)s public link turned off.", "%(count)s public links turned off.", count
            ),
        )


@admin.register(Use)
class UseAdmin(ReadOnlyAdmin):
    is_listed = False
    list_display = ("at", "what", "user")
    list_select_related = ("user",)
    list_filter = ("what",)
    search_fields = ("user__email",)
    fields = ("at", "what", "user")
