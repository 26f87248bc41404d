"""Labels of the same name, and members, that several boards have in common."""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Count, Min
from django.utils.translation import gettext as _

from boards.access import not_found, sees_all
from boards.errors import Conflict
from boards.models import Board, Card, Label, Membership
from boards.reader import Reader
from boards.text import LABEL, clean_line

if TYPE_CHECKING:
    from accounts.models import User


class CommonLabel(NamedTuple):
    name: str
    hue: int  # on one of the boards, as each has its own


class Common(NamedTuple):
    labels: list[CommonLabel]
    people: "list[User]"


def common_to(board_ids: Collection[UUID], reader: Reader) -> Common:
    """Return the labels whose name each of these boards has, the oldest first, and the people who are members of all.

    Three statements. Raises NotFound unless all of them are open boards that the reader can see.
    """
    ids = {*board_ids}
    if not ids or Board.objects.visible_to(reader).open().filter(pk__in=ids).count() < len(ids):
        raise not_found()
    return Common(_labels_of_all(ids), _members_of_all(ids))


def labels_named(name: str, card_ids: Collection[UUID], reader: Reader) -> dict[UUID, UUID]:
    """Return, by card, the label of this name on the card's board. Names are compared as where a card moves to another board.

    Raises NotFound when the reader cannot see one of the boards, and Conflict when one of them has no such label.
    """
    name = clean_line(name, "label", LABEL)
    homes = dict(Card.objects.filter(pk__in=card_ids).values_list("pk", "board_id"))
    boards = {*homes.values()}
    if not sees_all(boards, reader):
        raise not_found()
    labels = dict(Label.objects.filter(board__in=boards, name=name).values_list("board_id", "pk"))
    if lacking := boards - labels.keys():
        names = {"board": Board.objects.filter(pk__in=lacking).order_by("title", "pk")[0].title, "label": name}
        raise Conflict(_("The board “%(board)s” has no label “%(label)s”. Create it there, then try again.") % names)
    return {card: labels[board] for card, board in homes.items()}


def _labels_of_all(ids: Collection[UUID]) -> list[CommonLabel]:
    named = Label.objects.filter(board__in=ids).order_by().values("name")
    counted = named.annotate(boards=Count("pk"), any_hue=Min("hue"), oldest=Min("created_at"))
    everywhere = counted.filter(boards=len(ids)).order_by("oldest", "name")
    return [CommonLabel(*values) for values in everywhere.values_list("name", "any_hue")]


def _members_of_all(ids: Collection[UUID]) -> "list[User]":
    counted = Membership.objects.filter(board__in=ids).order_by().values("user").annotate(boards=Count("pk"))
    people = get_user_model().objects.filter(pk__in=counted.filter(boards=len(ids)).values("user"))
    return list(people.order_by("name", "pk").only("name", "email", "picture"))
