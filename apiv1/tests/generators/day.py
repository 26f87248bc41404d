"""A script's day, with the client in the folder ($1) that openapi-python-client made: the service ($2), a token ($3)."""

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from uuid import UUID

folder, address, token = sys.argv[1:]
assert sys.warnoptions == ["error"]
sys.path.insert(0, str(Path(folder).parent))
made = importlib.import_module(Path(folder).name)
models = importlib.import_module(f"{made.__name__}.models")
for part in pkgutil.walk_packages(made.__path__, f"{made.__name__}."):
    importlib.import_module(part.name)
client = made.AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True)


def call(noun, name, *ids, **more):
    """Return the status, the headers and the answer of a call."""
    module = importlib.import_module(f"{made.__name__}.api.{noun}.{name}")
    response = module.sync_detailed(*ids, client=client, **more)
    return int(response.status_code), response.headers, response.parsed


def body(name, **fields):
    return {"body": getattr(models, name)(**fields)}


def show(step):
    """Tell what was done, and go on once the test says that it has been seen."""
    sys.stdout.write(f"{step}\n")
    sys.stdout.flush()
    sys.stdin.readline()


_, _, answer = call("boards", "create_board", **body("BoardIn", title="Garden"))
board = str(answer.board.id)
show(answer.board.url)
_, _, answer = call("lists", "create_list", board, **body("ListIn", title="Seeds"))
seeds = str(answer.list_.id)
_, _, answer = call("lists", "create_list", board, **body("ListIn", title="Later"))
later = answer.list_.id
show("lists")

_, _, answer = call("cards", "create_card", **body("CardIn", list_id=seeds, title="Order seeds"))
card = str(answer.card.id)
show("created")
_, headers, answer = call("cards", "get_card", card)
first = headers["ETag"]
assert answer.card.due_date is None
assert isinstance(answer.card.list_id, UUID)
change = body("CardChange", title="Order seeds and bulbs", due_date="2026-12-01T09:00:00Z")
known, _, answer = call("cards", "update_card", card, if_match=first, **change)
stale, _, refusal = call("cards", "update_card", card, if_match=first, **body("CardChange", title="Too late"))
show("changed")

call("comments", "create_comment", card, **body("CommentIn", body="They are out of **beans**."))
_, _, answer = call("checklists", "create_checklist", card, **body("ChecklistIn", title="Seeds"))
_, _, answer = call("checklists", "create_item", str(answer.checklist.id), **body("ItemIn", text="Tomatoes"))
call("checklists", "update_item", str(answer.item.id), **body("ItemChange", done=True))
call("cards", "move_card", card, **body("CardMove", list_id=later, place=models.PlaceType0.TOP))
show("moved")
_, _, found = call("cards", "list_board_cards", board, status=[models.ListBoardCardsStatusItem.OPEN], limit=10)
archived, _, answer = call("cards", "archive_card", card)
show("archived")

told = {
    "changes": [known, stale, archived],
    "refusal": refusal.error,
    "titles": [row.title for row in found.cards],
    "comments": found.cards[0].comment_count,
    "items": found.cards[0].checklist_items.to_dict(),
    "isInLater": answer.card.list_id == later,
    "isArchived": answer.card.archived_at is not None,
}
sys.stdout.write(f"{json.dumps(told)}\n")
