"""The day of docs/api.md, section by section, with the client in the folder ($1) that openapi-python-client made.

$2 is the address of the service, $3 a token, which is revoked at the end. test_day_of_the_guide.py compares the calls.
"""

import importlib
import io
import pkgutil
import sys
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

folder, address, token = sys.argv[1:]
assert sys.warnoptions == ["error"]
sys.path.insert(0, str(Path(folder).parent))
made = importlib.import_module(Path(folder).name)
parts = [importlib.import_module(part.name) for part in pkgutil.walk_packages(made.__path__, f"{made.__name__}.")]
calls = {part.__name__.rpartition(".")[2]: part for part in parts if ".api." in part.__name__}
models = importlib.import_module(f"{made.__name__}.models")
File = importlib.import_module(f"{made.__name__}.types").File
client = made.AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True)


def respond(name, *ids, **more):
    return calls[name].sync_detailed(*ids, client=client, **more)


def call(name, *ids, **more):
    """Return the answer of a call that is not refused."""
    response = respond(name, *ids, **more)
    assert response.status_code < 300, response.content
    return response.parsed


def refused(status, name, *ids, **more):
    """Return the sentence of a call that is refused with this status."""
    response = respond(name, *ids, **more)
    assert response.status_code == status, response.content
    return response.parsed.error


@contextmanager
def section(title):
    """Do what this section of the guide shows. Tell the test, and go on once it has seen that."""
    yield
    sys.stdout.write(f"{title}\n")
    sys.stdout.flush()
    sys.stdin.readline()


with section("Whose token is this?"):
    me = call("me").user
    assert me.email.endswith("@example.com")
    used = call("get_account").account.plan.boards.used
    account = call("update_account", body=models.AccountChange(time_zone="Europe/Berlin")).account
    assert account.time_zone == "Europe/Berlin"

with section("Boards"):
    garden = call("create_board", body=models.BoardIn(title="Garden", template=models.TemplateEnum.KANBAN)).board
    board, todo, doing = garden.id, garden.lists[0].id, garden.lists[1].id
    assert call("list_boards").boards[-1].title == "Garden"
    assert board not in [row.id for row in call("list_boards", archived=True).boards]
    green = call("update_board", board, body=models.BoardChange(color=models.Color.GREEN)).board
    assert green.color == models.Color.GREEN
    label = call("get_board", board).board.labels[0].id
    assert call("get_account").account.plan.boards.used == used + 1

with section("Create a card"):
    new = models.CardIn(
        list_id=str(todo),
        title="Order seeds",
        due_date="2026-12-01T09:00:00Z",
        description="Ask **Ed** first:\n\n- [ ] tomatoes\n- [ ] beans",
        label_ids=[label],
    )
    card = call("create_card", body=new).card.id

with section("Read a card"):
    read = call("get_card", card).card
    assert (read.title, read.description, read.label_ids) == (new.title, new.description, [label])
    assert (read.due_date.hour, read.due_day, read.due_date.utcoffset().seconds) == (9, None, 0)
    assert (read.list_id, read.board_id, read.created_by.name) == (todo, board, me.name)
    assert call("get_card_by_number", board, 1).card == read

with section("Change a card"):
    change = models.CardChange(title="Order seeds and bulbs", due_date="2026-12-03")
    assert str(call("update_card", card, body=change).card.due_day) == "2026-12-03"
    tag = respond("get_card", card).headers["ETag"]
    assert respond("get_card", card, if_none_match=tag).status_code == 304
    teal, red = models.CardChange(cover_color=models.Color.TEAL), models.CardChange(cover_color=models.Color.RED)
    assert call("update_card", card, body=teal, if_match=tag).card.cover_color == models.Color.TEAL
    assert refused(412, "update_card", card, body=red, if_match=tag).startswith("This has changed since you read it.")
    assert call("complete_card", card).card.completed
    assert not call("reopen_card", card).card.completed
    move = models.CardMove(list_id=doing, place=models.PlaceType0.TOP)
    assert call("move_card", card, body=move).card.list_id == doing
    copied = call("copy_card", card, body=models.CardCopy(title="Order pots")).card
    assert (copied.title, copied.number, copied.label_ids) == ("Order pots", 2, [label])

with section("Talk about a card"):
    comment = call("create_comment", card, body=models.CommentIn(body="The shop is **closed** on Mondays.")).comment.id
    assert call("list_comments", card).comments[0].body == "The shop is **closed** on Mondays."
    assert call("get_comment", comment).comment.author.name == me.name
    edited = call("update_comment", comment, body=models.CommentChange(body="The shop is closed on Sundays.")).comment
    assert edited.body == "The shop is closed on Sundays."
    call("delete_comment", comment)
    assert call("list_comments", card).comments == []

with section("Checklists"):
    steps = call("create_checklist", card, body=models.ChecklistIn(title="Steps")).checklist.id
    item = call("create_item", steps, body=models.ItemIn(text="Measure the beds")).item.id
    assert call("update_item", item, body=models.ItemChange(done=True)).item.done
    renamed = models.ChecklistChange(title="First steps", place=models.PlaceType0.TOP)
    assert call("update_checklist", steps, body=renamed).checklist.title == "First steps"
    assert call("list_checklists", card).checklists[0].items[0].text == "Measure the beds"
    assert call("get_checklist", steps).checklist.items[0].done
    call("delete_item", item)
    call("delete_checklist", steps)
    assert call("list_checklists", card).checklists == []

with section("Files"):
    sent = File(payload=io.BytesIO(b"tomatoes"), file_name="list.txt", mime_type="text/plain")
    file = call("attach_file", card, body=models.AttachmentIn(file=sent)).attachment.id
    assert call("list_attachments", card).attachments[0].size == 8
    assert call("get_attachment", file).attachment.content_type == "text/plain"
    other_name = models.AttachmentChange(file_name="shopping.txt")
    assert call("update_attachment", file, body=other_name).attachment.file_name == "shopping.txt"
    assert call("get_attachment_file", file).payload.read() == b"tomatoes"
    assert respond("get_attachment_file", file, range_="bytes=2-3").content == b"ma"
    call("delete_attachment", file)
    assert call("list_attachments", card).attachments == []

with section("Labels and people"):
    urgent = call("create_label", board, body=models.LabelIn(name="Urgent", color=models.Color.RED)).label.id
    assert call("list_labels", board).labels[-1].name == "Urgent"
    coral = models.LabelChange(color=models.Color.CORAL)
    assert call("update_label", urgent, body=coral).label.color == models.Color.CORAL
    assert call("get_label", urgent).label.name == "Urgent"
    call("delete_label", urgent)
    assert urgent not in [row.id for row in call("list_labels", board).labels]
    editor = models.MemberIn(email="ed@example.com", role=models.GivenRole.EDITOR)
    assert call("invite_member", board, body=editor).invitation.email == "ed@example.com"
    assert call("list_members", board).members[0].id == me.id
    viewer = models.MemberChange(role=models.GivenRole.VIEWER)
    assert "transferred" in refused(409, "update_member", board, me.id, body=viewer)
    assert "cannot leave" in refused(409, "remove_member", board, me.id)

with section("Lists"):
    later = call("create_list", board, body=models.ListIn(title="Later", card_limit=20)).list_.id
    after = models.ListChange(title="Some day", place=models.PlaceType2(after=todo))
    assert call("update_list", later, body=after).list_.title == "Some day"
    assert call("get_list", later).list_.card_limit == 20
    assert call("archive_list", later).list_.archived_at
    assert call("list_lists", board, archived=True).lists[0].title == "Some day"
    assert call("restore_list", later).list_.archived_at is None
    assert [row.id for row in call("list_lists", board).lists][:2] == [todo, later]

with section("Many cards at once"):
    fruit = [models.BatchCardIn(list_id=str(later), title=title) for title in ("Plums", "Pears")]
    assert [row.number for row in call("create_cards", body=models.CardsIn(cards=fruit)).cards] == [3, 4]

with section("Find cards"):
    is_open = models.ListBoardCardsStatusItem.OPEN
    labelled = call("list_board_cards", board, label=[str(label)], status=[is_open]).cards
    assert [row.title for row in labelled] == ["Order seeds and bulbs", "Order pots"]
    newest = call("list_list_cards", later, sort=models.ListListCardsSort.CREATED).cards
    assert [row.title for row in newest] == ["Pears", "Plums"]
    assert call("search_cards", q="seeds", due_before="2027-01-01").cards[0].number == 1
    page = call("list_board_cards", board, limit=2)
    rest = call("list_board_cards", board, limit=2, cursor=page.next_cursor)
    assert (len({row.id for row in page.cards + rest.cards}), rest.next_cursor) == (4, None)

with section("Archive, restore, delete"):
    assert call("archive_card", copied.id).card.archived_at
    assert call("restore_card", copied.id).card.archived_at is None
    assert refused(409, "delete_card", copied.id).startswith("Only archived boards, lists and cards can be deleted")
    call("archive_card", copied.id)
    call("delete_card", copied.id)
    assert refused(404, "get_card", copied.id)
    call("archive_list", later)
    call("delete_list", later)
    second = call("copy_board", board, body=models.BoardCopy(title="Second garden", cards=False)).board.id
    assert call("archive_board", second).board.archived_at
    assert call("restore_board", second).board.archived_at is None
    assert call("archive_board", second).board.role == models.Role.OWNER
    call("delete_board", second)
    assert refused(404, "get_board", second)

with section("What happened"):
    completed = models.ListActivityVerbItem.CARD_COMPLETED
    [line] = call("list_activity", board, verb=[completed], limit=1).activity
    assert (line.card_id, line.person.name, line.door) == (card, me.name, models.DoorEnum.API)
    assert list(line.changes.additional_properties) == ["completedAt"]

with section("Errors"):
    assert refused(400, "create_card", body=models.CardIn(title="Nowhere")).startswith("Send listId or boardId")

with section("Safe retries"):
    key, once = str(uuid4()), models.CardIn(list_id=str(todo), title="Only once")
    first, again = (respond("create_card", body=once, idempotency_key=key) for _attempt in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"

with section("A token for a command line"):
    flow = call("start_device_flow", body=models.StartIn(client_name="my-laptop"))
    assert flow.verification_uri_complete.endswith(flow.user_code)
    pending = respond("poll_device_flow", body=models.PollIn(device_code=flow.device_code))
    assert (pending.status_code, pending.parsed.status, pending.parsed.interval) == (202, "pending", 5)

with section("Agents and exports"):
    assert call("export")["format"] == "taskboard-export"

with section("What a token may do"):
    assert call("get_current_token").token.access == models.AccessEnum.READWRITE
    fewer = models.TokenIn(access=models.AccessEnum.READ, boards=[str(board)], deletes=False, expires_at="2999-12-31")
    narrowed = call("narrow_current_token", body=fewer).token
    assert (narrowed.access, narrowed.boards, narrowed.deletes) == (models.AccessEnum.READ, [board], False)
    assert narrowed.expires_at.year >= 2999
    assert refused(403, "narrow_current_token", body=models.TokenIn(access=models.AccessEnum.READWRITE))
    assert "only read" in refused(403, "complete_card", card)

with section("Log out"):
    call("revoke_token")
    assert refused(401, "revoke_current_token").startswith("The API token is missing or not valid.")
client.get_httpx_client().close()
