"""Invitations in the browser: what the inviter sees, what the invited person sees, and where nothing is seen yet."""

import re

import pytest
from allauth.account.models import EmailAddress

from boards.actions.boards.board import archive_board, create_board
from boards.actions.sharing.invitations import decline_invitation, invite_member
from boards.models import Invitation, Membership
from conftest import person, web
from security.models import SecurityEvent
from web.tests.browsing import browser, text_of


@pytest.fixture
def invitation(board, olga, stan):
    """Stan is invited to Launch."""
    return invite_member(actor=web(olga), board_id=board.pk, email=stan.email, role="viewer")


def invite(olga, board, email, **form):
    return browser(olga).post(f"/board/{board.pk}/invitations", {"email": email, "role": "viewer"} | form, follow=True)


def test_the_invitation_is_on_the_start_page_and_the_board_is_not(stan, board, invitation):
    answer = browser(stan).get("/")
    assert "Olga (olga@example.com) invited you to the board Launch . Viewer" in text_of(answer)
    assert str(board.pk) not in answer.content.decode()
    assert answer.context["boards"] == []


@pytest.mark.parametrize("address", ["/", "/invitations", "/invitation/{}"])
def test_accept_stands_out_and_decline_is_plain(stan, invitation, address):
    page = browser(stan).get(address.format(invitation.pk)).content.decode()
    answers = dict(re.findall(r'<button class="([^"]*)" name="answer" value="(\w+)"', page))
    assert answers == {"button": "decline", "button primary": "accept"}


@pytest.mark.parametrize("page", ["", "/members", "/activity", "/archive", "/settings", "/lists"])
def test_the_board_does_not_exist_for_the_invited_person_before_they_accept(stan, board, invitation, page):
    assert browser(stan).get(f"/board/{board.pk}{page}").status_code == 404


def test_the_names_of_members_are_not_shown_to_the_invited_person(stan, board, invitation):
    for address in ("/", "/invitations", f"/invitation/{invitation.pk}"):
        page = browser(stan).get(address).content.decode()
        assert "Olga" in page
        assert "Vera" not in page


def test_the_owner_sees_the_address_as_it_was_typed_and_never_a_name(olga, board):
    for email in ("stan@example.com", "nobody@example.com", "gone@example.com"):
        if not email.startswith("nobody"):
            person(email.partition("@")[0], is_active=email.startswith("stan"))
    said, rows = set(), set()
    for name in ("stan", "nobody", "gone"):
        answer = invite(olga, board, f"{name}@example.com")
        [message] = answer.context["messages"]
        said.add((answer.status_code, str(message).replace(name, "X")))
    page = browser(olga).get(f"/board/{board.pk}/members").content.decode()
    for row in re.findall(r'<li class="split">((?:(?!</li>).)*Withdraw.*?)</li>', page, re.DOTALL):
        row = re.sub(r"stan|nobody|gone|\w{8}-(?:\w{4}-){3}\w{12}|\d\d:\d\d:\d\d|value=\"\w+\"", "X", row)
        rows.add(re.sub(r"\d+:\d+ [ap]\.m\.", "X", row))
    assert len(said) == len(rows) == 1
    assert "Stan" not in page
    assert len(Invitation.objects.all()) == 3


def test_a_declined_invitation_looks_to_the_owner_like_a_pending_one(olga, stan, board, invitation):
    def shown():
        return re.sub(r'value="[\w-]+"', "", browser(olga).get(f"/board/{board.pk}/members").content.decode())

    before = shown()
    decline_invitation(actor=web(stan), invitation_id=invitation.pk)
    assert shown() == before
    assert "already invited" in text_of(invite(olga, board, stan.email))


def test_other_members_do_not_see_who_is_invited(ed, board, invitation):
    assert "stan@example.com" not in browser(ed).get(f"/board/{board.pk}/members").content.decode()


def test_accepting_opens_the_board_and_is_in_the_security_log(olga, stan, board, invitation):
    answer = browser(stan).post(f"/invitation/{invitation.pk}", {"answer": "accept"}, follow=True)
    assert answer.redirect_chain == [(f"/board/{board.pk}", 302)]
    assert Membership.objects.get(user=stan).role == "viewer"
    event = SecurityEvent.objects.get(kind="joined")
    assert (event.user, event.by, event.details) == (stan, olga, {"board": str(board.pk)})


def test_declining_leads_to_the_start_page_where_the_invitation_is_gone(stan, board, invitation):
    answer = browser(stan).post(f"/invitation/{invitation.pk}", {"answer": "decline"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Launch" not in text_of(answer)
    assert not Membership.objects.filter(user=stan).exists()


def test_another_answer_is_refused(stan, invitation):
    assert browser(stan).post(f"/invitation/{invitation.pk}", {"answer": "yes"}).status_code == 422
    assert Invitation.objects.get().declined_at is None


def test_inviting_is_in_the_security_log_without_an_account(olga, stan, board):
    invite(olga, board, stan.email)
    event = SecurityEvent.objects.get(kind="invited")
    assert (event.user, event.by) == (olga, None)
    assert event.details == {"board": str(board.pk), "invited": "stan@example.com", "role": "viewer"}


def test_a_refused_invitation_is_not_in_the_security_log(olga, board):
    invite(olga, board, "vera@example.com")
    assert not SecurityEvent.objects.filter(kind="invited").exists()


def test_the_owner_withdraws_an_invitation(olga, stan, board, invitation):
    answer = browser(olga).post(f"/invitation/{invitation.pk}/withdrawal", follow=True)
    assert answer.redirect_chain == [(f"/board/{board.pk}/members", 302)]
    assert "The invitation to stan@example.com was withdrawn." in text_of(answer)
    assert "Launch" not in text_of(browser(stan).get("/"))


@pytest.mark.parametrize(
    ("email", "said"),
    [
        ("vera@example.com", "vera@example.com is already a member of this board."),
        ("stan@example.com", "stan@example.com is already invited."),
    ],
)
def test_what_the_owner_knows_is_said_beside_the_field(olga, board, invitation, email, said):
    answer = invite(olga, board, email)
    assert answer.status_code == 409
    assert said in str(answer.context["invitation"].errors["email"])


def test_at_a_limit_the_form_keeps_the_address_and_says_what_to_do(olga, board, monkeypatch):
    monkeypatch.setattr("boards.actions.sharing.invitations.MOST_PENDING", 0)
    answer = invite(olga, board, "new@example.com")
    assert answer.status_code == 403
    assert "You have 0 pending invitations. Withdraw some" in text_of(answer)
    assert 'value="new@example.com"' in answer.content.decode()


def test_long_and_hostile_titles_and_names_are_shortened_text(olga, stan):
    olga.name = "<b>Ann</b>" + "n" * 90
    olga.save()
    board = create_board(actor=web(olga), title="<script>alert(1)</script>" + "x" * 170)
    invitation = invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    for address in ("/", "/invitations", f"/invitation/{invitation.pk}"):
        page = browser(stan).get(address).content.decode()
        assert "<script>alert" not in page
        assert "<b>Ann" not in page
        assert "n" * 60 not in page
        assert "x" * 80 not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;xxx" in page


def test_the_start_page_shows_three_invitations_and_leads_to_all(olga, stan):
    for number in range(5):
        board = create_board(actor=web(olga), title=f"Board {number}.")
        invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
    start = browser(stan).get("/")
    assert start.content.decode().count('value="accept"') == 3
    assert 'href="/invitations"' in start.content.decode()
    assert browser(stan).get("/invitations").content.decode().count('value="accept"') == 5


def test_the_page_of_invitations_has_pages_and_takes_as_many_statements_for_many(
    olga, stan, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr("web.boards.invitations.SHOWN", 2)
    client = browser(stan)
    for number in range(3):
        board = create_board(actor=web(olga), title=f"Board {number}.")
        invite_member(actor=web(olga), board_id=board.pk, email=stan.email)
        with django_assert_num_queries(4):  # session, user, how many, invitations
            page = client.get("/invitations")
    assert 'href="?page=2"' in page.content.decode()
    assert "Board 2." in text_of(client.get("/invitations?page=2"))


def test_without_invitations_the_page_says_to_which_address_they_go(stan):
    assert "No invitations to stan@example.com." in text_of(browser(stan).get("/invitations"))
    assert "Waiting for your response" not in text_of(browser(stan).get("/"))


def test_the_invitation_to_an_archived_board_is_gone(olga, stan, board, invitation):
    archive_board(actor=web(olga), board_id=board.pk)
    assert "Launch" not in text_of(browser(stan).get("/"))
    assert browser(stan).get(f"/invitation/{invitation.pk}").status_code == 404


@pytest.fixture
def _mail_server(settings, board, invitation):
    """Mail is set, after Stan was invited."""
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}


@pytest.mark.usefixtures("_mail_server")
def test_with_mail_an_unconfirmed_address_sees_the_same_whether_it_is_invited_or_not(stan, invitation):
    def shown():
        pages = [browser(stan).get(address) for address in ("/", "/invitations")]
        return [re.sub(r'value="\w+"', "", page.content.decode()) for page in pages]

    before = shown()
    assert all("Confirm your email address to see invitations to boards." in page for page in before)
    assert all("Launch" not in page for page in before)
    for answer in (
        browser(stan).get(f"/invitation/{invitation.pk}"),
        browser(stan).post(f"/invitation/{invitation.pk}", {"answer": "accept"}),
    ):
        assert (answer.status_code, answer.url) == (302, "/invitations")
    Invitation.objects.all().delete()
    assert shown() == before


@pytest.mark.usefixtures("_mail_server")
def test_with_mail_a_confirmed_address_sees_its_invitations(stan, invitation):
    EmailAddress.objects.create(user=stan, email=stan.email, verified=True, primary=True)
    assert "invited you to the board Launch" in text_of(browser(stan).get("/"))
    assert "invited you to the board Launch" in text_of(browser(stan).get("/invitations"))


@pytest.mark.usefixtures("_mail_server")
def test_with_mail_an_unconfirmed_owner_is_told_to_confirm_before_inviting(olga, board):
    answer = invite(olga, board, "new@example.com")
    assert answer.status_code == 403
    assert "Confirm your email address in your settings before you invite others." in text_of(answer)
    assert Invitation.objects.count() == 1
