"""Operators delete an account in the admin, by the same rules as its owner."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from boards.models import Board
from conftest import person, run_jobs
from security.models import EventKind, SecurityEvent

LIST = "/admin/accounts/user/"


@pytest.fixture
def admin(client: Client, otto: User) -> Client:
    client.force_login(otto)
    return client


def ask(admin: Client, *users: User, **fields: str):
    return admin.post(LIST, {"action": "delete_account", "_selected_action": [user.pk for user in users], **fields})


def is_there(user: User) -> bool:
    return User.objects.filter(pk=user.pk, is_active=True).exists()


def test_it_asks_first_and_names_the_boards(admin, board, olga):
    page = ask(admin, olga)
    assert f'name="delete-{board.pk}"' in page.content.decode()
    assert is_there(olga)


def test_a_confirmed_deletion_is_logged_and_the_account_leaves_the_list(admin, board, olga, otto):
    ask(admin, olga, **{"confirmed": "1", f"delete-{board.pk}": "on"})
    run_jobs()
    assert not is_there(olga)
    assert not Board.objects.exists()
    event = SecurityEvent.objects.get(kind=EventKind.DELETED)
    assert (event.user_id, event.by) == (olga.pk, otto)
    assert LogEntry.objects.get().object_repr == f"former:{olga.pk.hex}"
    page = admin.get(LIST).content.decode()
    assert "former:" not in page
    assert admin.get(f"{LIST}{olga.pk}/change/").status_code == 302


def test_undecided_boards_are_refused(admin, board, olga):
    assert "“Launch” has other members" in ask(admin, olga, confirmed="1").content.decode()
    assert is_there(olga)


def test_one_account_at_a_time_and_not_ones_own(admin, olga, ed, otto):
    ask(admin, olga, ed, confirmed="1")
    ask(admin, otto, confirmed="1")
    assert all(map(is_there, (olga, ed, otto)))


@pytest.mark.parametrize(
    ("rights", "may"), [(["view"], False), (["view", "change"], False), (["view", "change", "delete"], True)]
)
def test_a_restricted_operator_needs_the_permission(client, ed, rights, may):
    rita = person("rita", is_staff=True)
    rita.user_permissions.set(Permission.objects.filter(codename__in=[f"{right}_user" for right in rights]))
    client.force_login(rita)
    ask(client, ed, confirmed="1")
    assert is_there(ed) != may


def test_a_restricted_operator_cannot_delete_an_operator(client, otto):
    rita = person("rita", is_staff=True)
    rita.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    client.force_login(rita)
    ask(client, otto, confirmed="1")
    assert is_there(otto)
