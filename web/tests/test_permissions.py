"""Permissions in the browser. The table lists every address of the board pages with each of its methods."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, reverse
from uuid_utils.compat import uuid7

from boards.actions.boards.background import BACKGROUNDS
from boards.actions.boards.board import create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.labels import create_label
from boards.actions.lists.list import create_list
from boards.backgrounds import OF_PICTURE
from boards.models import Activity, Board, Verb
from boards.tests.world import PEOPLE, RANK, World, may, number_of, taken_back
from conftest import web
from web import urls
from web.tests.browsing import SCRIPTED, browser, copy_of, text_of, without_tokens
from web.tests.test_background import photo

OPEN_TO_ALL = {
    "home",
    "help",
    "jump",
    "linked_cards",
    "destinations",
    "new_board",
    "archived_boards",
    "my_invitations",
    "markdown",
} | {
    "invitation_stop",
    "join",
    "joining",
    "my_work",
    "work_filters",
    "work_filter_renaming",
    "work_filter_deletion",
    "my_table",
    "my_cards",  # each of its cards by the role on its board: test_selected.py
    "search",
    "notifications",
    "notification",
    "notification_mails",
    "notification_settings",
    "push_browsers",
    "push_withdrawal",
    "service_worker",
    "own_template",
    "own_template_deletion",
    "public_board",
    "public_unlocking",
    "public_lists",
    "public_list_cards",
    "public_card",
    "public_background",
    "public_attachment",
    "public_attachment_preview",
    "public_attachment_thumbnail",
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Case:
    """An address with a valid form. `ids` (for the path) and `form` are functions of the world and the sender."""

    name: str
    needs: str
    ids: Callable[[World, Any], list[Any]]
    form: Callable[[World, Any], dict[str, Any]] | None = None  # None: a GET
    query: Callable[[World, Any], dict[str, Any]] | None = None

    @property
    def method(self) -> str:
        return "GET" if self.form is None else "POST"

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    def address(self, world: World, user: Any) -> str:
        path = reverse(self.name, args=self.ids(world, user))
        return f"{path}?{urlencode(self.query(world, user))}" if self.query else path

    def ask(self, world: World, user: Any, ids: list[Any] | None = None, *, client: Any = None, **headers: str) -> Any:
        right = self.ids(world, user)
        address, form = self.address(world, user), self.form(world, user) if self.form else None
        for pk, given in zip(right, ids or right, strict=True):
            address = address.replace(str(pk), str(given), 1)
            form = form and {name.replace(str(pk), str(given)): value for name, value in form.items()}
        client = client or browser(user)
        answer = client.get(address, **headers) if form is None else client.post(address, form, **headers)
        return read(answer)


def read(answer: Any) -> Any:
    """Return the answer, of which a file is read to its end, and so closed."""
    if answer.streaming:
        list(answer.streaming_content)
    return answer


def board(w: World, me: Any) -> list[Any]:
    return [w.board.pk]


def card(w: World, me: Any) -> list[Any]:
    return [w.card.pk]


def a_background(w: World) -> str:
    name = BACKGROUNDS.save(b"a picture")
    Board.objects.filter(pk=w.board.pk).update(background=OF_PICTURE + name)
    return name


def a_description(w: World) -> Any:
    """Return the id of a change of the card's description."""
    changes = Activity.objects.filter(card_id=w.card.pk, data__has_key="description")
    if not changes.exists():
        update_card(actor=web(w.ed), card_id=w.card.pk, description="What to do")
    return changes.get().pk


def picture(w: World, me: Any) -> list[Any]:
    return [w.picture.pk]


CASES = [
    Case("board", "viewer", board),
    Case("board_title", "editor", board, lambda w, me: {"board-title": "Landing"}),
    Case("board_archival", "owner", board, lambda w, me: {"archived": "1"}),
    Case("board_archival", "owner", lambda w, me: [w.attic.pk], lambda w, me: {"archived": "0"}),
    Case("board_deletion", "owner", board),
    Case("board_deletion", "owner", board, lambda w, me: {"title": w.board.title}),
    Case("presence", "viewer", board, lambda w, me: {"page": "p" * 20, "card": w.card.pk, "typing": "title"}),
    Case("lists", "viewer", board),
    Case("lists", "editor", board, lambda w, me: {"title": "New"}),
    Case("cards", "viewer", board),
    Case("cards", "editor", board, lambda w, me: {"card": w.card.pk, "list": w.doing.pk, "where": "top"}),
    Case("board_following", "viewer", board),
    Case("board_following", "viewer", board, lambda w, me: {"follow": "mute"}),
    Case("list_following", "viewer", lambda w, me: [w.todo.pk]),
    Case("list_following", "viewer", lambda w, me: [w.todo.pk], lambda w, me: {"follow": "mute"}),
    Case("card_notifications", "viewer", card, lambda w, me: {}),
    Case("card_following", "viewer", card),
    Case("card_following", "viewer", card, lambda w, me: {"follow": "mute"}),
    Case("board_copy", "viewer", board),
    Case("board_copy", "viewer", board, lambda w, me: {"title": "Copy", "cards": "1"}),
    Case("board_template", "viewer", board),
    Case("board_template", "viewer", board, lambda w, me: {"name": "Usual", "cards": "1"}),
    Case("undo", "editor", board, lambda w, me: {"change": number_of(w.comment_of(me), Verb.COMMENT_CREATED)}),
    Case("filter", "viewer", board),
    Case("saved_filters", "viewer", board, lambda w, me: {"name": "Roof", "query": "q=roof"}),
    Case("filter_renaming", "viewer", board, lambda w, me: {"filter": "Mine", "name": "For me"}),
    Case("filter_deletion", "viewer", board, lambda w, me: {"filter": "Mine"}),
    Case("board_star", "viewer", board, lambda w, me: {"starred": "1"}),
    Case("board_excerpts", "viewer", board, lambda w, me: {"shown": "1"}),
    Case("matches", "viewer", board),
    Case("board_table", "viewer", board),
    Case("labels", "editor", board, lambda w, me: {"name": "New", "color": "3"}),
    Case("background", "editor", board, lambda w, me: {"picture": photo()}),
    Case("background_picture", "viewer", lambda w, me: [w.board.pk, a_background(w)]),
    Case("share", "viewer", board),
    Case("members", "viewer", board),
    Case("member_role", "owner", lambda w, me: [w.board.pk, w.will.pk], lambda w, me: {"role": "editor"}),
    Case("member_removal", "owner", lambda w, me: [w.board.pk, w.will.pk]),
    Case("member_removal", "owner", lambda w, me: [w.board.pk, w.will.pk], lambda w, me: {}),
    Case("invitations", "owner", board, lambda w, me: {"email": w.stan.email, "role": "viewer"}),
    Case("people", "owner", board),
    Case("invitation_links", "owner", board, lambda w, me: {"link-role": "viewer", "link-expires": "7"}),
    Case("link_withdrawal", "owner", lambda w, me: [w.join_link.pk], lambda w, me: {}),
    Case("ownership", "owner", board, query=lambda w, me: {"to": str(w.will.pk)}),
    Case("ownership", "owner", board, lambda w, me: {"to": str(w.will.pk)}),
    Case("board_offer", "heir", board),
    Case("board_offer", "heir", board, lambda w, me: {"answer": "accept"}),
    Case("offer_withdrawal", "owner", lambda w, me: [w.offer.pk], lambda w, me: {}),
    Case("invitation", "guest", lambda w, me: [w.invitation.pk]),
    Case("invitation", "guest", lambda w, me: [w.invitation.pk], lambda w, me: {"answer": "accept"}),
    Case("invitation", "guest", lambda w, me: [w.invitation.pk], lambda w, me: {"answer": "decline"}),
    Case("invitation_withdrawal", "owner", lambda w, me: [w.invitation.pk], lambda w, me: {}),
    Case("public_link", "owner", board),
    Case(
        "public_link",
        "owner",
        board,
        lambda w, me: {"embedding": "nobody", "shows_names": "on", "shows_comments": "on"},
    ),
    Case("public_link_renewal", "owner", board),
    Case("public_link_renewal", "owner", board, lambda w, me: {}),
    Case("public_link_withdrawal", "owner", board, lambda w, me: {}),
    Case("board_settings", "viewer", board),
    Case("board_settings", "editor", board, lambda w, me: {"title": "Landing", "color": "3"}),
    Case("archive", "viewer", board),
    Case("activity", "viewer", board),
    Case("label", "editor", lambda w, me: [w.bug.pk], lambda w, me: {"name": "Fault", "color": "3"}),
    Case("label_deletion", "editor", lambda w, me: [w.bug.pk]),
    Case("label_deletion", "editor", lambda w, me: [w.bug.pk], lambda w, me: {}),
    Case("list", "viewer", lambda w, me: [w.todo.pk]),
    Case("list_title", "editor", lambda w, me: [w.todo.pk], lambda w, me: {"title": "Later"}),
    Case("list_limit", "editor", lambda w, me: [w.todo.pk], lambda w, me: {"limit": "3"}),
    Case("list_place", "editor", lambda w, me: [w.doing.pk], lambda w, me: {"direction": "left"}),
    Case("list_place", "editor", lambda w, me: [w.doing.pk], lambda w, me: {"before": w.todo.pk}),
    Case("list_copy", "editor", lambda w, me: [w.todo.pk], lambda w, me: {}),
    Case("list_order", "editor", lambda w, me: [w.todo.pk], lambda w, me: {"by": "title"}),
    Case("list_cards_archival", "editor", lambda w, me: [w.todo.pk], lambda w, me: {}),
    Case("list_cards_place", "editor", lambda w, me: [w.todo.pk], lambda w, me: {"list": w.doing.pk}),
    Case("list_done_archival", "editor", lambda w, me: [w.todo.pk], lambda w, me: {}),
    Case("list_collapse", "viewer", lambda w, me: [w.todo.pk], lambda w, me: {"collapsed": "1"}),
    Case("list_archival", "editor", lambda w, me: [w.todo.pk], lambda w, me: {"archived": "1"}),
    Case("list_archival", "editor", lambda w, me: [w.gone_list.pk], lambda w, me: {"archived": "0"}),
    Case("list_deletion", "owner", lambda w, me: [w.gone_list.pk]),
    Case("list_deletion", "owner", lambda w, me: [w.gone_list.pk], lambda w, me: {}),
    Case("list_cards", "viewer", lambda w, me: [w.todo.pk]),
    Case("list_cards", "editor", lambda w, me: [w.todo.pk], lambda w, me: {f"new-{w.todo.pk}": "New"}),
    Case("card", "viewer", card),
    Case("card_title", "editor", card, lambda w, me: {"title": "Firstly"}),
    Case("card_description", "editor", card, lambda w, me: {"description": "How", "version": w.board.version}),
    Case("former_description", "editor", lambda w, me: [w.card.pk, a_description(w)]),
    Case(
        "card_tick",
        "editor",
        lambda w, me: [w.done_card.pk],
        lambda w, me: {"version": w.board.version, "box": "1", "checked": "1"},
    ),
    Case("card_due", "editor", card, lambda w, me: {"due": "2030-01-02T03:04"}),
    Case("card_cover", "editor", card, lambda w, me: {"cover": "3"}),
    Case("card_recurrence", "editor", card, lambda w, me: {"recurrence": "weekly"}),
    Case("card_completion", "editor", card, lambda w, me: {"done": "1"}),
    Case("card_archival", "editor", card, lambda w, me: {"archived": "1"}),
    Case("card_archival", "editor", lambda w, me: [w.gone_card.pk], lambda w, me: {"archived": "0"}),
    Case("card_place", "editor", card, lambda w, me: {"list": w.doing.pk, "where": "top"}),
    Case("card_copy", "viewer", card),
    Case("card_copy", "editor", card, lambda w, me: {}),
    Case("card_deletion", "owner", lambda w, me: [w.gone_card.pk]),
    Case("card_deletion", "owner", lambda w, me: [w.gone_card.pk], lambda w, me: {}),
    Case("card_labels", "editor", card, lambda w, me: {"add": w.chore.pk}),
    Case("card_assignees", "editor", card, lambda w, me: {"add": w.will.pk}),
    Case("checklists", "viewer", card),
    Case("checklists", "editor", card, lambda w, me: {"title": "New"}),
    Case("card_changes", "viewer", card, query=lambda w, me: {"from": "1"}),
    Case("comments", "viewer", card),
    Case("comments", "editor", card, lambda w, me: {"text": "New"}),
    Case("checklist_title", "editor", lambda w, me: [w.steps.pk], lambda w, me: {"title": "Stages"}),
    Case("checklist_deletion", "editor", lambda w, me: [w.steps.pk], lambda w, me: {}),
    Case("items", "viewer", lambda w, me: [w.steps.pk]),
    Case("items", "editor", lambda w, me: [w.steps.pk], lambda w, me: {"text": "New"}),
    Case("item_text", "editor", lambda w, me: [w.item.pk], lambda w, me: {"text": "1"}),
    Case("item_completion", "editor", lambda w, me: [w.item.pk], lambda w, me: {"done": "1"}),
    Case("item_place", "editor", lambda w, me: [w.item.pk], lambda w, me: {"checklist": w.steps.pk, "where": "bottom"}),
    Case("item_card", "editor", lambda w, me: [w.item.pk], lambda w, me: {"text": "1"}),
    Case("item_deletion", "editor", lambda w, me: [w.item.pk], lambda w, me: {}),
    Case("comment", "editor", lambda w, me: [w.comment_of(me).pk], lambda w, me: {"text": "Better"}),
    Case("comment_deletion", "editor", lambda w, me: [w.comment_of(me).pk], lambda w, me: {}),
    Case("attachments", "editor", card, lambda w, me: {"file": SimpleUploadedFile("New.txt", b"New")}),
    Case("cover_picture", "editor", card, lambda w, me: {"attachment": str(w.picture.pk)}),
    Case("attachment", "viewer", picture),
    Case("attachment_preview", "viewer", picture),
    Case("attachment_thumbnail", "viewer", picture),
    Case("attachment_name", "editor", picture, lambda w, me: {"name": "Point.png"}),
    Case("attachment_deletion", "editor", picture, lambda w, me: {}),
]
SENT = [case for case in CASES if case.form is not None]
OPENED = [case for case in CASES if case.form is None]


@pytest.fixture(autouse=True)
def _no_limits(settings) -> None:
    """The table sends more forms than one address may in a minute."""
    settings.LIMITS = None


def test_the_table_names_every_address_with_each_method_that_it_takes():
    taken = {
        f"{method} {pattern.name}"
        for pattern, method in product(urls.urlpatterns, METHODS)
        if pattern.name not in OPEN_TO_ALL and takes(pattern, method)
    }
    assert {str(case) for case in CASES} == taken


def takes(pattern: URLPattern, method: str) -> bool:
    """Return whether the address accepts this method: a signed-out user then gets another answer than 405."""
    ids = {name: str(uuid7()) for name in pattern.pattern.converters}
    answer = browser().generic(method, reverse(pattern.name, kwargs=ids))
    assert answer.status_code in (302, 405)
    return answer.status_code == 302


@pytest.mark.parametrize("role", PEOPLE)
def test_each_role_may_do_what_the_table_says(every_address, world, subtests, role):
    """taskboard/tests/test_every_address.py tries the same without scripts, with everybody there can be."""
    user = getattr(world, PEOPLE[role])
    client = browser(user)
    for case in CASES:
        with subtests.test(address=str(case)), taken_back():
            answer = case.ask(world, user, client=copy_of(client), **SCRIPTED)
            if may(role, case.needs):
                assert answer.status_code in (200, 204, 302)
            elif RANK[role] == 0 or RANK[case.needs] <= RANK[role]:
                assert answer.status_code == 404
            else:
                assert answer.status_code == 403


def test_a_refused_request_changes_nothing(every_address, world, subtests):
    clients = {user: browser(user) for user in (world.stan, world.vera)}
    for case in SENT:
        for user in (world.stan, *([world.vera] if RANK[case.needs] > RANK["viewer"] else [])):
            before = Activity.objects.count()
            with subtests.test(address=case.name, user=user.name), taken_back():
                case.ask(world, user, client=copy_of(clients[user]))
                assert Activity.objects.count() == before


def test_malformed_unknown_and_foreign_ids_get_the_same_answer(every_address, world, subtests):
    client = browser(world.stan)
    for case in CASES:
        ids = case.ids(world, world.stan)
        with subtests.test(address=str(case)), taken_back():
            foreign = case.ask(world, world.stan, client=copy_of(client))
            assert foreign.status_code == 404
            for wrong in ("1", "UPPER", str(uuid7()), str(ids[0]).upper()):
                answer = case.ask(world, world.stan, [wrong, *ids[1:]], client=copy_of(client))
                assert (answer.status_code, without_tokens(answer)) == (404, without_tokens(foreign))


def test_changes_on_an_archived_board_are_answered_404(every_address, world, subtests):
    with taken_back():
        browser(world.olga).post(f"/board/{world.board.pk}/archival", {"archived": "1"})
        for case in SENT:
            if case.name not in ("board_archival", "board_deletion", "member_removal"):
                with subtests.test(address=case.name):
                    assert case.ask(world, world.olga).status_code == 404
        for address in (f"/list/{world.gone_list.pk}/deletion", f"/label/{world.bug.pk}/deletion"):
            assert browser(world.olga).get(address).status_code == 404


def test_a_signed_out_user_is_asked_to_sign_in_and_comes_back(every_address, world, subtests):
    for case in OPENED:
        with subtests.test(address=case.name):
            address = case.address(world, world.olga)
            answer = browser().get(address)
            assert (answer.status_code, answer.url) == (302, f"/sign-in?next={quote(address)}")


def test_a_user_signed_out_meanwhile_comes_back_to_the_page_of_the_form(every_address, world, subtests):
    page = f"/board/{world.board.pk}?card={world.card.pk}"
    for case in SENT:
        with subtests.test(address=case.name):
            answer = case.ask(world, world.olga, client=browser(), HTTP_REFERER=f"http://testserver{page}")
            assert (answer.status_code, answer.url) == (
                302,
                f"/sign-in?next=/board/{world.board.pk}%3Fcard%3D{world.card.pk}",
            )


def test_sign_in_does_not_redirect_to_a_page_of_another_site(world):
    answer = browser().post(f"/card/{world.card.pk}/title", {}, HTTP_REFERER="https://evil.example/board/1")
    assert answer.url == "/sign-in?next=/"


def test_a_script_is_told_of_a_sign_out_and_the_fields_keep_their_text(every_address, world, subtests):
    for case in SENT:
        with subtests.test(address=case.name):
            answer = case.ask(world, world.olga, client=browser(), **SCRIPTED)
            assert answer.status_code == 401
            assert "sign in from another tab" in text_of(answer).lower()


def test_every_form_needs_a_csrf_token(every_address, world, subtests):
    client = browser(world.olga, enforce_csrf_checks=True)
    for case in SENT:
        with subtests.test(address=case.name):
            assert case.ask(world, world.olga, client=client).status_code == 403


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_an_address_changes_nothing(every_address, world, subtests, method):
    addresses = [(case, case.address(world, world.olga)) for case in CASES]
    before, client = Activity.objects.count(), browser(world.olga)
    for case, address in addresses:
        with subtests.test(address=case.name):
            answer = read(getattr(copy_of(client), method)(address))
            assert answer.status_code in (200, 302, 404, 405)
    assert Activity.objects.count() == before


@pytest.fixture
def elsewhere(world):
    """Return the ids of things on a board of Stan's."""
    actor = web(world.stan)
    board = create_board(actor=actor, title="Stan's")
    row = create_list(actor=actor, board_id=board.pk, title="List")
    made = create_card(actor=actor, list_id=row.pk, title="Card")
    label = create_label(actor=actor, board_id=board.pk, name="Label")
    return {"board": board.pk, "list": row.pk, "card": made.pk, "label": label.pk, "user": world.stan.pk}


@pytest.mark.parametrize(
    "part, form",
    [
        ("place", lambda ids: {"list": ids["list"], "where": "top"}),
        ("place", lambda ids: {"before": ids["card"]}),
        ("labels", lambda ids: {"add": ids["label"]}),
        ("labels", lambda ids: {"remove": ids["label"]}),
        ("assignees", lambda ids: {"add": ids["user"]}),
    ],
)
def test_a_form_cannot_name_a_thing_on_a_foreign_board(world, elsewhere, part, form):
    before = Activity.objects.count()
    assert browser(world.ed).post(f"/card/{world.card.pk}/{part}", form(elsewhere)).status_code == 404
    assert Activity.objects.count() == before


def test_a_foreign_card_is_not_shown_over_a_users_own_board(world, elsewhere):
    assert browser(world.ed).get(f"/board/{world.board.pk}?card={elsewhere['card']}").status_code == 404
    assert browser(world.stan).get(f"/board/{elsewhere['board']}?card={world.card.pk}").status_code == 404


def test_a_card_of_another_own_board_is_not_shown_over_this_board(world):
    actor = web(world.ed)
    other = create_board(actor=actor, title="Other")
    row = create_list(actor=actor, board_id=other.pk, title="List")
    made = create_card(actor=actor, list_id=row.pk, title="Card")
    assert browser(world.ed).get(f"/board/{world.board.pk}?card={made.pk}").status_code == 404


def test_only_its_author_edits_a_comment(world):
    mine = world.comments[world.ed]
    assert browser(world.olga).post(f"/comment/{mine.pk}", {"text": "Put into his mouth"}).status_code == 403


def test_the_owner_deletes_any_comment_but_an_editor_only_their_own(world):
    with taken_back():
        assert browser(world.olga).post(f"/comment/{world.comments[world.ed].pk}/deletion").status_code == 302
    assert browser(world.ed).post(f"/comment/{world.comments[world.olga].pk}/deletion").status_code == 403


def test_a_card_that_is_not_archived_is_not_deleted(world):
    assert browser(world.olga).post(f"/card/{world.card.pk}/deletion").status_code == 409
    archive_card(actor=web(world.olga), card_id=world.card.pk)
    assert browser(world.olga).post(f"/card/{world.card.pk}/deletion").status_code == 302
