"""Every REST call with a path and a body that are valid in a World, and what it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boards.tests.world import World

OWN, VIEWER, EDITOR, OWNER = "own", "viewer", "editor", "owner"


@dataclass(frozen=True)
class RestCall:
    """`route` is the path as the description has it. `role` is what the caller needs on the world's board; with OWN, the
    call is about no board. `right` is what the token needs besides: read, write, delete, or narrow, which every token may.
    """

    method: str
    route: str
    role: str
    right: str
    ids: Callable[[World], dict[str, Any]] = lambda w: {}
    body: Callable[[World], Any] = lambda w: None
    all_boards: bool = False  # whether a token of chosen boards is refused

    @property
    def name(self) -> str:
        return f"{self.method} {self.route}"

    def path(self, world: World) -> str:
        return self.route.format(**self.ids(world))


def board(w: World) -> dict[str, Any]:
    return {"board_id": w.board.pk}


def card(w: World) -> dict[str, Any]:
    return {"card_id": w.card.pk}


def gone_card(w: World) -> dict[str, Any]:
    return {"card_id": w.gone_card.pk}


def a_list(w: World) -> dict[str, Any]:
    return {"list_id": w.todo.pk}


def gone_list(w: World) -> dict[str, Any]:
    return {"list_id": w.gone_list.pk}


def attic(w: World) -> dict[str, Any]:
    return {"board_id": w.attic.pk}


def will(w: World) -> dict[str, Any]:
    return {"board_id": w.board.pk, "user_id": w.will.pk}


def new_card(w: World) -> dict[str, Any]:
    return {"listId": str(w.todo.pk), "title": "New"}


V1 = "/api/v1"
BOARD, LIST, CARD = f"{V1}/boards/{{board_id}}", f"{V1}/lists/{{list_id}}", f"{V1}/cards/{{card_id}}"
LABEL, CHECKLIST, ITEM = f"{V1}/labels/{{label_id}}", f"{V1}/checklists/{{checklist_id}}", f"{V1}/items/{{item_id}}"
COMMENT, FILE = f"{V1}/comments/{{comment_id}}", f"{V1}/attachments/{{attachment_id}}"
A_LABEL = {"ids": lambda w: {"label_id": w.bug.pk}}
A_CHECKLIST = {"ids": lambda w: {"checklist_id": w.steps.pk}}
AN_ITEM = {"ids": lambda w: {"item_id": w.item.pk}}
A_FILE = {"ids": lambda w: {"attachment_id": w.picture.pk}}
CALLS = [
    RestCall("GET", f"{V1}/me", OWN, "read"),
    RestCall("GET", f"{V1}/account", OWN, "read"),
    RestCall("PATCH", f"{V1}/account", OWN, "write", body=lambda w: {"name": "New"}, all_boards=True),
    RestCall("DELETE", f"{V1}/token", OWN, "narrow"),
    RestCall("GET", f"{V1}/tokens/current", OWN, "read"),
    RestCall("PATCH", f"{V1}/tokens/current", OWN, "narrow", body=lambda w: {"access": "read"}),
    RestCall("DELETE", f"{V1}/tokens/current", OWN, "narrow"),
    RestCall("GET", f"{V1}/boards", OWN, "read"),
    RestCall("POST", f"{V1}/boards", OWN, "write", body=lambda w: {"title": "New"}, all_boards=True),
    RestCall("GET", BOARD, VIEWER, "read", board),
    RestCall("PATCH", BOARD, EDITOR, "write", board, lambda w: {"title": "New"}),
    RestCall("DELETE", BOARD, OWNER, "delete", attic),
    RestCall("POST", f"{BOARD}/archive", OWNER, "write", board),
    RestCall("POST", f"{BOARD}/restore", OWNER, "write", attic),
    RestCall("POST", f"{BOARD}/copy", VIEWER, "write", board, lambda w: {"title": "New"}, all_boards=True),
    RestCall("GET", f"{BOARD}/lists", VIEWER, "read", board),
    RestCall("POST", f"{BOARD}/lists", EDITOR, "write", board, lambda w: {"title": "New"}),
    RestCall("GET", f"{BOARD}/labels", VIEWER, "read", board),
    RestCall("POST", f"{BOARD}/labels", EDITOR, "write", board, lambda w: {"name": "New"}),
    RestCall("GET", f"{BOARD}/members", VIEWER, "read", board),
    RestCall("POST", f"{BOARD}/members", OWNER, "write", board, lambda w: {"email": "x@example.com", "role": "viewer"}),
    RestCall("PATCH", f"{BOARD}/members/{{user_id}}", OWNER, "write", will, lambda w: {"role": "editor"}),
    RestCall("DELETE", f"{BOARD}/members/{{user_id}}", OWNER, "delete", will),
    RestCall("GET", f"{BOARD}/activity", VIEWER, "read", board),
    RestCall("GET", f"{BOARD}/cards", VIEWER, "read", board),
    RestCall("GET", f"{BOARD}/cards/{{number}}", VIEWER, "read", lambda w: {**board(w), "number": w.card.number}),
    RestCall("GET", LIST, VIEWER, "read", a_list),
    RestCall("PATCH", LIST, EDITOR, "write", a_list, lambda w: {"title": "New"}),
    RestCall("DELETE", LIST, OWNER, "delete", gone_list),
    RestCall("POST", f"{LIST}/archive", EDITOR, "write", a_list),
    RestCall("POST", f"{LIST}/restore", EDITOR, "write", gone_list),
    RestCall("GET", f"{LIST}/cards", VIEWER, "read", a_list),
    RestCall("GET", f"{V1}/cards", OWN, "read"),
    RestCall("POST", f"{V1}/cards", EDITOR, "write", body=new_card),
    RestCall("POST", f"{V1}/cards/batch", EDITOR, "write", body=lambda w: {"cards": [new_card(w)]}),
    RestCall("GET", CARD, VIEWER, "read", card),
    RestCall("PATCH", CARD, EDITOR, "write", card, lambda w: {"title": "New", "labelIds": [], "assigneeIds": []}),
    RestCall("DELETE", CARD, OWNER, "delete", gone_card),
    RestCall("POST", f"{CARD}/complete", EDITOR, "write", card),
    RestCall("POST", f"{CARD}/reopen", EDITOR, "write", card),
    RestCall("POST", f"{CARD}/archive", EDITOR, "write", card),
    RestCall("POST", f"{CARD}/restore", EDITOR, "write", gone_card),
    RestCall("POST", f"{CARD}/move", EDITOR, "write", card, lambda w: {"listId": str(w.doing.pk)}),
    RestCall("POST", f"{CARD}/copy", EDITOR, "write", card, lambda w: {}),
    RestCall("GET", f"{CARD}/comments", VIEWER, "read", card),
    RestCall("POST", f"{CARD}/comments", EDITOR, "write", card, lambda w: {"body": "New"}),
    RestCall("GET", COMMENT, VIEWER, "read", lambda w: {"comment_id": w.comments[w.olga].pk}),
    RestCall(
        "PATCH", COMMENT, OWNER, "write", lambda w: {"comment_id": w.comments[w.olga].pk}, lambda w: {"body": "New"}
    ),
    RestCall("DELETE", COMMENT, OWNER, "delete", lambda w: {"comment_id": w.comments[w.olga].pk}),
    RestCall("GET", f"{CARD}/checklists", VIEWER, "read", card),
    RestCall("POST", f"{CARD}/checklists", EDITOR, "write", card, lambda w: {"title": "New"}),
    RestCall("GET", CHECKLIST, VIEWER, "read", **A_CHECKLIST),
    RestCall("PATCH", CHECKLIST, EDITOR, "write", **A_CHECKLIST, body=lambda w: {"title": "New"}),
    RestCall("DELETE", CHECKLIST, EDITOR, "delete", **A_CHECKLIST),
    RestCall("POST", f"{CHECKLIST}/items", EDITOR, "write", **A_CHECKLIST, body=lambda w: {"text": "New"}),
    RestCall("PATCH", ITEM, EDITOR, "write", **AN_ITEM, body=lambda w: {"done": True}),
    RestCall("DELETE", ITEM, EDITOR, "delete", **AN_ITEM),
    RestCall("GET", LABEL, VIEWER, "read", **A_LABEL),
    RestCall("PATCH", LABEL, EDITOR, "write", **A_LABEL, body=lambda w: {"name": "New"}),
    RestCall("DELETE", LABEL, EDITOR, "delete", **A_LABEL),
    RestCall("GET", f"{CARD}/attachments", VIEWER, "read", card),
    RestCall("POST", f"{CARD}/attachments", EDITOR, "write", card),
    RestCall("GET", FILE, VIEWER, "read", **A_FILE),
    RestCall("PATCH", FILE, EDITOR, "write", **A_FILE, body=lambda w: {"fileName": "new.png"}),
    RestCall("DELETE", FILE, EDITOR, "delete", **A_FILE),
    RestCall("GET", f"{FILE}/file", VIEWER, "read", **A_FILE),
]
