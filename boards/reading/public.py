"""Read one board for the holder of a public link, without what its link leaves out.

People are taken out here, before anything is rendered. docs/decisions/public-links.md says what is never shown.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import OuterRef, Q, Subquery, UUIDField
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.access import not_found
from boards.models import Assignment, Attachment, Card, Label, List, Membership, PublicLink, Role
from boards.models.public_link import KEY, digest_of
from boards.reader import PublicView, Reader
from boards.reading.tiles import Tile, tiles_of
from boards.richtext import Doc, mentions_in, with_labels


@dataclass(frozen=True, slots=True)
class PublicPerson:
    """Somebody on the board. `pk` is not the id of the account; it only keeps their colour the same."""

    pk: UUID
    display_name: str


def find_link(key: str) -> Any:
    """Return the link with this key, with its board and `owner_id`; None if there is none, or it shows nothing any more.

    It has expired, or its board is archived, or its owner's account is deactivated.
    """
    if not settings.PUBLIC_LINKS or not KEY.fullmatch(key):
        return None
    owners = Membership.objects.filter(board=OuterRef("board"), role=Role.OWNER, user__is_active=True)
    found = PublicLink.objects.filter(_lasting(), digest=digest_of(key), board__archived_at=None)
    owned = found.annotate(owner_id=Subquery(owners.values("user_id")[:1], output_field=UUIDField())).exclude(
        owner_id=None
    )
    return owned.select_related("board").first()


def view_by(link: PublicLink) -> PublicView:
    return PublicView(link.pk, link.board_id, link.shows_comments, link.shows_names, link.password)


def reader_by(link: PublicLink, language: str) -> Reader:
    return Reader(get_user_model()(language=language), view=view_by(link))


def is_current(view: PublicView) -> bool:
    """Tell whether the link is there and still shows this, to those who know this password."""
    same = {"shows_comments": view.comments, "shows_names": view.names, "password": view.password}
    return PublicLink.objects.filter(_lasting(), pk=view.link, board=view.board, **same).exists()


def _lasting() -> Q:
    return Q(expires_at=None) | Q(expires_at__gt=timezone.now())


def public_list(list_id: UUID | None, view: PublicView) -> List:
    lists = List.objects.open().select_related("board").filter(board=view.board)
    found = lists.filter(pk=list_id).first() if list_id else None
    if found is None:
        raise not_found()
    return found


def public_attachment(attachment_id: UUID, view: PublicView) -> Attachment:
    """Return an attachment of an open card, with its file."""
    cards = Card.objects.open().filter(board=view.board)
    found = Attachment.objects.select_related("file").filter(pk=attachment_id, card__in=cards.order_by()).first()
    if found is None:
        raise not_found()
    return found


def public_card(card_id: UUID | None, view: PublicView) -> Card:
    """Return an open card with its list and board."""
    cards = Card.objects.open().select_related("list", "board").filter(board=view.board)
    found = cards.filter(pk=card_id).first() if card_id else None
    if found is None:
        raise not_found()
    return found


def tiles_for(view: PublicView | None, ids: Collection[UUID]) -> list[Tile]:
    """Return the tiles of these cards as a link shows them: never with the beginning of the description, which may name people."""
    found = tiles_of(ids)
    if view is None:
        return found
    return [
        tile._replace(
            excerpt="",
            people=[public_person(view, one) for one in tile.people] if view.names else [],  # type: ignore[misc]  # a name and a key are what tiles show
            comments=tile.comments if view.comments else 0,
        )
        for tile in found
    ]


def labels_on(card: Card) -> list[Label]:
    return list(Label.objects.filter(card_labels__card=card))


def people_on(card: Card, view: PublicView) -> list[PublicPerson]:
    """Return who is assigned; nobody where the link shows no names."""
    if not view.names:
        return []
    assigned = Assignment.objects.filter(card=card).select_related("user").order_by("id")
    return [public_person(view, one.user) for one in assigned]


def public_person(view: PublicView, user: Any) -> PublicPerson:
    """Return the person by their name; where names are not shown, the same for all.

    Who has no name is not called by the beginning of their address, as on other pages.
    """
    if not view.names:
        return PublicPerson(view.link, _("Member"))
    disguised = UUID(bytes=hashlib.sha256(view.link.bytes + user.pk.bytes).digest()[:16])
    return PublicPerson(disguised, user.name or _("Member"))


def without_people(docs: Iterable[Doc | None], view: PublicView) -> list[Doc | None]:
    """Return the documents with the names of mentioned people as the link shows them: by one statement at most."""
    docs = list(docs)
    mentioned = {mention for doc in docs for mention in mentions_in(doc)}
    if not mentioned:
        return docs
    names: dict[str, str] = {}
    if view.names:
        users = get_user_model().objects.filter(pk__in={UUID(pk) for pk, _label in mentioned}).exclude(name="")
        names = {str(pk): name for pk, name in users.values_list("pk", "name")}
    labels = {(pk, label): names.get(pk, _("Member")) for pk, label in mentioned}
    return [with_labels(doc, labels) if doc and mentions_in(doc) else doc for doc in docs]
