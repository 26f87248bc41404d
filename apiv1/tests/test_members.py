"""Members of a board over REST."""

import pytest
from django.core import mail

from apiv1.tests.calls import is_refused, token_of
from boards.actions.boards.board import archive_board
from boards.actions.cards.assignments import assign
from boards.models import Assignment, Invitation, Membership
from conftest import person, run_jobs, web
from notifications.models import Notification
from security.models import SecurityEvent


@pytest.fixture
def path(board):
    return f"/api/v1/boards/{board.pk}/members"


def roles(board):
    return {row.user.name: row.role for row in Membership.objects.filter(board=board).select_related("user")}


def test_members_are_shown_by_name_and_role_without_addresses(as_vera, path, olga, ed, vera):
    shown = as_vera.get(path)
    assert shown.json()["members"] == [
        {"id": str(olga.pk), "name": "Olga", "role": "owner"},
        {"id": str(ed.pk), "name": "Ed", "role": "editor"},
        {"id": str(vera.pk), "name": "Vera", "role": "viewer"},
    ]
    assert "@" not in shown.text


def test_an_invitation_is_answered_the_same_whether_an_account_has_the_address_or_not(as_olga, path, stan, board):
    answers = [as_olga.post(path, json={"email": address}) for address in ("Stan@example.com", "Nora@example.com")]
    shown = [answer.json()["invitation"] for answer in answers]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [one["email"] for one in shown] == ["stan@example.com", "nora@example.com"]
    assert [{**one, "id": "", "email": "", "createdAt": "", "expiresAt": ""} for one in shown] == [
        {"id": "", "email": "", "role": "editor", "createdAt": "", "expiresAt": ""}
    ] * 2
    assert "Stan" not in roles(board)


def test_the_invited_person_is_told_and_the_security_log_says_so(as_olga, path, stan):
    assert as_olga.post(path, json={"email": stan.email, "role": "viewer"}).json()["invitation"]["role"] == "viewer"
    run_jobs()
    assert Notification.objects.filter(user=stan).count() == 1
    assert SecurityEvent.objects.filter(kind="invited").count() == 1
    assert Invitation.objects.get().role == "viewer"


@pytest.mark.parametrize(
    "sent, word",
    [
        ({}, "email"),
        ({"email": "stan"}, "email"),
        ({"email": 7}, "email"),
        ({"email": "stan@example.com", "role": "owner"}, "transfer"),
        ({"email": "stan@example.com", "role": ["viewer"]}, "role"),
        ({"email": "stan@example.com", "name": "Stan"}, "'name'"),
    ],
)
def test_a_wrong_invitation_is_refused(as_olga, path, sent, word):
    assert is_refused(as_olga.post(path, json=sent), 400, word)
    assert not Invitation.objects.exists()


def test_who_is_invited_or_a_member_already_is_a_conflict(as_olga, path, ed):
    assert as_olga.post(path, json={"email": "nora@example.com"}).status_code == 201
    assert is_refused(as_olga.post(path, json={"email": "nora@example.com"}), 409, "already")
    assert is_refused(as_olga.post(path, json={"email": ed.email}), 409, "already")


def test_only_the_owner_invites(as_ed, as_vera, as_stan, path):
    body = {"email": "nora@example.com"}
    assert is_refused(as_ed.post(path, json=body), 403)
    assert is_refused(as_vera.post(path, json=body), 403)
    assert is_refused(as_stan.post(path, json=body), 404)
    assert not Invitation.objects.exists()
    run_jobs()
    assert mail.outbox == []


def test_a_repeated_invitation_is_made_once(as_olga, path):
    body = {"email": "nora@example.com"}
    answers = [as_olga.post(path, json=body, headers={"Idempotency-Key": "one"}) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert Invitation.objects.count() == 1


def test_the_owner_changes_a_role(as_olga, board, path, vera):
    changed = as_olga.patch(f"{path}/{vera.pk}", json={"role": "editor"})
    assert changed.status_code == 200
    assert changed.json() == {"member": {"id": str(vera.pk), "name": "Vera", "role": "editor"}}
    version = as_olga.get(f"/api/v1/boards/{board.pk}").json()["board"]["version"]
    for same in ({}, {"role": "editor"}):
        assert as_olga.patch(f"{path}/{vera.pk}", json=same).json() == changed.json()
    assert as_olga.get(f"/api/v1/boards/{board.pk}").json()["board"]["version"] == version


@pytest.mark.parametrize(
    "role, word", [("owner", "transfer"), ("admin", "viewer or editor"), (None, "null"), (1, "role")]
)
def test_only_a_role_that_can_be_given_is_taken(as_olga, board, path, vera, role, word):
    assert is_refused(as_olga.patch(f"{path}/{vera.pk}", json={"role": role}), 400, word)
    assert roles(board)["Vera"] == "viewer"


def test_the_owners_role_stays(as_olga, board, path, olga):
    assert is_refused(as_olga.patch(f"{path}/{olga.pk}", json={"role": "editor"}), 409, "transferred")
    assert roles(board)["Olga"] == "owner"


def test_only_the_owner_changes_roles(as_ed, as_vera, as_stan, board, path, ed, vera):
    assert is_refused(as_ed.patch(f"{path}/{vera.pk}", json={"role": "editor"}), 403)
    assert is_refused(as_ed.patch(f"{path}/{ed.pk}", json={"role": "viewer"}), 403)
    assert is_refused(as_vera.patch(f"{path}/{vera.pk}", json={}), 403)
    assert is_refused(as_stan.patch(f"{path}/{vera.pk}", json={"role": "editor"}), 404)
    assert roles(board) == {"Olga": "owner", "Ed": "editor", "Vera": "viewer"}


def test_the_owner_removes_a_member(as_olga, as_ed, olga, board, card, path, ed):
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    assert as_olga.delete(f"{path}/{ed.pk}").status_code == 204
    assert "Ed" not in roles(board)
    assert not Assignment.objects.exists()
    assert is_refused(as_ed.get(path), 404)
    assert is_refused(as_olga.delete(f"{path}/{ed.pk}"), 404)


def test_members_leave(as_vera, board, path, vera):
    assert as_vera.delete(f"{path}/{vera.pk}").status_code == 204
    assert "Vera" not in roles(board)
    assert is_refused(as_vera.get(path), 404)


def test_the_owner_cannot_leave(as_olga, board, path, olga):
    assert is_refused(as_olga.delete(f"{path}/{olga.pk}"), 409, "Transfer")
    assert roles(board)["Olga"] == "owner"


def test_editors_remove_nobody_else(as_ed, as_stan, board, path, vera, olga):
    assert is_refused(as_ed.delete(f"{path}/{vera.pk}"), 403)
    assert is_refused(as_ed.delete(f"{path}/{olga.pk}"), 403)
    assert is_refused(as_stan.delete(f"{path}/{vera.pk}"), 404)
    assert len(roles(board)) == 3


def test_who_is_no_member_is_not_found(as_olga, path, stan):
    for wrong in (stan.pk, "x", "00000000-0000-7000-8000-000000000000"):
        assert is_refused(as_olga.patch(f"{path}/{wrong}", json={"role": "editor"}), 404)
        assert is_refused(as_olga.delete(f"{path}/{wrong}"), 404)


def test_members_have_no_pages_and_no_versions(as_olga, path, vera):
    assert is_refused(as_olga.get(f"{path}?cursor=x"), 400, "cursor")
    assert is_refused(as_olga.get(f"{path}/{vera.pk}"), 405)
    assert is_refused(as_olga.delete(f"{path}/{vera.pk}", headers={"If-Match": '"1"'}), 400, "If-Match")


def test_of_an_archived_board_members_are_read_and_not_changed(as_olga, as_ed, olga, board, path, ed, vera):
    archive_board(actor=web(olga), board_id=board.pk)
    assert len(as_olga.get(path).json()["members"]) == 3
    assert is_refused(as_olga.post(path, json={"email": "nora@example.com"}), 409, "archived")
    assert is_refused(as_olga.patch(f"{path}/{vera.pk}", json={"role": "editor"}), 409, "archived")
    assert is_refused(as_olga.delete(f"{path}/{vera.pk}"), 409, "archived")
    assert is_refused(as_ed.delete(f"{path}/{ed.pk}"), 409, "archived")


@pytest.mark.parametrize("number", [2, 40])
def test_reading_members_takes_four_statements(connect, vera, board, path, statements, number):
    people = [person(f"p{count}") for count in range(number)]
    Membership.objects.bulk_create(Membership(board=board, user=user, role="viewer") for user in people)
    client = connect(token_of(vera))
    statements.clear()
    assert len(client.get(path).json()["members"]) == number + 3
    assert len(statements) == 4, statements
