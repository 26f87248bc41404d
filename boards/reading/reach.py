"""Reaching the rows of open boards that only pages name by their own id: NotFound for strangers, as everywhere."""

from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.db import models

from boards.access import not_found, role_on
from boards.models import Card, Checklist, ChecklistItem, Comment, Label, List, Role

if TYPE_CHECKING:
    from accounts.models import User

Row = TypeVar("Row", bound=models.Model)


def visible_list(list_id: UUID, user: "User") -> tuple[List, Role]:
    found = _visible(List, list_id, user, "board")
    role = role_on(found.board_id, user)
    if role is None:
        raise not_found()
    return found, role


def visible_label(label_id: UUID, user: "User") -> Label:
    return _visible(Label, label_id, user, "board")


def card_of(part: type[Checklist | ChecklistItem | Comment], pk: UUID, user: "User") -> Card:
    """The card on which a checklist, an item or a comment hangs."""
    return _visible(part, pk, user, "card").card


def _visible(model: type[Row], pk: UUID, user: "User", *related: Any) -> Row:
    rows = model._default_manager.filter(board__memberships__user=user, board__archived_at=None)
    found = rows.select_related(*related).filter(pk=pk).first()
    if found is None:
        raise not_found()
    return found
