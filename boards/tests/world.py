"""One board with one of everything on it, and every action with arguments that fit it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import transaction

from accounts.models import User
from boards.actions.archive import archive_card, restore_card
from boards.actions.assignments import assign, unassign
from boards.actions.boards import archive_board, create_board, delete_board, restore_board, update_board
from boards.actions.cards import (
    complete_card,
    create_card,
    create_cards,
    delete_card,
    draft_card,
    reopen_card,
    update_card,
)
from boards.actions.checklists import (
    add_item,
    create_checklist,
    delete_checklist,
    delete_item,
    move_checklist,
    move_item,
    rename_checklist,
    update_item,
)
from boards.actions.comments import add_comment, delete_comment, edit_comment
from boards.actions.handover import accept_offer, decline_offer, offer_board, withdraw_offer
from boards.actions.invitations import accept_invitation, decline_invitation, invite_member, withdraw_invitation
from boards.actions.labels import add_label, create_label, delete_label, remove_label, update_label
from boards.actions.lists import archive_list, create_list, delete_list, move_list, rename_list, restore_list
from boards.actions.members import change_role, remove_member
from boards.actions.moves import move_card
from boards.actions.ordering import TOP
from boards.actor import Actor
from boards.models import Activity, Board, Card, Comment, List, Offer
from boards.models.base import BoardRow
from conftest import join, person, web

# Every model whose rows belong to a board
ROWS = tuple(model for model in apps.get_models() if issubclass(model, BoardRow))


# How much each role may do, "" being nobody's
RANK = {"": 0, "stranger": 0, "guest": 0, "viewer": 1, "heir": 1, "editor": 2, "owner": 3}
PEOPLE = {"stranger": "stan", "guest": "gina", "viewer": "vera", "heir": "hugo", "editor": "ed", "owner": "olga"}


def may(role: str, needs: str) -> bool:
    """Tell whether somebody in this role may do what needs that one. Only the guest answers their invitation."""
    return role == needs if needs in ("guest", "heir") else RANK[role] >= RANK[needs]


class World:
    """Olga owns, Ed edits, Vera, Will and Hugo view, and Stan is a former member. All but Will and Hugo have commented.

    Gina is invited. The board is offered to Hugo.
    """

    def __init__(self, olga: User, ed: User, vera: User, stan: User) -> None:
        self.olga, self.ed, self.vera, self.stan, self.will = olga, ed, vera, stan, person("will")
        self.hugo, self.gina = person("hugo"), person("gina")
        self.board, self.attic = self._peopled_board("Launch"), self._peopled_board("Attic")
        self.todo, self.doing, self.gone_list = (self._list(title) for title in ("To do", "Doing", "Gone list"))
        self.card, self.second, self.gone_card = (self._card(title) for title in ("First", "Second", "Gone"))
        self.done_card = complete_card(actor=self.by_olga, card_id=self._card("Done").pk)
        self.hidden_card = create_card(actor=self.by_olga, list_id=self.gone_list.pk, title="Hidden")
        self._hang_things_on(self.card)
        self.comments = {user: self._comment(user) for user in (self.olga, self.ed, self.vera, self.stan)}
        for board in (self.board, self.attic):
            change_role(actor=self.by_olga, board_id=board.pk, user_id=self.vera.pk, role="viewer")
            remove_member(actor=self.by_olga, board_id=board.pk, user_id=self.stan.pk)
        archive_card(actor=self.by_olga, card_id=self.gone_card.pk)
        archive_list(actor=self.by_olga, list_id=self.gone_list.pk)
        archive_board(actor=self.by_olga, board_id=self.attic.pk)
        self.invitation = invite_member(actor=self.by_olga, board_id=self.board.pk, email=self.gina.email)
        offer_board(actor=self.by_olga, board_id=self.board.pk, user_id=self.hugo.pk)
        self.offer = Offer.objects.get(board=self.board)

    def comment_of(self, user: User) -> Comment:
        """Return the user's own comment, or somebody else's if they have not commented."""
        return self.comments.get(user, self.comments[self.ed])

    @property
    def by_olga(self) -> Actor:
        return web(self.olga)

    def _peopled_board(self, title: str) -> Board:
        board = create_board(actor=self.by_olga, title=title)
        roles = {self.ed: "editor", self.vera: "editor", self.stan: "editor", self.will: "viewer", self.hugo: "viewer"}
        for user, role in roles.items():
            join(user, board, role)
        return board

    def _list(self, title: str) -> List:
        return create_list(actor=self.by_olga, board_id=self.board.pk, title=title)

    def _card(self, title: str) -> Card:
        return create_card(actor=self.by_olga, list_id=self.todo.pk, title=title)

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

    def _comment(self, user: User) -> Comment:
        return add_comment(actor=web(user), card_id=self.card.pk, text=f"By {user.name}")


@dataclass(frozen=True)
class Case:
    """An action, with arguments that are valid in a world."""

    action: Callable[..., Any]
    needs: str  # the lowest role that may call it, "editor" or "owner"; "" if no role is needed; else who alone may:
    # "guest", who is invited, or "heir", to whom the board is offered
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
        return self.name not in ("invite_member", "withdraw_invitation", "decline_invitation")

    def actor(self, world: World) -> Actor:
        """Return somebody who may call it."""
        return web({"guest": world.gina, "heir": world.hugo}.get(self.needs, world.olga))

    def may_be_called_by(self, role: str) -> bool:
        return may(role, self.needs)

    def call(self, world: World, actor: Actor, **other: Any) -> Any:
        return self.action(actor=actor, **self.arguments(world, actor.user) | other)


CASES = [
    Case(create_board, "", "another", lambda w, me: {"title": "New"}),
    Case(update_board, "editor", "nothing", lambda w, me: {"board_id": w.board.pk, "title": "Landing"}),
    Case(archive_board, "owner", "nothing", lambda w, me: {"board_id": w.board.pk}),
    Case(restore_board, "owner", "nothing", lambda w, me: {"board_id": w.attic.pk}),
    Case(delete_board, "owner", "not found", lambda w, me: {"board_id": w.board.pk}),
    Case(invite_member, "owner", "refused", lambda w, me: {"board_id": w.board.pk, "email": w.stan.email}),
    Case(withdraw_invitation, "owner", "not found", lambda w, me: {"invitation_id": w.invitation.pk}),
    Case(accept_invitation, "guest", "not found", lambda w, me: {"invitation_id": w.invitation.pk}),
    Case(decline_invitation, "guest", "not found", lambda w, me: {"invitation_id": w.invitation.pk}),
    Case(
        change_role, "owner", "nothing", lambda w, me: {"board_id": w.board.pk, "user_id": w.will.pk, "role": "editor"}
    ),
    Case(remove_member, "owner", "nothing", lambda w, me: {"board_id": w.board.pk, "user_id": w.will.pk}),
    Case(offer_board, "owner", "nothing", lambda w, me: {"board_id": w.board.pk, "user_id": w.ed.pk}),
    Case(withdraw_offer, "owner", "not found", lambda w, me: {"offer_id": w.offer.pk}),
    Case(accept_offer, "heir", "not found", lambda w, me: {"board_id": w.board.pk}),
    Case(decline_offer, "heir", "not found", lambda w, me: {"board_id": w.board.pk}),
    Case(create_list, "editor", "another", lambda w, me: {"board_id": w.board.pk, "title": "New"}),
    Case(rename_list, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk, "title": "Later"}),
    Case(move_list, "editor", "nothing", lambda w, me: {"list_id": w.doing.pk, "place": TOP}),
    Case(archive_list, "editor", "nothing", lambda w, me: {"list_id": w.todo.pk}),
    Case(restore_list, "editor", "nothing", lambda w, me: {"list_id": w.gone_list.pk}),
    Case(delete_list, "owner", "not found", lambda w, me: {"list_id": w.gone_list.pk}),
    Case(create_card, "editor", "another", lambda w, me: {"list_id": w.todo.pk, "title": "New"}),
    Case(create_cards, "editor", "another", lambda w, me: {"list_id": w.todo.pk, "drafts": [draft_card(title="New")]}),
    Case(
        update_card, "editor", "nothing", lambda w, me: {"card_id": w.card.pk, "title": "Firstly", "description": "How"}
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
    Case(delete_item, "editor", "not found", lambda w, me: {"item_id": w.item.pk}),
    Case(add_comment, "editor", "another", lambda w, me: {"card_id": w.card.pk, "text": "New"}),
    Case(edit_comment, "editor", "nothing", lambda w, me: {"comment_id": w.comment_of(me).pk, "text": "Better"}),
    Case(delete_comment, "editor", "not found", lambda w, me: {"comment_id": w.comment_of(me).pk}),
]


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
