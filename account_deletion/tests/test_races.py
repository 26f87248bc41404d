"""Deleting an account while somebody, or the person in another tab, does something else at the same moment."""

from functools import partial

import pytest
from django.contrib import admin
from django.core.management import CommandError
from django.db import transaction
from django.forms import modelform_factory
from django.test import RequestFactory

from account_deletion.deletion import delete_account
from accounts.forms import ProfileForm
from accounts.locks import AccountChanged
from accounts.management.commands import adduser
from accounts.models import ApiToken, Plan, User
from accounts.models.plan import default_plan
from accounts.operations import put_on_plan, switch
from accounts.profile import update_profile
from accounts.recovery import deactivate
from accounts.tokens import create_token
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.sharing.invitations import accept_invitation, invite_member
from boards.errors import NotFound
from boards.models import Board, Card, Membership
from boards.tests.at_once import at_once, outcome
from conftest import person, run_jobs, web
from web.tests.browsing import browser

pytestmark = pytest.mark.django_db(transaction=True)


def deletion_of(user: User):
    return partial(delete_account, User.objects.get(pk=user.pk), deleting=(), request=None)


def test_of_two_deletions_at_once_one_is_refused(board, ed):
    results = outcome(at_once([deletion_of(ed), deletion_of(ed)]))
    assert results == {None: 1, AccountChanged: 1}
    assert Membership.objects.filter(board=board).count() == 2


def test_of_two_operators_who_delete_themselves_at_once_one_stays():
    first, second = (person(name, is_staff=True, is_superuser=True) for name in ("otto", "orla"))
    at_once([deletion_of(first), deletion_of(second)])
    assert User.objects.filter(is_active=True, is_superuser=True).count() == 1


@pytest.fixture
def read_before(ed) -> User:
    """Ed's account, deactivated, as an operator read it before it was deleted."""
    deactivate(ed)
    user = User.objects.get(pk=ed.pk)
    deletion_of(ed)()
    return user


def is_emptied(user: User) -> bool:
    row = User.objects.get(pk=user.pk)
    return row.is_former and not row.is_active and row.name == "" and row.plan_id == default_plan()


def enable(user: User, otto: User) -> None:
    switch(user, True, None, otto)


def move_to_a_plan(user: User, otto: User) -> None:
    put_on_plan(user, Plan.objects.get(key="pro"), otto)


def save_the_form(user: User, otto: User) -> None:
    request, form = RequestFactory().post("/"), modelform_factory(User, fields=["name"])(instance=user)
    request.user = otto
    with transaction.atomic():
        admin.site.get_model_admin(User).save_model(request, user, form, change=True)


@pytest.mark.parametrize("act", [enable, move_to_a_plan, save_the_form])
def test_an_operator_who_read_the_account_before_fills_nothing_of_it_again(read_before, otto, act):
    with pytest.raises(AccountChanged):
        act(read_before, otto)
    assert is_emptied(read_before)


def test_a_command_that_read_the_account_before_says_so(read_before):
    command = adduser.Command()
    with pytest.raises(CommandError, match="deleted meanwhile"):
        command.keep(read_before, [], is_new=False)
    assert is_emptied(read_before)


def test_a_script_that_read_the_account_before_fills_nothing_of_it_again(ed):
    read = User.objects.get(pk=ed.pk)
    deletion_of(ed)()
    with pytest.raises(AccountChanged):
        update_profile(read, name="Ed again")
    assert is_emptied(ed)


def test_a_profile_that_is_saved_meanwhile_fills_nothing_of_it_again(ed, monkeypatch):
    is_valid = ProfileForm.is_valid

    def deleted_meanwhile(form: ProfileForm) -> bool:
        deletion_of(ed)()
        return is_valid(form)

    monkeypatch.setattr(ProfileForm, "is_valid", deleted_meanwhile)
    profile = {"name": "Ed again", "language": "en", "time_zone": "UTC", "theme": "light"}
    assert browser(ed).post("/settings/profile", profile).status_code == 403
    assert is_emptied(ed)


def test_an_account_that_is_deleted_and_enabled_at_once_ends_in_one_of_both_states(ed, otto):
    deactivate(ed)
    stale = User.objects.get(pk=ed.pk)
    at_once([partial(enable, stale, otto), deletion_of(ed)])
    row = User.objects.get(pk=ed.pk)
    assert row.is_former != row.is_active


def test_cards_that_they_create_meanwhile_are_there_or_refused_and_name_nobody(board, todo, ed):
    cards = [partial(create_card, actor=web(ed), list_id=todo.pk, title=f"Card {n}") for n in range(6)]
    results = outcome(at_once([*cards, deletion_of(ed)]))
    assert results[None] + results[NotFound] == 7
    assert {card.created_by.display_name for card in Card.objects.select_related("created_by")} <= {"Former member"}
    assert not Membership.objects.filter(user=ed).exists()


def test_nothing_that_they_begin_meanwhile_outlives_the_account(board, ed, stan):
    theirs = create_board(actor=web(stan), title="Stan's")
    invitation = invite_member(actor=web(stan), board_id=theirs.pk, email=ed.email)
    at_once(
        [
            partial(create_board, actor=web(ed), title="Late"),
            partial(accept_invitation, actor=web(ed), invitation_id=invitation.pk),
            partial(create_token, ed, "late"),
            deletion_of(ed),
        ]
    )
    run_jobs()
    assert not Membership.objects.filter(user=ed).exists()
    assert not ApiToken.objects.filter(user=ed).exists()
    assert set(Board.objects.all()) == {board, theirs}
