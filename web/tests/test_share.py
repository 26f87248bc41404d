"""The Share dialog: what it shows to whom, several invitations at once, and the dialog in Chromium."""

import pytest
from playwright.sync_api import expect

from boards.actions.boards.board import create_board
from boards.actions.sharing.invitations import accept_invitation, invite_member
from boards.models import Invitation, InvitationLink, Membership, PublicLink
from boards.reader import MEMBERS
from conftest import web
from web.live.catchup import changes_since
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.held import Held

DIALOG = "#share-dialog"


def shown_to(user, board):
    return browser(user).get(f"/board/{board.pk}/share", **SCRIPTED)


def invite(user, board, email, **headers):
    return browser(user).post(f"/board/{board.pk}/invitations", {"email": email, "role": "viewer"}, **headers)


def test_the_owner_sees_people_invitations_and_links(olga, ed, vera, board):
    invite_member(actor=web(olga), board_id=board.pk, email="gina@example.com", role="viewer")
    text = text_of(shown_to(olga, board))
    for part in ("Share “Launch”", "Ed", "gina@example.com", "Invitation link", "Public link"):
        assert part in text
    assert "ed@example.com" not in text


def test_other_members_see_the_people_without_addresses_and_can_change_nothing(olga, ed, vera, board):
    answer = shown_to(ed, board)
    assert "Olga" in text_of(answer)
    assert "@example.com" not in text_of(answer)
    assert "<form" not in answer.content.decode()


@pytest.mark.parametrize("is_allowed", [True, False])
def test_the_members_page_has_no_heading_of_links_where_there_can_be_none(olga, board, settings, is_allowed):
    settings.PUBLIC_LINKS = is_allowed
    page = browser(olga).get(f"/board/{board.pk}/members").content.decode()
    assert ('id="share-links"' in page) == is_allowed


def test_a_stranger_sees_no_board(stan, board):
    assert shown_to(stan, board).status_code == 404


def test_without_scripts_the_button_leads_to_the_members(olga, board):
    assert browser(olga).get(f"/board/{board.pk}/share").url == f"/board/{board.pk}/members"


@pytest.mark.parametrize("between", [",", ", ", ";", " ", "\n"])
def test_several_addresses_are_invited_at_once(olga, board, between):
    invite(olga, board, between.join(["gina@example.com", "Hugo@example.com", "gina@example.com"]))
    assert {row.email for row in Invitation.objects.all()} == {"gina@example.com", "hugo@example.com"}


def test_one_wrong_address_of_several_invites_nobody_and_is_named(olga, board):
    answer = invite(olga, board, "gina@example.com, hugo@", **SCRIPTED)
    assert answer.status_code == 422
    assert "These are not email addresses: hugo@. No one was invited." in text_of(answer)
    assert not Invitation.objects.exists()


def test_an_address_that_cannot_be_invited_is_named_and_invites_nobody(olga, ed, board):
    answer = invite(olga, board, f"gina@example.com, {ed.email}", **SCRIPTED)
    assert answer.status_code == 409
    assert f"{ed.email}: " in text_of(answer)
    assert "No one was invited." in text_of(answer)
    assert not Invitation.objects.exists()


def test_more_than_twenty_addresses_are_refused(olga, board):
    answer = invite(olga, board, ",".join(f"p{number}@example.com" for number in range(21)), **SCRIPTED)
    assert answer.status_code == 422
    assert "Enter at most 20 addresses at once." in text_of(answer)


@pytest.mark.django_db(transaction=True)
def test_people_are_invited_and_roles_changed_in_the_dialog_by_keyboard(show, olga, ed, board):
    page = show(board.get_absolute_url(), olga)
    page.locator("[data-share]", has_text="Share").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"{DIALOG} [name=email]")).to_be_focused()
    page.keyboard.type("gina@example.com, hugo@example.com")
    page.keyboard.press("Enter")
    expect(page.locator(".toast").last).to_contain_text("2 people were invited.")  # first, as it goes by itself
    expect(page.locator(DIALOG)).to_contain_text("hugo@example.com")
    expect(page.locator(f"{DIALOG} [name=email]")).to_be_focused()
    page.get_by_label("Role of Ed").focus()
    page.get_by_label("Role of Ed").select_option("viewer")
    expect(page.locator(".toast").last).to_contain_text("Role changed.")
    expect(page.get_by_label("Role of Ed")).to_be_focused()
    assert Membership.objects.get(user=ed).role == "viewer"
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_be_hidden()
    expect(page.locator("[data-share]", has_text="Share")).to_be_focused()


@pytest.mark.django_db(transaction=True)
def test_a_refused_address_stays_in_its_field_with_the_reason(show, olga, ed, board):
    page = show(board.get_absolute_url(), olga)
    page.locator("[data-share]", has_text="Share").click()
    field = page.locator(f"{DIALOG} [name=email]")
    field.fill(ed.email)
    field.press("Enter")
    expect(page.locator(f"{DIALOG} .refusal")).to_contain_text("already")
    expect(field).to_have_value(ed.email)


@pytest.mark.django_db(transaction=True)
def test_people_who_are_offered_stand_below_the_field(show, olga, stan, board):
    shared = create_board(actor=web(olga), title="Garden")
    Membership.objects.create(board=shared, user=stan, role="viewer")
    page = show(board.get_absolute_url(), olga)
    page.locator("[data-share]", has_text="Share").click()
    field = page.locator(f"{DIALOG} [name=email]")
    field.press_sequentially("St")
    offered = page.locator(f"{DIALOG} [role=listbox]")
    expect(offered).to_be_visible()
    above, below = field.bounding_box(), offered.bounding_box()
    assert above
    assert below
    assert below["y"] >= above["y"] + above["height"]


@pytest.mark.django_db(transaction=True)
def test_links_are_made_and_switched_off_in_the_dialog(show, olga, board):
    page = show(board.get_absolute_url(), olga)
    page.locator("[data-share]", has_text="Share").click()
    page.locator(f"{DIALOG} form[action$='/invitation-links']").get_by_role("button", name="Create link").click()
    expect(page.locator("#link-address")).to_contain_text("/join/")
    assert InvitationLink.objects.get().role == "editor"
    page.locator(f"{DIALOG} form[action$='/public-link']").get_by_role("button").click()
    expect(page.locator("#public-address")).to_contain_text("/public/")
    expect(page.locator("#link-address")).to_contain_text(
        "/join/"
    )  # it is shown once, so it stays until the dialog closes
    page.locator(f"{DIALOG} form[action$='/public-link/withdrawal']").get_by_role("button").click()
    expect(page.locator("#public-address")).to_have_count(0)
    assert not PublicLink.objects.exists()


def share_dialog(shown):
    shown.page.locator("[data-share]", has_text="Share").click()
    dialog = shown.page.locator(DIALOG)
    expect(dialog.locator("[name=email]")).to_be_focused()
    return dialog


def tell_all(shown, board):
    shown.socket.send(changes_since(board.pk, board.version, "en", None, MEMBERS).text)


@pytest.mark.django_db(transaction=True)
def test_the_open_dialog_follows_who_joins_and_keeps_what_is_typed(opened, olga, stan, board):
    sent = invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role="editor")
    shown = opened(olga)
    dialog = share_dialog(shown)
    shown.page.keyboard.type("gina@exa")
    expect(dialog.get_by_role("button", name="Withdraw")).to_be_visible()
    accept_invitation(actor=web(stan), invitation_id=sent.pk)
    tell_all(shown, board)
    expect(dialog.get_by_label("Role of Stan")).to_have_value("editor")
    expect(dialog.get_by_role("button", name="Withdraw")).to_have_count(0)
    expect(dialog.locator("[name=email]")).to_have_value("gina@exa")
    expect(dialog.locator("[name=email]")).to_be_focused()


@pytest.mark.django_db(transaction=True)
def test_lists_in_use_are_renewed_when_the_focus_has_left_them(opened, olga, ed, stan, board):
    sent = invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role="editor")
    shown = opened(olga)
    dialog = share_dialog(shown)
    dialog.get_by_label("Role of Ed").focus()
    accept_invitation(actor=web(stan), invitation_id=sent.pk)
    tell_all(shown, board)
    expect(shown.page.locator(f"#members [data-user='{stan.pk}']")).to_be_visible()
    expect(dialog.get_by_label("Role of Ed")).to_be_focused()
    expect(dialog.get_by_label("Role of Stan")).to_have_count(0)
    dialog.locator("[name=email]").focus()
    expect(dialog.get_by_label("Role of Stan")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_to_withdraw_an_invitation_that_was_accepted_meanwhile_shows_who_joined(opened, olga, stan, board):
    sent = invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role="editor")
    shown = opened(olga)
    dialog = share_dialog(shown)
    accept_invitation(actor=web(stan), invitation_id=sent.pk)
    dialog.get_by_role("button", name="Withdraw").click()
    expect(shown.page.locator(".toast")).to_contain_text("The list is up to date now.")
    expect(dialog.get_by_label("Role of Stan")).to_be_visible()
    assert board.memberships.filter(user=stan).exists()


def test_create_link_says_that_there_is_one_already(olga, board):
    for words in ("Public link created.", "This has changed in the meantime."):
        answer = browser(olga).post(f"/board/{board.pk}/public-link", **SCRIPTED)
        assert words in text_of(answer)
    assert PublicLink.objects.get().board == board


@pytest.mark.django_db(transaction=True)
def test_a_link_that_came_after_the_dialog_was_closed_is_shown_when_it_opens_again(opened, olga, board):
    shown = opened(olga)
    dialog = share_dialog(shown)
    answers = Held(shown.page, "**/invitation-links", method="POST")
    dialog.locator("form[action$='/invitation-links']").get_by_role("button", name="Create link").click()
    answers.wait_for(1)
    shown.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    with shown.page.expect_response("**/invitation-links"):
        answers.let_on()
    share_dialog(shown)
    expect(dialog.locator("#link-address")).to_contain_text("/join/")


@pytest.mark.django_db(transaction=True)
def test_the_dialog_opens_again_while_an_answer_comes(opened, olga, board):
    shown = opened(olga)
    dialog = share_dialog(shown)
    answers = Held(shown.page, "**/public-link", method="POST")
    dialog.locator("form[action$='/public-link']").get_by_role("button").click()
    answers.wait_for(1)
    shown.page.keyboard.press("Escape")
    readings = Held(shown.page, "**/share", most=1)
    shown.page.locator("[data-share]", has_text="Share").click()
    readings.wait_for(1)
    with shown.page.expect_response("**/public-link"):
        answers.let_on()
    expect(shown.page.locator(".toast")).to_contain_text("Public link created.")
    readings.let_on()
    expect(dialog).to_be_visible()
    expect(dialog.locator("#public-address")).to_contain_text("/public/")


@pytest.mark.django_db(transaction=True)
def test_a_typed_address_stays_when_something_else_is_changed(opened, olga, ed, board):
    shown = opened(olga)
    dialog = share_dialog(shown)
    shown.page.keyboard.type("gina@example.com")
    dialog.locator(".share-invite [name=role]").select_option("viewer")
    dialog.get_by_label("Role of Ed").select_option("viewer")
    expect(shown.page.locator(".toast").last).to_contain_text("Role changed.")
    expect(dialog.get_by_label("Role of Ed").locator("option[selected]")).to_have_text("Viewer")
    expect(dialog.locator("[name=email]")).to_have_value("gina@example.com")
    expect(dialog.locator(".share-invite [name=role]")).to_have_value("viewer")


def invite_gina(shown):
    """Invite Gina in the dialog. Return it, and what holds the answer."""
    dialog = share_dialog(shown)
    answers = Held(shown.page, "**/invitations", method="POST")
    shown.page.keyboard.type("gina@example.com")
    shown.page.keyboard.press("Enter")
    answers.wait_for(1)
    return dialog, answers


@pytest.mark.django_db(transaction=True)
def test_an_address_that_is_typed_while_the_one_before_is_sent_stays(opened, olga, board):
    shown = opened(olga)
    dialog, answers = invite_gina(shown)
    dialog.locator("[name=email]").fill("hugo@example.com")
    answers.let_on()
    expect(dialog.locator("[data-lists]")).to_contain_text("gina@example.com")
    expect(dialog.locator("[name=email]")).to_have_value("hugo@example.com")
    expect(dialog.locator("[name=email]")).to_be_focused()


@pytest.mark.django_db(transaction=True)
def test_an_invitation_that_is_sent_twice_by_a_second_press_is_not_refused(opened, olga, board):
    shown = opened(olga)
    dialog, answers = invite_gina(shown)
    shown.page.keyboard.press("Enter")
    answers.let_on()
    expect(dialog.locator("[data-lists]")).to_contain_text("gina@example.com")
    expect(dialog.locator("[name=email]")).to_have_value("")
    assert len(answers) == 0


@pytest.mark.django_db(transaction=True)
def test_a_role_that_could_not_be_changed_is_shown_as_it_was(opened, olga, ed, board):
    shown = opened(olga)
    dialog = share_dialog(shown)
    shown.page.context.set_offline(True)
    dialog.get_by_label("Role of Ed").select_option("viewer")
    expect(shown.page.locator(".toast")).to_contain_text("Could not reach the server.")
    expect(dialog.get_by_label("Role of Ed")).to_have_value("editor")


@pytest.mark.django_db(transaction=True)
def test_roles_are_changed_in_the_order_in_which_they_were_chosen(opened, olga, ed, board):
    shown = opened(olga)
    dialog = share_dialog(shown)
    answers = Held(shown.page, "**/role", method="POST")
    dialog.get_by_label("Role of Ed").select_option("viewer")
    answers.wait_for(1)
    dialog.get_by_label("Role of Ed").select_option("editor")
    first = answers.next()
    dialog.locator("[name=email]").focus()
    assert len(answers) == 0
    first.continue_()
    answers.wait_for(1)
    with shown.page.expect_response("**/role"):
        answers.let_on()
    expect(dialog.get_by_label("Role of Ed")).to_have_value("editor")
    expect(dialog.locator("[name=email]")).to_be_focused()
    assert Membership.objects.get(user=ed).role == "editor"
