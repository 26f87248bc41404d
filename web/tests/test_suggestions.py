"""People with whom the owner shares a board are offered by their names; nobody else is, and no address is told."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from boards.actions.boards.board import archive_board, create_board
from boards.actions.sharing.invitations import accept_invitation, decline_invitation, invite_member, invite_person
from boards.errors import Conflict, NotFound
from boards.models import Invitation, Membership
from conftest import join, person, web
from security.models import SecurityEvent
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.held import Held


@pytest.fixture
def sue(olga):
    """Sue shares the board Garden with Olga, and is not on Launch."""
    sue = User.objects.create_user("hidden.address@example.com", name="Sue Summers")
    garden = create_board(actor=web(sue), title="Garden")
    join(olga, garden, "viewer")
    return sue


def offered(user, board, letters):
    return browser(user).get(f"/board/{board.pk}/people", {"q": letters}, **SCRIPTED)


def invite(olga, board, who, **form):
    fields = {"email": who.name, "person": str(who.pk), "role": "viewer"}
    return browser(olga).post(f"/board/{board.pk}/invitations", fields | form, follow=True)


@pytest.mark.parametrize("letters", ["s", "sue", "SUMM", "ssu"])
def test_people_of_shared_boards_are_offered_by_name(olga, board, sue, letters):
    answer = offered(olga, board, letters)
    assert text_of(answer).endswith("Sue Summers")
    assert f'data-person="{sue.pk}"' in answer.content.decode()
    assert "hidden.address" not in answer.content.decode()


@pytest.mark.parametrize("letters", ["", "hidden", "example", "@", "hidden.address@example.com"])
def test_letters_of_an_address_find_nobody(olga, board, sue, letters):
    assert text_of(offered(olga, board, letters)) == ""


def test_strangers_members_oneself_and_closed_accounts_are_not_offered(olga, board, sue, stan):
    gone = person("gone")
    join(gone, Membership.objects.get(user=sue, role="owner").board, "viewer")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    for letters in ("stan", "vera", "olga", "gone"):
        assert text_of(offered(olga, board, letters)) == ""


def test_an_archived_board_makes_no_acquaintance(olga, board, sue):
    archive_board(actor=web(sue), board_id=Membership.objects.get(user=sue).board_id)
    assert text_of(offered(olga, board, "sue")) == ""
    assert invite(olga, board, sue).status_code == 404


def test_only_the_owner_is_offered_people(ed, stan, board):
    assert offered(ed, board, "s").status_code == 403
    assert offered(stan, board, "s").status_code == 404


def test_offering_takes_as_many_statements_for_many(olga, board, sue, django_assert_num_queries):
    client = browser(olga)
    garden = Membership.objects.get(user=sue).board
    for _time in range(2):
        with django_assert_num_queries(4):  # session, user, board and role, people
            client.get(f"/board/{board.pk}/people", {"q": "s"}, **SCRIPTED)
        for name in "abc":
            join(User.objects.create_user(f"s{name}{_time}@example.com", name=f"S {name}"), garden, "viewer")


def test_a_person_is_invited_by_name_and_the_owner_never_sees_the_address(olga, board, sue):
    answer = invite(olga, board, sue)
    assert "Sue Summers was invited." in text_of(answer)
    for page in (answer, browser(olga).get(f"/board/{board.pk}/members")):
        assert "Sue Summers" in text_of(page)
        assert "hidden.address" not in page.content.decode()
    assert SecurityEvent.objects.get(kind="invited").details["invited"] == "Sue Summers"
    assert "Olga (olga@example.com) invited you to the board Launch" in text_of(browser(sue).get("/"))
    sent = Invitation.objects.get()
    assert (sent.email, sent.role) == ("", "viewer")
    browser(sue).post(f"/invitation/{sent.pk}", {"answer": "accept"})
    assert Membership.objects.get(board=board, user=sue).role == "viewer"


def test_a_stranger_a_member_and_nobody_are_not_invited_by_id(olga, board, stan, vera):
    answers = [invite(olga, board, who) for who in (stan, vera, olga)]
    answers.append(browser(olga).post(f"/board/{board.pk}/invitations", {"person": "1", "role": "viewer"}))
    assert {answer.status_code for answer in answers} == {404}
    assert not Invitation.objects.exists()


def test_an_invitation_by_name_does_not_confirm_a_guessed_address(olga, board, sue):
    invite_person(actor=web(olga), board_id=board.pk, user_id=sue.pk)
    sent = invite_member(actor=web(olga), board_id=board.pk, email=sue.email)
    assert Invitation.objects.count() == 2
    accept_invitation(actor=web(sue), invitation_id=sent.pk)
    assert not Invitation.objects.exists()


def test_a_person_is_invited_once_and_a_declined_invitation_looks_pending(olga, board, sue):
    sent = invite_person(actor=web(olga), board_id=board.pk, user_id=sue.pk)
    decline_invitation(actor=web(sue), invitation_id=sent.pk)
    with pytest.raises(Conflict, match="Sue Summers is already invited"):
        invite_person(actor=web(olga), board_id=board.pk, user_id=sue.pk)
    with pytest.raises(NotFound):
        accept_invitation(actor=web(sue), invitation_id=sent.pk)


def test_the_invitation_stays_with_the_person_when_their_address_changes(olga, board, sue):
    sent = invite_person(actor=web(olga), board_id=board.pk, user_id=sue.pk)
    sue.email = "new@example.com"
    sue.save()
    accept_invitation(actor=web(sue), invitation_id=sent.pk)
    assert Membership.objects.filter(board=board, user=sue).exists()


@pytest.mark.django_db(transaction=True)
def test_a_name_is_chosen_with_the_keyboard_and_an_address_is_typed_as_before(opened, olga, board):
    sue = User.objects.create_user("hidden.address@example.com", name="Sue Summers")
    join(olga, create_board(actor=web(sue), title="Garden"), "viewer")
    page = opened(olga).page
    page.goto(f"/board/{board.pk}/members")
    field, options = page.locator("[name=email]"), page.locator("#people-offered [role=option]")
    expect(field).to_have_attribute("role", "combobox")
    field.press_sequentially("su")
    expect(options).to_have_count(1)
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("Escape")
    expect(options).to_have_count(0)
    field.press_sequentially("e")
    expect(options).to_have_count(1)
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", f"invite-{sue.pk}")
    field.press("Enter")
    expect(field).to_have_value("Sue Summers")
    field.press("Enter")
    expect(page.locator("#member-lists")).to_contain_text("Sue Summers")
    field.fill("nobody@example.com")
    field.press("Enter")
    expect(page.locator("#member-lists")).to_contain_text("nobody@example.com")


@pytest.fixture
def sharing(opened, olga, board, sue) -> Page:
    """The open Share dialog of Olga, who may invite Sue by name."""
    page: Page = opened(olga).page
    page.locator("[data-share]", has_text="Share").click()
    expect(page.locator("#share-dialog [name=email]")).to_have_attribute("role", "combobox")
    return page


@pytest.mark.django_db(transaction=True)
def test_enter_takes_the_first_who_is_offered_and_a_second_one_invites(sharing, sue):
    field = sharing.locator("#share-dialog [name=email]")
    field.press_sequentially("su")
    expect(field).to_have_attribute("aria-activedescendant", f"invite-{sue.pk}")
    field.press("Enter")
    expect(field).to_have_value("Sue Summers")
    assert not Invitation.objects.exists()
    field.press("Enter")
    expect(sharing.locator("#share-dialog [data-lists]")).to_contain_text("Sue Summers")


@pytest.mark.django_db(transaction=True)
def test_enter_before_the_answer_waits_for_it_and_invites_nobody(sharing, sue):
    field = sharing.locator("#share-dialog [name=email]")
    held = Held(sharing, re.compile("/people\\?"))
    field.fill("sue summers")
    field.press("Enter")
    field.press("Enter")
    held.let_on()
    expect(field).to_have_value("Sue Summers")
    expect(sharing.locator("#share-dialog .refusal")).to_have_count(0)
    assert not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_enter_before_an_answer_without_anybody_sends_what_was_typed(sharing):
    field = sharing.locator("#share-dialog [name=email]")
    held = Held(sharing, re.compile("/people\\?"))
    field.fill("nobody")
    field.press("Enter")
    held.let_on()
    expect(sharing.locator("#share-dialog .refusal")).to_contain_text("Enter a valid email address")


@pytest.mark.django_db(transaction=True)
def test_a_whole_address_is_sent_by_the_first_enter(sharing):
    field = sharing.locator("#share-dialog [name=email]")
    field.press_sequentially("sue")
    expect(sharing.locator("#people-offered [role=option]")).to_have_count(1)
    field.press_sequentially("@example.com")
    field.press("Enter")
    expect(sharing.locator("#share-dialog [data-lists]")).to_contain_text("sue@example.com")
