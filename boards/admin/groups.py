"""Roles that groups of the OpenID provider give on boards: operators set them here."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from boards.actions.people.groups import give_group, readmit, withdraw_group
from boards.actor import Actor
from boards.admin.operating import OperatingAdmin, sentence_for_operators
from boards.errors import DomainError, NotFound
from boards.models import BoardGroup, GroupMembership, Membership
from boards.models.verbs import Door
from core.text.lists import join_items


@admin.register(BoardGroup)
class BoardGroupAdmin(OperatingAdmin):
    list_display = ("group", "role", "board", "created_at")
    list_select_related = ("board",)
    list_filter = ("role",)
    search_fields = ("group", "board__title")
    id_fields = ("pk", "board")
    raw_id_fields = ("board",)
    fields = ("board", "group", "role")
    actions = ("withdraw",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._has(request, "change")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._has(request, "change")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("board", "group") if obj else ()

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except DomainError as error:
            words = sentence_for_operators(error) if isinstance(error, NotFound) else error.message
            self.message_user(request, words, messages.ERROR)
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: BoardGroup, form: forms.ModelForm, change: bool) -> None:
        actor = Actor(request.user, door=Door.ADMIN)  # type: ignore[arg-type]  # the admin has checked the sign-in
        saved = give_group(actor=actor, board_id=obj.board_id, group=obj.group, role=obj.role)
        obj.pk, obj.version = saved.pk, saved.version

    @admin.action(permissions=["operate"], description=gettext_lazy("Withdraw selected groups"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[BoardGroup]) -> None:
        self.operate(
            request,
            queryset,
            lambda actor, pk: withdraw_group(actor=actor, group_id=pk),
            log=pgettext("group", "Withdrawn."),
            said=lambda count: ngettext("%(count)s group withdrawn.", "%(count)s groups withdrawn.", count),
        )


class StillMemberFilter(admin.SimpleListFilter):
    title = gettext_lazy("still a member")
    parameter_name = "member"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("Yes")), ("0", _("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(is_member=self.value() == "1") if self.value() in ("0", "1") else queryset


@admin.register(GroupMembership)
class GroupMembershipAdmin(OperatingAdmin):
    """Lists members who left by hand too. Groups do not add them again until an operator readmits them."""

    list_display = ("user", "board", "role", "names", "still_member", "at")
    list_select_related = ("user", "board")
    list_filter = ("role", StillMemberFilter)
    search_fields = ("user__email", "board__title")
    id_fields = ("pk", "board", "user")
    fields = ("id", *list_display)
    actions = ("readmit",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[GroupMembership]:
        there = Membership.objects.filter(pk=OuterRef("membership_id"))
        return super().get_queryset(request).annotate(is_member=Exists(there))

    @admin.display(description=gettext_lazy("groups"))
    def names(self, note: GroupMembership) -> str:
        return join_items(note.groups)

    @admin.display(description=gettext_lazy("still a member"), boolean=True)
    def still_member(self, note: Any) -> bool:
        return note.is_member

    @admin.action(permissions=["operate"], description=gettext_lazy("Let selected people join again"))
    def readmit(self, request: HttpRequest, queryset: QuerySet[GroupMembership]) -> None:
        def again(_actor: Actor, pk: UUID) -> None:
            readmit(pk)

        self.operate(
            request,
            queryset,
            again,
            log=pgettext("group membership", "Allowed to join again."),
            said=lambda count: ngettext(
                "%(count)s person joins again at their next sign-in.",
                "%(count)s people join again at their next sign-in.",
                count,
            ),
        )
