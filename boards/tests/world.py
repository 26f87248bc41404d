"""One board with one of everything on it, and every action with arguments that fit it."""

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from inspect import signature
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from boards.actions.boards.background import set_background_picture
from boards.actions.boards.board import archive_board, create_board, delete_board, restore_board, update_board
from boards.actions.boards.board_views import (
    collapse_list,
    delete_filter,
    rename_filter,
    save_filter,
    show_excerpts,
    star_board,
)
from boards.actions.boards.copies import copy_board, copy_card, copy_list
from boards.actions.boards.own_templates import create_board_from, delete_template, rename_template, save_template
from boards.actions.cards.archive import archive_all_cards, archive_card, archive_done_cards, restore_card
from boards.actions.cards.assignments import assign, unassign
from boards.actions.cards.boxes import tick_box
from boards.actions.cards.card import (
    Placed,
    complete_card,
    create_card,
    create_cards,
    create_cards_on,
    delete_card,
    draft_card,
    reopen_card,
    update_card,
)
from boards.actions.cards.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    move_checklist,
    move_item,
    rename_checklist,
    update_item,
)
from boards.actions.cards.comments import add_comment, delete_comment, edit_comment
from boards.actions.cards.item_cards import make_item_a_card
from boards.actions.cards.labels import add_label, create_label, delete_label, remove_label, update_label
from boards.actions.cards.moves import move_all_cards, move_card
from boards.actions.files.attachments import (
    attach_file,
    delete_attachment,
    rename_attachment,
    set_cover_picture,
)
from boards.actions.imports import import_board
from boards.actions.lists.list import (
    archive_list,
    create_list,
    delete_list,
    limit_list,
    move_list,
    rename_list,
    restore_list,
)
from boards.actions.lists.sorting import sort_list
from boards.actions.ordering import TOP
from boards.actions.people.groups import give_group, withdraw_group
from boards.actions.people.handover import accept_offer, decline_offer, offer_board, withdraw_offer
from boards.actions.people.members import change_role, remove_member
from boards.actions.sharing.invitation_links import create_invitation_link, join_by_link, withdraw_invitation_link
from boards.actions.sharing.invitations import (
    accept_invitation,
    decline_invitation,
    invite_member,
    invite_person,
    withdraw_invitation,
)
from boards.actions.sharing.public_links import (
    change_public_link,
    create_public_link,
    renew_public_link,
    withdraw_public_link,
)
from boards.actions.undo import undo_change
from boards.actor import Actor
from boards.losses import Loss
from boards.models import Activity, Board, Card, Comment, List, Offer, OwnTemplate, Preview, StoredFile, Verb
from boards.models.base import BoardRow
from boards.models.invitation_link import digest_of
from boards.models.verbs import Door
from boards.outlines import BoardOutline, CardOutline, ListOutline
from conftest import join, person, web
from core.files.storage import Stored, store, store_picture

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)  # a PNG

# Every model whose rows belong to a board
ROWS = tuple(model for model in apps.get_models() if issubclass(model, BoardRow))


# How much each role may do, "" being nobody's
RANK = {"": 0, "stranger": 0, "guest": 0, "viewer": 1, "heir": 1, "editor": 2, "owner": 3, "operator": 4}
PEOPLE = {"stranger": "stan", "guest": "gina", "viewer": "vera", "heir": "hugo", "editor": "ed", "owner": "olga"}


def may(role: str, needs: str) -> bool:
    """Tell whether somebody in this role may do what needs that one. Only the guest answers their invitation."""
    return role == needs if needs in ("guest", "heir") else RANK[role] >= RANK[needs]


class World:
    """Olga owns, Ed edits, Vera, Will and Hugo view, and Stan is a former member. All but Will and Hugo have commented.

    Each member has saved a filter "Mine", and everybody has a template. Gina is invited, by address and by link. The
    board is offered to Hugo, and has a public link; *Plain* has neither. Sue is on another board of Olga's. Oscar operates
    the service: he lets the group *staff* view the board.
    """

    def __init__(self, olga: User, ed: User, vera: User, stan: User) -> None:
        self.olga, self.ed, self.vera, self.stan, self.will = olga, ed, vera, stan, person("will")
        self.hugo, self.gina = person("hugo"), person("gina")
        self.board, self.attic = self._peopled_board("Launch"), self._peopled_board("Attic")
        self.oscar = person("oscar", is_staff=True, is_superuser=True)
        self.staff = give_group(actor=self.by_oscar, board_id=self.board.pk, group="staff", role="viewer")
        self.todo, self.doing, self.gone_list = (self._list(title) for title in ("To do", "Doing", "Gone list"))
        self.card, self.second, self.gone_card = (self._card(title) for title in ("First", "Second", "Gone"))
        self.done_card = complete_card(actor=self.by_olga, card_id=self._card("Done", "- [ ] Step").pk)
        self.hidden_card = create_card(actor=self.by_olga, list_id=self.gone_list.pk, title="Hidden")
        self._hang_things_on(self.card)
        self.comments = {user: self._comment(user) for user in (self.olga, self.ed, self.vera, self.stan)}
        self.plain = self._peopled_board("Plain")
        for board in (self.board, self.attic, self.plain):
            change_role(actor=self.by_olga, board_id=board.pk, user_id=self.vera.pk, role="viewer")
            remove_member(actor=self.by_olga, board_id=board.pk, user_id=self.stan.pk)
        for user in (self.olga, self.ed, self.vera, self.will, self.hugo):
            save_filter(actor=web(user), board_id=self.board.pk, name="Mine", query="who=me")
        self.templates = {user: template_of(user) for user in (olga, ed, vera, stan, self.will, self.hugo, self.gina)}
        archive_card(actor=self.by_olga, card_id=self.gone_card.pk)
        archive_list(actor=self.by_olga, list_id=self.gone_list.pk)
        archive_board(actor=self.by_olga, board_id=self.attic.pk)
        self.invitation = invite_member(actor=self.by_olga, board_id=self.board.pk, email=self.gina.email)
        offer_board(actor=self.by_olga, board_id=self.board.pk, user_id=self.hugo.pk)
        self.join_link, self.join_key = create_invitation_link(
            actor=self.by_olga, board_id=self.board.pk, expires_at=in_a_week(), uses=5
        )
        self.sue, self.garden = person("sue"), create_board(actor=self.by_olga, title="Garden")
        join(self.sue, self.garden, "viewer")
        self.offer = Offer.objects.get(board=self.board)
        self.link = create_public_link(actor=self.by_olga, board_id=self.board.pk)

    def comment_of(self, user: User) -> Comment:
        """Return the user's own comment, or somebody else's if they have not commented."""
        return self.comments.get(user, self.comments[self.ed])

    @property
    def by_olga(self) -> Actor:
        return web(self.olga)

    @property
    def by_oscar(self) -> Actor:
        return Actor(self.oscar, door=Door.ADMIN)

    def _peopled_board(self, title: str) -> Board:
        board = create_board(actor=self.by_olga, title=title)
        roles = {self.ed: "editor", self.vera: "editor", self.stan: "editor", self.will: "viewer", self.hugo: "viewer"}
        for user, role in roles.items():
            join(user, board, role)
        return board

    def _list(self, title: str) -> List:
        return create_list(actor=self.by_olga, board_id=self.board.pk, title=title)

    def _card(self, title: str, description: str = "") -> Card:
        return create_card(actor=self.by_olga, list_id=self.todo.pk, title=title, description=description)

    def _hang_things_on(self, card: Card) -> None:
        self.bug, self.chore = (
            create_label(actor=self.by_olga, board_id=self.board.pk, name=name) for name in ("Bug", "Chore")
        )
        add_label(actor=self.by_olga, card_id=card.pk, label_id=self.bug.pk)
        assign(actor=self.by_olga, card_id=card.pk, user_id=self.ed.pk)
        self.steps, self.checks = (
            create_checklist(actor=self.by_olga, card_id=card.pk, title=title) for title in ("Steps", "Checks")
        )
        self.item, self.item_two = (
            add_item(actor=self.by_olga, checklist_id=self.steps.pk, text=text) for text in ("One", "Two")
        )
        self.picture = attach_file(actor=self.by_olga, card_id=card.pk, stored=a_picture(), file_name="Dot.png")
        StoredFile.objects.filter(pk=self.picture.file_id).update(preview=Preview.MADE)

    def _comment(self, user: User) -> Comment:
        return add_comment(actor=web(user), card_id=self.card.pk, text=f"By {user.name}")


def a_picture() -> Stored:
    """Store a picture of one pixel, with what would be made of it."""
    stored = store([DOT], most=len(DOT))
    for kind in ("preview", "thumbnail"):
        store_picture(stored.name, kind, b"a small picture")
    return stored


def template_of(user: User) -> OwnTemplate:
    return OwnTemplate.objects.create(
        user=user, name="Usual", outline={"lists": [], "labels": []}, cards=[], card_count=0
    )


class NoLosses:
    """For an outline of which nothing is lost."""

    def lose(self, loss: Loss, where: str, number: int = 1) -> None:
        raise AssertionError(loss)


def an_outline() -> BoardOutline:
    return BoardOutline("New", lists=[ListOutline("1", "To do")], cards=[CardOutline("1", "First")])


MANY = ("make_item_a_card", "move_all_cards", "archive_all_cards")  # actions of several changes
# What members keep for themselves: of it the board's history says nothing.
OWN_TEMPLATES = ("save_template", "rename_template", "delete_template")
OWN_VIEW = ("star_board", "show_excerpts", "collapse_list", "save_filter", "rename_filter", "delete_filter")


@dataclass(frozen=True)
class Case:
    """An action, with arguments that are valid in a world."""

    action: Callable[..., Any]
    needs: str  # the lowest role that may call it, "editor" or "owner"; "" if no role is needed; else who alone may:
    # "guest", who is invited, or "heir", to whom the board is offered, or "operator", in the admin
    again: str  # what the same call does the second time: "nothing", "another", "not found", "refused"
    arguments: Callable[..., dict[str, Any]]  # called with the world and the user who acts

    @property
    def name(self) -> str:
        return self.action.__name__

    @property
    def main_id(self) -> str:
        """The name of the first id among the arguments, which is the row that the action is about."""
        return next(name for name in signature(self.action).parameters if name.endswith("_id"))

    @property
    def is_recorded(self) -> bool:
        """Tell whether it makes a line in the board's history."""
        return self.name not in (
            "invite_member",
            "invite_person",
            "withdraw_invitation",
            "decline_invitation",
            *OWN_VIEW,
            *OWN_TEMPLATES,
        )

    def actor(self, world: World) -> Actor:
        """Return somebody who may call it."""
        if self.needs == "operator":
            return world.by_oscar
        return web({"guest": world.gina, "heir": world.hugo}.get(self.needs, world.olga))

    def board(self, world: World) -> Board:
        """Return the board that it changes."""
        return {"restore_board": world.attic, "create_public_link": world.plain}.get(self.name, world.board)

    def may_be_called_by(self, role: str) -> bool:
        return may(role, self.needs)

    def call(self, world: World, actor: Actor, **other: Any) -> Any:
        return self.action(actor=actor, **self.arguments(world, actor.user) | other)


CASES = [
    Case(create_board, "", "another", lambda w, me: {"title": "New"}),
    Case(update_board, "editor", "nothing", lambda w, me: {"board_id": w.board.pk, "title": "Landing"}),
    Case(set_background_picture, "editor", "nothing", lambda w, me: {"board_id": w.board.pk, "content": b"a picture"}),
    Case(archive_board, "owner", "nothing", lambda w, me: {"board_id": w.board.pk}),
    Case(copy_board, "viewer", "another", lambda w, me: {"board_id": w.board.pk, "title": "New", "with_cards": True}),
    Case(
        import_board,
        "",
        "another",
        lambda w, me: {"outline": an_outline(), "mine": (), "losses": NoLosses(), "source": "Trello"},
    ),
    Case(restore_board, "owner", "nothing", lambda w, me: {"board_id": w.attic.pk}),
    Case(delete_board, "owner", "not found", lambda w, me: {"board_id": w.board.pk}),
    Case(save_template, "viewer", "another", lambda w, me: {"board_id": w.board.pk, "name": "New", "with_cards": True}),
    Case(rename_template, "", "nothing", lambda w, me: {"template_id": w.templates[me].pk, "name": "Later"}),
    Case(delete_template, "", "not found", lambda w, me: {"template_id": w.templates[me].pk}),
    Case(create_board_from, "", "another", lambda w, me: {"template_id": w.templates[me].pk, "title": "New", "hue": 3}),
    Case(star_board, "viewer", "nothing", lambda w, me: {"board_id": w.board.pk}),
    Case(show_excerpts, "viewer", "nothing", lambda w, me: {"board_id": w.board.pk}),
    Case(collapse_list, "viewer", "nothing", lambda w, me: {"list_id": w.todo.pk}),
    Case(save_filter, "viewer", "nothing", lambda w, me: {"board_id": w.board.pk, "name": "Late", "query": "due=late"}),
    Case(rename_filter, "viewer", "not found", lambda w, me: {"board_id": w.board.pk, "name": "Mine", "to": "For me"}),
    Case(delete_filter, "viewer", "nothing", lambda w, me: {"board_id": w.board.pk, "name": "Mine"}),
    Case(invite_member, "owner", "refused", lambda w, me: {"board_id": w.board.pk, "email": w.stan.email}),
    Case(invite_person, "owner", "refused", lambda w, me: {"board_id": w.board.pk, "user_id": w.sue.pk}),
    Case(withdraw_invitation, "owner", "not found", lambda w, me: {"invitation_id": w.invitation.pk}),
    Case(accept_invitation, "guest", "not found", lambda w, me: {"invitation_id": w.invitation.pk}),
    Case(decline_invitation, "guest", "not found", lambda w, me: {"invitation_id": w.invitation.pk}),
    Case(create_invitation_link, "owner", "another", lambda w, me: {"board_id": w.board.pk, "expires_at": in_a_week()}),
    Case(withdraw_invitation_link, "owner", "not found", lambda w, me: {"link_id": w.join_link.pk}),
    Case(  # Gina alone has the link
        join_by_link,
        "guest",
        "nothing",
        lambda w, me: {"link_id": w.join_link.pk, "digest": digest_of(w.join_key if me == w.gina else "wrong")},
    ),
    Case(
        change_role, "owner", "nothing", lambda w, me: {"board_id": w.board.pk, "user_id": w.will.pk, "role": "editor"}
    ),
    Case(remove_member, "owner", "nothing", lambda w, me: {"board_id": w.board.pk, "user_id": w.will.pk}),
    Case(offer_board, "owner", "nothing", lambda w, me: {"board_id": w.board.pk, "user_id": w.ed.pk}),
    Case(withdraw_offer, "owner", "not found", lambda w, me: {"offer_id": w.offer.pk}),
    Case(accept_offer, "heir", "not found", lambda w, me: {"board_id": w.board.pk}),
    Case(decline_offer, "heir", "not found", lambda w, me: {"board_id": w.board.pk}),
    Case(give_group, "operator", "nothing", lambda w, me: {"board_id": w.board.pk, "group": "crew", "role": "editor"}),
    Case(withdraw_group, "operator", "not found", lambda w, me: {"group_id": w.staff.pk}),
    Case(create_public_link, "owner", "nothing", lambda w, me: {"board_id": w.plain.pk}),
    Case(
        change_public_link,
        "owner",
        "nothing",
        lambda w, me: {
            "board_id": w.board.pk,
            "expires_at": None,
            "shows_comments": True,
            "shows_names": True,
            "frames": "*",
        },
    ),
    Case(renew_public_link, "owner", "another", lambda w, me: {"board_id": w.board.pk}),
    Case(withdraw_public_link, "owner", "nothing", lambda w, me: {"board_id": w.board.pk}),
    Case(create_list, "editor", "another", lambda w, me: {"board_id": w.board.pk, "title": "New"}),
    Case(copy_list, "editor", "another", lambda w, me: {"list_id": w.doing.pk}),
    Case(rename_list, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk, "title": "Later"}),
    Case(limit_list, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk, "card_limit": 3}),
    Case(move_list, "editor", "nothing", lambda w, me: {"list_id": w.doing.pk, "place": TOP}),
    Case(sort_list, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk, "by": "title"}),
    Case(move_all_cards, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk, "into_id": w.doing.pk}),
    Case(archive_all_cards, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk}),
    Case(archive_done_cards, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk}),
    Case(archive_list, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk}),
    Case(restore_list, "editor", "nothing", lambda w, me: {"list_id": w.gone_list.pk}),
    Case(delete_list, "owner", "not found", lambda w, me: {"list_id": w.gone_list.pk}),
    Case(create_card, "editor", "another", lambda w, me: {"list_id": w.todo.pk, "title": "New"}),
    Case(create_cards, "editor", "another", lambda w, me: {"list_id": w.todo.pk, "drafts": [draft_card(title="New")]}),
    Case(
        create_cards_on,
        "editor",
        "another",
        lambda w, me: {"board_id": w.board.pk, "cards": [Placed(draft_card(title="New"), w.todo.pk)]},
    ),
    Case(copy_card, "editor", "another", lambda w, me: {"card_id": w.card.pk, "title": "New"}),
    Case(
        update_card, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "title": "Firstly", "description": "How"}
    ),
    Case(
        tick_box,
        "editor",
        "nothing",
        lambda w, me: {"card_id": w.done_card.pk, "box": 1, "checked": True, "if_version": w.board.version},
    ),
    Case(complete_card, "editor", "nothing", lambda w, me: {"card_id": w.card.pk}),
    Case(reopen_card, "editor", "nothing", lambda w, me: {"card_id": w.done_card.pk}),
    Case(move_card, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "list_id": w.doing.pk}),
    Case(archive_card, "editor", "nothing", lambda w, me: {"card_id": w.card.pk}),
    Case(restore_card, "editor", "nothing", lambda w, me: {"card_id": w.gone_card.pk}),
    Case(delete_card, "owner", "not found", lambda w, me: {"card_id": w.gone_card.pk}),
    Case(create_label, "editor", "refused", lambda w, me: {"board_id": w.board.pk, "name": "New"}),
    Case(update_label, "editor", "nothing", lambda w, me: {"label_id": w.bug.pk, "name": "Fault", "hue": 3}),
    Case(delete_label, "editor", "not found", lambda w, me: {"label_id": w.bug.pk}),
    Case(add_label, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "label_id": w.chore.pk}),
    Case(remove_label, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "label_id": w.bug.pk}),
    Case(assign, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "user_id": w.will.pk}),
    Case(unassign, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "user_id": w.ed.pk}),
    Case(create_checklist, "editor", "another", lambda w, me: {"card_id": w.card.pk, "title": "New"}),
    Case(rename_checklist, "editor", "nothing", lambda w, me: {"checklist_id": w.steps.pk, "title": "Stages"}),
    Case(move_checklist, "editor", "nothing", lambda w, me: {"checklist_id": w.checks.pk, "place": TOP}),
    Case(delete_checklist, "editor", "not found", lambda w, me: {"checklist_id": w.steps.pk}),
    Case(add_item, "editor", "another", lambda w, me: {"checklist_id": w.steps.pk, "text": "New"}),
    Case(update_item, "editor", "nothing", lambda w, me: {"item_id": w.item.pk, "text": "1", "done": True}),
    Case(move_item, "editor", "nothing", lambda w, me: {"item_id": w.item_two.pk, "place": TOP}),
    Case(make_item_a_card, "editor", "not found", lambda w, me: {"item_id": w.item.pk}),
    Case(delete_item, "editor", "not found", lambda w, me: {"item_id": w.item.pk}),
    Case(add_comment, "editor", "another", lambda w, me: {"card_id": w.card.pk, "text": "New"}),
    Case(edit_comment, "editor", "nothing", lambda w, me: {"comment_id": w.comment_of(me).pk, "text": "Better"}),
    Case(delete_comment, "editor", "not found", lambda w, me: {"comment_id": w.comment_of(me).pk}),
    Case(
        attach_file,
        "editor",
        "another",
        lambda w, me: {"card_id": w.card.pk, "stored": a_picture(), "file_name": "New.png"},
    ),
    Case(
        rename_attachment, "editor", "nothing", lambda w, me: {"attachment_id": w.picture.pk, "file_name": "Point.png"}
    ),
    Case(delete_attachment, "editor", "not found", lambda w, me: {"attachment_id": w.picture.pk}),
    Case(
        set_cover_picture,
        "editor",
        "nothing",
        lambda w, me: {"card_id": w.card.pk, "attachment_id": w.picture.pk},
    ),
    Case(
        undo_change,
        "editor",
        "nothing",
        lambda w, me: {"board_id": w.board.pk, "number": number_of(w.comment_of(me), Verb.COMMENT_CREATED)},
    ),
]


def in_a_week() -> datetime:
    return timezone.now() + timedelta(days=7)


def number_of(row: BoardRow, verb: Verb) -> int:
    """Return the number of the change that did this to the row."""
    return Activity.objects.get(board=row.board_id, verb=verb, subject__id=str(row.pk)).version


BY_NAME = {case.name: case for case in CASES}


@contextmanager
def taken_back() -> Iterator[None]:
    """Undo everything that happens inside, so that one world serves many calls."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def history(board: Board) -> list[Activity]:
    return list(Activity.objects.filter(board=board).order_by("version"))


def last(board: Board) -> Activity:
    return Activity.objects.filter(board=board).latest("version")


def rows_of(board: Board) -> dict[tuple[str, UUID], dict[str, Any]]:
    """Return every row of the board with all its values, by model and id."""
    return {(model.__name__, row["id"]): row for model in ROWS for row in model.objects.filter(board=board).values()}
