"""A PATCH without fields writes nothing, also when somebody else writes between its reading and its lock."""

from collections.abc import Callable
from functools import partial

import pytest

from apiv1.attachments import views as attachments
from apiv1.checklists import views as checklists
from apiv1.comments import views as comments
from apiv1.lists import views as lists
from apiv1.tests.calls import is_refused
from boards.actions.cards.checklists import create_checklist, rename_checklist
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.files.attachments import attach_file, rename_attachment
from boards.actions.lists.list import rename_list
from boards.tests.world import a_picture
from conftest import web


@pytest.fixture
def written_before(monkeypatch) -> Callable[..., None]:
    """Let `write` happen right before the action that a view calls by this name."""

    def written_before(module, name, write):
        action = getattr(module, name)

        def late(**arguments):
            write()
            return action(**arguments)

        monkeypatch.setattr(module, name, late)

    return written_before


def test_of_a_list_it_keeps_what_somebody_else_wrote(as_olga, ed, todo, written_before):
    written_before(lists, "rename_list", partial(rename_list, actor=web(ed), list_id=todo.pk, title="Theirs"))
    assert as_olga.patch(f"/api/v1/lists/{todo.pk}", json={}).json()["list"]["title"] == "Theirs"


def test_of_a_checklist_it_keeps_what_somebody_else_wrote(as_olga, ed, card, written_before):
    made = create_checklist(actor=web(ed), card_id=card.pk, title="Steps")
    rename = partial(rename_checklist, actor=web(ed), checklist_id=made.pk, title="Theirs")
    written_before(checklists, "rename_checklist", rename)
    assert as_olga.patch(f"/api/v1/checklists/{made.pk}", json={}).json()["checklist"]["title"] == "Theirs"


def test_of_a_comment_it_keeps_what_was_written_meanwhile(as_ed, ed, card, written_before):
    made = add_comment(actor=web(ed), card_id=card.pk, text="First")
    written_before(comments, "edit_comment", partial(edit_comment, actor=web(ed), comment_id=made.pk, text="Second"))
    assert as_ed.patch(f"/api/v1/comments/{made.pk}", json={}).json()["comment"]["body"] == "Second"


def test_of_a_file_it_keeps_what_somebody_else_wrote(as_olga, ed, card, written_before):
    made = attach_file(actor=web(ed), card_id=card.pk, stored=a_picture(), file_name="Bed.png")
    rename = partial(rename_attachment, actor=web(ed), attachment_id=made.pk, file_name="Theirs.png")
    written_before(attachments, "rename_attachment", rename)
    answer = as_olga.patch(f"/api/v1/attachments/{made.pk}", json={})
    assert answer.json()["attachment"]["fileName"] == "Theirs.png"


def test_of_a_member_of_an_archived_board_it_is_refused_as_other_writes_are(as_olga, board, vera):
    path = f"/api/v1/boards/{board.pk}"
    as_olga.post(f"{path}/archive")
    assert is_refused(as_olga.patch(f"{path}/members/{vera.pk}", json={}), 409, "archived")
    as_olga.post(f"{path}/restore")
    assert as_olga.patch(f"{path}/members/{vera.pk}", json={}).json()["member"]["role"] == "viewer"
