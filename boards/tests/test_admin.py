"""Operators see boards in the admin, and act on them there."""

import re
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from boards.access import not_found
from boards.actions.boards.board import archive_board, create_board, delete_board, restore_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment, delete_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.files.attachments import attach_file
from boards.actions.lists.list import create_list
from boards.actions.people.groups import follow_groups, give_group
from boards.actions.people.handover import offer_board
from boards.actions.people.members import remove_member
from boards.actions.sharing.invitation_links import create_invitation_link
from boards.actions.sharing.invitations import invite_member
from boards.actions.sharing.public_links import create_public_link
from boards.actor import Actor
from boards.errors import NotAllowed, NotFound
from boards.models import (
    Activity,
    Board,
    BoardGroup,
    BoardView,
    Card,
    Comment,
    GroupMembership,
    Invitation,
    InvitationLink,
    InvitationMail,
    InvitationStop,
    Membership,
    Offer,
    OwnerActivity,
    OwnTemplate,
    PublicLink,
    Renumbering,
    StoredFile,
    Use,
)
from boards.models.verbs import Door
from boards.tests.world import a_picture, in_a_week
from conftest import join, person, run_jobs, web
from security.models import SecurityEvent
from taskboard.tests.admin_pages import INLINE, act, page, said

KEPT_FOR_ONESELF = {BoardView, OwnTemplate}  # what a member keeps for themselves is no operator's business
# Digests of addresses, of no board: nobody finds an address by one, and a guessed one would tell who stopped the mails
DIGESTS = {InvitationMail, InvitationStop}
PRIVATE = KEPT_FOR_ONESELF | DIGESTS | {Renumbering}  # the last is nothing that somebody did
MODELS = [model for model in apps.get_app_config("boards").get_models() if model not in PRIVATE]


def allow(user, *codenames):
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="boards", codename__in=codenames))


@pytest.fixture
def operator(client, otto):
    client.force_login(otto)
    return client


@pytest.fixture
def helper(db):
    """A member of staff with only the permissions that a test gives."""
    return person("hal", is_staff=True)


@pytest.fixture
def comment(card, ed):
    return add_comment(actor=web(ed), card_id=card.pk, text="Buy my pills")


@pytest.fixture
def repeated(todo, olga):
    """The next occurrence of a card: after `grow`, none of its relations is empty."""
    due = datetime(2026, 3, 1, tzinfo=UTC)
    first = create_card(actor=web(olga), list_id=todo.pk, title="Water the plants", due_at=due, recurrence="weekly")
    return archive_card(actor=web(olga), card_id=first.pk).next


def operates():
    operator, _made = User.objects.get_or_create(email="oscar@example.com", is_staff=True, is_superuser=True)
    return Actor(operator, door=Door.ADMIN)


def grow(board, card, times):
    """Add more of everything: on this board, on this card, and other boards of other users."""
    owner = web(board.memberships.get(role="owner").user)
    create_public_link(actor=owner, board_id=board.pk)
    for _time in range(times):
        number = board.memberships.count()
        someone = person(f"someone{number}")
        theirs = create_board(actor=web(someone), title=f"Board {number}", template="kanban")
        join(someone, board)
        join(owner.user, theirs)
        offer_board(actor=owner, board_id=board.pk, user_id=someone.pk)
        offer_board(actor=web(someone), board_id=theirs.pk, user_id=owner.user.pk)
        invite_member(actor=owner, board_id=board.pk, email=f"invited{number}@example.com")
        create_invitation_link(actor=owner, board_id=board.pk, expires_at=in_a_week())
        create_public_link(actor=web(someone), board_id=theirs.pk)
        give_group(actor=operates(), board_id=board.pk, group=f"group{number}", role="viewer")
        follow_groups(person(f"grouped{number}"), [f"group{number}"])
        label = create_label(actor=owner, board_id=board.pk, name=f"Label {number}")
        add_label(actor=owner, card_id=card.pk, label_id=label.pk)
        assign(actor=owner, card_id=card.pk, user_id=someone.pk)
        checklist = create_checklist(actor=owner, card_id=card.pk, title=f"Checklist {number}")
        add_item(actor=owner, checklist_id=checklist.pk, text=f"Item {number}")
        add_comment(actor=web(someone), card_id=card.pk, text=f"Comment {number}")
        attach_file(actor=owner, card_id=card.pk, stored=a_picture(), file_name=f"Picture {number}.png")
        created = create_list(actor=owner, board_id=board.pk, title=f"List {number}")
        made = create_card(actor=owner, list_id=created.pk, title=f"Card {number}", description="First")
        update_card(actor=owner, card_id=made.pk, description="Second")
        gone = create_board(actor=owner, title=f"Gone {number}")
        delete_board(actor=owner, board_id=gone.pk)


def statements(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def lists_and_pages(**chosen):
    """Return the addresses of each model's list and of the page of one of its rows."""
    rows = [chosen.get(model.__name__) or model._default_manager.order_by("pk").first() for model in MODELS]
    return [address for row in rows for address in (page(type(row), "changelist"), page(type(row), "change", row.pk))]


def test_lists_and_pages_take_the_same_number_of_statements_for_any_number_of_rows(
    every_address, operator, board, repeated
):
    grow(board, repeated, 2)
    addresses = lists_and_pages(Card=repeated)
    [statements(operator, address) for address in addresses]  # fills the cache of content types
    before = {address: statements(operator, address) for address in addresses}
    grow(board, repeated, 4)
    assert {address: statements(operator, address) for address in addresses} == before


def test_rows_of_boards_cannot_be_added_changed_or_deleted_by_hand(every_address, operator, board, repeated):
    grow(board, repeated, 1)
    for model in set(MODELS) - {BoardGroup}:
        one = model._default_manager.first()
        for address in (page(model, "add"), page(model, "change", one.pk), page(model, "delete", one.pk)):
            assert operator.post(address, {"title": "Changed", "post": "yes"}).status_code == 403, address
        assert model._default_manager.filter(pk=one.pk).exists()


def test_pages_need_no_exception_from_the_content_security_policy(every_address, operator, board, repeated):
    grow(board, repeated, 1)
    for address in lists_and_pages():
        response = operator.get(address)
        assert {"script-src 'self'", "style-src 'self'"} <= set(response["Content-Security-Policy"].split("; "))
        assert not INLINE.findall(response.text), address


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_staff_without_the_permission_see_nothing(every_address, client, helper, model):
    client.force_login(helper)
    assert client.get(page(model, "changelist")).status_code == 403


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_list_can_be_searched(operator, model, board, repeated):
    grow(board, repeated, 1)
    assert operator.get(page(model, "changelist"), {"q": "no such thing"}).context["cl"].result_count == 0


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(
    "model", [m for m in MODELS if m not in (Board, StoredFile, Use)], ids=lambda model: model.__name__
)
def test_searching_for_the_id_of_a_board_shows_what_is_on_it(operator, model, board, repeated, stan):
    grow(board, repeated, 1)
    elsewhere = create_board(actor=web(stan), title="Elsewhere", template="kanban")
    gone = OwnerActivity.objects.get()
    wanted = gone.board_id if model is OwnerActivity else board.pk
    found = operator.get(page(model, "changelist"), {"q": str(wanted)}).context["cl"].result_list
    assert {getattr(row, "activity", row).board_id for row in found} == {wanted}
    assert Activity.objects.filter(board=elsewhere).exists()


def test_a_board_is_found_by_its_owner_and_by_its_id(operator, board, stan):
    create_board(actor=web(stan), title="Elsewhere")
    for wanted in ("olga@example.com", str(board.pk), "laun"):
        found = operator.get(page(Board, "changelist"), {"q": wanted}).context["cl"].result_list
        assert [row.pk for row in found] == [board.pk]


def test_boards_of_an_account_are_found_by_its_id(operator, board, vera, stan):
    create_board(actor=web(stan), title="Elsewhere")
    found = operator.get(page(Board, "changelist"), {"q": str(vera.pk)}).context["cl"].result_list
    assert [row.pk for row in found] == [board.pk]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(("chosen", "titles"), [("0", ["Put away"]), ("1", ["Launch"])])
def test_archived_boards_are_filtered(operator, board, olga, chosen, titles):
    archived = create_board(actor=web(olga), title="Put away")
    archive_board(actor=web(olga), board_id=archived.pk)
    response = operator.get(page(Board, "changelist"), {"archived_at__isempty": chosen})
    assert [row.title for row in response.context["cl"].result_list] == titles


def test_the_next_occurrence_links_to_the_card_it_follows(operator, repeated):
    text = operator.get(page(Card, "change", repeated.pk)).text
    assert f'<a href="{page(Card, "change", repeated.repeats_id)}">#1 Water the plants</a>' in text


def test_the_page_of_a_board_links_to_its_rows(operator, board):
    text = operator.get(page(Board, "change", board.pk)).text
    assert f'href="{page(Card, "changelist")}?q={board.pk}"' in text
    assert "olga@example.com" in text


def test_the_description_of_a_card_is_shown_as_markdown(operator, todo, olga):
    card = create_card(actor=web(olga), list_id=todo.pk, title="Plain", description="Read **this** first")
    assert "Read **this** first" in operator.get(page(Card, "change", card.pk)).text


def test_operator_archives_a_board_and_the_history_says_who(operator, otto, board):
    response = act(operator, "archive", board)
    board.refresh_from_db()
    latest = Activity.objects.filter(board=board).first()
    assert board.archived_at is not None
    assert (latest.verb, latest.user, latest.door) == ("board.archived", otto, Door.ADMIN)
    assert said(response) == ["1 board archived."]
    assert LogEntry.objects.get().get_change_message() == "Archived."


def test_archiving_an_archived_board_records_nothing_further(operator, board):
    act(operator, "archive", board)
    version = Board.objects.get(pk=board.pk).version
    act(operator, "archive", board)
    assert Board.objects.get(pk=board.pk).version == version


def test_operator_restores_a_board(operator, board, olga):
    archive_board(actor=web(olga), board_id=board.pk)
    assert said(act(operator, "restore", board)) == ["1 board restored."]
    board.refresh_from_db()
    assert board.archived_at is None


def test_restoring_is_refused_at_the_cap_of_the_owner(operator, board, olga):
    archive_board(actor=web(olga), board_id=board.pk)
    for number in range(10):
        create_board(actor=web(olga), title=f"Board {number}")
    response = act(operator, "restore", board)
    board.refresh_from_db()
    assert board.archived_at is not None
    assert said(response) == [
        "“Launch”: The owner's plan allows no more boards. Change the plan, or archive another board first."
    ]


def test_restoring_does_not_ask_for_room_in_the_plan_of_the_operator(operator, otto, board, olga):
    archive_board(actor=web(olga), board_id=board.pk)
    for number in range(10):
        create_board(actor=web(otto), title=f"Board {number}")
    act(operator, "restore", board)
    board.refresh_from_db()
    assert board.archived_at is None


def test_deleting_a_board_asks_first_and_says_what_is_deleted(operator, board, card, comment):
    response = act(operator, "delete_selected", board)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.text))
    assert "Launch" in text
    assert "Boards: 1 Lists: 1 Cards: 1 Comments: 1" in text
    assert Board.objects.filter(pk=board.pk).exists()


def test_operator_deletes_a_board_permanently_and_the_log_keeps_that(operator, otto, board, card):
    response = act(operator, "delete_selected", board, post="yes")
    assert said(response) == ["1 board deleted."]
    assert not Board.objects.filter(pk=board.pk).exists()
    entry = LogEntry.objects.get()
    assert (entry.user, entry.action_flag, entry.object_repr) == (otto, DELETION, "Launch")
    assert "Launch" in operator.get(page(LogEntry, "changelist")).text


def test_the_security_log_has_a_board_that_an_operator_deletes(operator, otto, board, olga):
    act(operator, "delete_selected", board, post="yes")
    event = SecurityEvent.objects.get(kind="board-deleted")
    assert (event.user, event.by, event.address) == (olga, otto, "127.0.0.1")
    assert event.details == {"board": str(board.pk), "title": "Launch"}


def test_a_deletion_that_is_refused_is_not_in_the_security_log(client, helper, board):
    allow(helper, "change_board")
    client.force_login(helper)
    act(client, "delete_selected", board, post="yes")
    assert not SecurityEvent.objects.filter(kind="board-deleted").exists()


def test_a_board_that_vanished_meanwhile_is_not_in_the_security_log(operator, board, monkeypatch):
    def gone(**named):
        raise not_found()

    monkeypatch.setattr("boards.admin.boards.delete_board", gone)
    act(operator, "delete_selected", board, post="yes")
    assert not SecurityEvent.objects.filter(kind="board-deleted").exists()


def test_too_many_boards_are_not_deleted_at_once(operator, board, monkeypatch):
    monkeypatch.setattr("boards.admin.operating.DELETED_AT_ONCE", 0)
    assert said(act(operator, "delete_selected", board)) == ["Choose at most 0 at a time to delete permanently."]


def test_operator_archives_and_restores_a_card(operator, otto, card):
    assert said(act(operator, "archive", card)) == ["1 card archived."]
    card.refresh_from_db()
    assert card.archived_at is not None
    assert Activity.objects.filter(card_id=card.pk).first().user == otto
    assert "1 card restored." in said(act(operator, "restore", card))
    card.refresh_from_db()
    assert card.archived_at is None


def test_a_card_on_an_archived_board_is_refused_with_a_reason_and_the_others_are_archived(operator, card, olga, stan):
    other_board = create_board(actor=web(stan), title="Elsewhere", template="kanban")
    other = create_card(actor=web(stan), board_id=other_board.pk, title="Still open")
    archive_board(actor=web(olga), board_id=card.board_id)
    response = act(operator, "archive", card, other)
    card.refresh_from_db()
    other.refresh_from_db()
    assert (card.archived_at, other.archived_at is None) == (None, False)
    assert said(response) == [
        "1 card archived.",
        "“Write the announcement”: This no longer exists, or its board is archived. Restore the board first.",
    ]


def test_of_many_refused_rows_only_a_few_are_named(operator, todo, olga):
    cards = [create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}") for number in range(7)]
    archive_board(actor=web(olga), board_id=todo.board_id)
    (message,) = said(act(operator, "archive", *cards))
    assert message.startswith("“Card 6”, “Card 5”, “Card 4”, “Card 3”, “Card 2” and 2 more: ")


def test_operator_deletes_a_comment_after_being_asked(operator, otto, comment):
    assert "Buy my pills" in act(operator, "delete_selected", comment).text
    assert Comment.objects.filter(pk=comment.pk).exists()
    assert said(act(operator, "delete_selected", comment, post="yes")) == ["1 comment deleted."]
    assert not Comment.objects.filter(pk=comment.pk).exists()
    assert Activity.objects.filter(verb="comment.deleted", user=otto, door=Door.ADMIN).exists()


def test_staff_who_may_only_view_are_offered_no_action(client, helper, board):
    allow(helper, "view_board")
    client.force_login(helper)
    assert client.get(page(Board, "changelist")).context["action_form"] is None
    for action in ("archive", "restore", "delete_selected"):
        act(client, action, board, post="yes")
    assert Board.objects.get(pk=board.pk).version == board.version


def test_staff_who_may_change_boards_archive_them_but_delete_none(client, helper, board):
    allow(helper, "change_board")
    client.force_login(helper)
    act(client, "delete_selected", board, post="yes")
    assert said(act(client, "archive", board))[-1] == "1 board archived."
    assert Board.objects.get(pk=board.pk).archived_at is not None


def test_staff_who_may_change_cards_archive_them(client, helper, card):
    allow(helper, "change_card")
    client.force_login(helper)
    assert said(act(client, "archive", card)) == ["1 card archived."]


def test_an_operator_has_the_owners_role_in_the_admin_and_in_commands_only(otto, board, comment):
    for door in set(Door) - {Door.ADMIN, Door.COMMAND}:
        for action, row in ((archive_board, "board_id"), (restore_board, "board_id"), (delete_board, "board_id")):
            with pytest.raises(NotFound):
                action(actor=Actor(otto, door=door), **{row: board.pk})
        with pytest.raises(NotFound):
            delete_comment(actor=Actor(otto, door=door), comment_id=comment.pk)
    assert archive_board(actor=Actor(otto, door=Door.ADMIN), board_id=board.pk).archived_at is not None
    assert restore_board(actor=Actor(otto, door=Door.COMMAND), board_id=board.pk).archived_at is None


def test_an_operator_who_is_a_member_has_the_members_role_at_other_doors(otto, board):
    Membership.objects.create(board=board, user=otto, role="viewer")
    with pytest.raises(NotAllowed):
        archive_board(actor=web(otto), board_id=board.pk)


def test_the_admins_door_gives_nothing_to_users_who_are_not_operators(board, stan, vera):
    with pytest.raises(NotFound):
        archive_board(actor=Actor(stan, door=Door.ADMIN), board_id=board.pk)
    with pytest.raises(NotAllowed):
        archive_board(actor=Actor(vera, door=Door.ADMIN), board_id=board.pk)


def test_the_admins_door_needs_staff_with_the_permission_and_an_active_account(board, card, stan, helper, otto):
    allow(stan, "change_board")
    allow(helper, "change_card")
    otto.is_active = False
    otto.save()
    for user in (stan, helper, otto):
        with pytest.raises(NotFound):
            archive_board(actor=Actor(user, door=Door.ADMIN), board_id=board.pk)
    assert archive_card(actor=Actor(helper, door=Door.ADMIN), card_id=card.pk).card.archived_at is not None


def test_operator_gives_a_group_a_board_changes_its_role_and_withdraws_it(operator, otto, board, stan):
    answer = operator.post(page(BoardGroup, "add"), {"board": board.pk, "group": " crew ", "role": "viewer"})
    assert answer.status_code == 302
    given = BoardGroup.objects.get()
    assert (given.board, given.group, given.role) == (board, "crew", "viewer")
    follow_groups(stan, ["crew"])
    assert "crew" in operator.get(page(GroupMembership, "changelist")).text
    operator.post(page(BoardGroup, "change", given.pk), {"role": "editor"})
    act(operator, "withdraw", given)
    run_jobs()
    verbs = Activity.objects.filter(board=board, user=otto).order_by("version").values_list("verb", flat=True)
    assert list(verbs) == ["group.added", "group.changed", "group.removed", "member.removed"]
    assert not Membership.objects.filter(board=board, user=stan).exists()


def test_a_group_of_an_archived_board_is_refused_in_words(operator, board, olga):
    archive_board(actor=web(olga), board_id=board.pk)
    answer = operator.post(page(BoardGroup, "add"), {"board": board.pk, "group": "crew", "role": "viewer"}, follow=True)
    assert "Restore the board first" in answer.text
    assert not BoardGroup.objects.exists()


def test_operator_lets_somebody_join_again_who_left(operator, board, stan):
    give_group(actor=operates(), board_id=board.pk, group="crew", role="viewer")
    follow_groups(stan, ["crew"])
    note = GroupMembership.objects.get()
    assert "This person is already a member." in said(act(operator, "readmit", note))[0]
    remove_member(actor=web(stan), board_id=board.pk, user_id=stan.pk)
    assert said(act(operator, "readmit", note))[-1] == "1 person joins again at their next sign-in."
    follow_groups(stan, ["crew"])
    assert Membership.objects.filter(board=board, user=stan).exists()


def test_operator_withdraws_an_invitation(operator, board, olga):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email="new@example.com")
    assert said(act(operator, "withdraw", invitation)) == ["1 invitation withdrawn."]
    assert not Invitation.objects.exists()
    assert LogEntry.objects.get().get_change_message() == "Withdrawn."


def test_operator_withdraws_an_invitation_link_and_never_sees_its_digest(operator, otto, board, olga):
    link, _key = create_invitation_link(actor=web(olga), board_id=board.pk, expires_at=in_a_week())
    assert link.digest not in operator.get(page(InvitationLink, "change", link.pk)).content.decode()
    assert said(act(operator, "withdraw", link)) == ["1 invitation link withdrawn."]
    assert not InvitationLink.objects.exists()
    latest = Activity.objects.filter(board=board).first()
    assert (latest.verb, latest.user) == ("invitation_link.withdrawn", otto)


def test_operator_switches_a_public_link_off_and_never_sees_what_opens_it(operator, otto, board, olga):
    link = create_public_link(actor=web(olga), board_id=board.pk, password="correct horse")
    for address in (page(PublicLink, "changelist"), page(PublicLink, "change", link.pk)):
        text = operator.get(address).text
        assert not [secret for secret in (link.key, link.digest, link.nonce, link.password) if secret in text]
    assert said(act(operator, "withdraw", link)) == ["1 public link turned off."]
    assert not PublicLink.objects.exists()
    latest = Activity.objects.filter(board=board).first()
    assert (latest.verb, latest.user, latest.door) == ("link.withdrawn", otto, Door.ADMIN)


def test_staff_who_may_change_public_links_switch_them_off(client, helper, board, olga):
    link = create_public_link(actor=web(olga), board_id=board.pk)
    client.force_login(helper)
    allow(helper, "view_publiclink")
    act(client, "withdraw", link)
    assert PublicLink.objects.exists()
    allow(helper, "change_publiclink")
    assert said(act(client, "withdraw", link)) == ["1 public link turned off."]
    assert not PublicLink.objects.exists()


def test_operator_withdraws_an_offer_and_the_history_says_who(operator, otto, board, olga, ed):
    offer_board(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    assert said(act(operator, "withdraw", Offer.objects.get())) == ["1 offer withdrawn."]
    assert not Offer.objects.exists()
    latest = Activity.objects.filter(board=board).first()
    assert (latest.verb, latest.user, latest.door) == ("offer.withdrawn", otto, Door.ADMIN)


def test_staff_who_may_only_view_invitations_withdraw_none(client, helper, board, olga):
    invitation = invite_member(actor=web(olga), board_id=board.pk, email="new@example.com")
    allow(helper, "view_invitation")
    client.force_login(helper)
    act(client, "withdraw", invitation)
    assert Invitation.objects.exists()


def test_every_model_of_boards_is_in_the_admin_but_private_ones():
    assert [model for model in MODELS if not admin.site.is_registered(model)] == []
    assert not any(admin.site.is_registered(model) for model in PRIVATE)
