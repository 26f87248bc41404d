"""Invitation links in the browser: the owner's form, the link, and the page on which whoever has it answers."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from boards.actions.boards.board import archive_board, create_board
from boards.actions.sharing.invitation_links import create_invitation_link, withdraw_invitation_link
from boards.models import Activity, InvitationLink, Membership
from boards.models.invitation_link import digest_of
from conftest import person, web
from security.models import SecurityEvent
from web.tests.browsing import browser, text_of

PASSWORD = "plum tart on sunday"


@pytest.fixture
def make(board, olga):
    """Make a link of Olga's; return it and its path."""

    def make(*, on=board, days=7, **values):
        until = timezone.now() + timedelta(days=days)
        link, key = create_invitation_link(actor=web(olga), board_id=on.pk, expires_at=until, **values)
        return link, f"/join/{key}"

    return make


def create(olga, board, **form):
    fields = {"link-role": "viewer", "link-expires": "7", "link-until": "", "link-uses": "", "link-name": ""}
    sent = fields | {f"link-{name}": value for name, value in form.items()}
    return browser(olga).post(f"/board/{board.pk}/invitation-links", sent)


def address_in(answer):
    found = re.search(r'id="link-address">http://[^/]+(/join/[\w-]+)<', answer.content.decode())
    return found and found[1]


def follow(client, path):
    """Open the link, and return the address of the page about it."""
    answer = client.get(path)
    assert answer.status_code == 302
    return answer.url


def role_of(user, board):
    return Membership.objects.filter(user=user, board=board).values_list("role", flat=True).first()


def test_the_owner_makes_a_link_which_only_that_answer_shows(olga, board):
    answer = create(olga, board, role="editor", uses="3", name="Team")
    key = address_in(answer).removeprefix("/join/")
    assert answer["Cache-Control"] == "no-store"
    link = InvitationLink.objects.get()
    assert (link.digest, link.role, link.uses_left, link.name) == (digest_of(key), "editor", 3, "Team")
    assert timedelta(days=6) < link.expires_at - timezone.now() <= timedelta(days=7)
    page = browser(olga).get(f"/board/{board.pk}/members")
    assert key not in page.content.decode()
    assert f"Team …{key[-4:]} Editor · 3 uses left · expires" in text_of(page)
    assert "created by Olga · not used yet" in text_of(page)


def test_the_key_is_nowhere_but_in_the_answer(olga, stan, board, settings, caplog, transactional_db):
    settings.MIDDLEWARE = ["taskboard.access_log.AccessLog", *settings.MIDDLEWARE]
    with caplog.at_level("DEBUG"):
        key = address_in(create(olga, board)).removeprefix("/join/")
        client = browser(stan)
        client.post(follow(client, f"/join/{key}"), {"answer": "accept"})
    assert role_of(stan, board) == "viewer"
    assert " GET join/<str:key> 302 " in caplog.text
    assert key not in caplog.text
    kept = [*SecurityEvent.objects.values(), *Activity.objects.values(), *InvitationLink.objects.values()]
    kept += [session.get_decoded() for session in Session.objects.all()]
    assert key not in str(kept)


def test_the_same_form_sent_twice_makes_one_link(olga, board):
    form = re.search(
        r'name="link-form" value="([\w-]+)"', browser(olga).get(f"/board/{board.pk}/members").content.decode()
    )
    assert address_in(create(olga, board, form=form[1]))
    again = create(olga, board, form=form[1])
    assert address_in(again) is None
    assert "This form was already sent, so no second link was created." in text_of(again)
    assert InvitationLink.objects.count() == 1


def in_days(days):
    return (timezone.localdate() + timedelta(days=days)).isoformat()


@pytest.mark.parametrize("days", [0, 1, 90])
def test_a_link_may_work_until_a_day(olga, board, days):
    assert address_in(create(olga, board, expires="date", until=in_days(days)))
    until = InvitationLink.objects.get().expires_at
    assert timezone.now() < until <= timezone.now() + timedelta(days=90)


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"role": "owner"}, "role"),
        ({"expires": "99"}, "expires"),
        ({"expires": "date"}, "until"),
        ({"expires": "date", "until": "31.12.2030"}, "until"),
        ({"expires": "date", "until": "2020-01-01"}, "until"),
        ({"expires": "date", "until": 91}, "until"),
        ({"expires": "date", "until": "9999-12-31"}, "until"),
        ({"uses": "0"}, "uses"),
        ({"uses": "101"}, "uses"),
        ({"uses": "many"}, "uses"),
        ({"name": "x" * 51}, "name"),
        ({"name": "\0"}, "name"),
    ],
)
def test_what_is_out_of_bounds_is_refused_beside_its_field(olga, board, form, field):
    days = {name: in_days(value) for name, value in form.items() if isinstance(value, int)}
    answer = create(olga, board, **form | days)
    assert answer.status_code == 422
    assert list(answer.context["link_form"].errors) == [field]
    assert not InvitationLink.objects.exists()


def test_at_the_cap_the_page_says_what_to_do(olga, board, make, monkeypatch):
    monkeypatch.setattr("boards.actions.sharing.invitation_links.MOST_LINKS", 1)
    make()
    answer = create(olga, board)
    assert answer.status_code == 403
    assert "Withdraw one to create another." in text_of(answer)


def test_only_the_owner_sees_the_links(ed, board, make):
    make(name="Team")
    page = text_of(browser(ed).get(f"/board/{board.pk}/members"))
    assert "Team" not in page
    assert "Invite by link" not in page


def test_the_owner_withdraws_a_link(olga, board, make):
    link, path = make(name="Team")
    answer = browser(olga).post(f"/invitation-link/{link.pk}/withdrawal", follow=True)
    assert "The invitation link Team was withdrawn." in text_of(answer)
    assert Client().get(path).status_code == 404


def test_signed_out_the_page_says_who_invites_to_what_and_where_to_sign_in(make):
    client = Client()
    place = follow(client, make(role="editor")[1])
    page = client.get(place)
    assert "Olga invites you to the board Launch ." in text_of(page)
    assert "As an editor" in text_of(page)
    assert f'href="/sign-in?next={place}"' in page.content.decode()
    assert f'href="/sign-up?next={place}"' in page.content.decode()
    assert "olga@example.com" not in page.content.decode()
    assert "Vera" not in page.content.decode()
    assert page["Cache-Control"].startswith("max-age=0") or "no-store" in page["Cache-Control"]


def test_who_signs_in_comes_back_and_accepts(board, make, stan):
    stan.set_password(PASSWORD)
    stan.save()
    client = Client()
    place = follow(client, make()[1])
    assert client.post(place, {"answer": "accept"}).url == f"/sign-in?next={place}"
    answer = client.post("/sign-in", {"login": stan.email, "password": PASSWORD, "next": place})
    assert answer.url == place
    assert "You are signed in as stan@example.com." in text_of(client.get(place))
    joined = client.post(place, {"answer": "accept"}, follow=True)
    assert joined.redirect_chain == [(f"/board/{board.pk}", 302)]
    assert role_of(stan, board) == "viewer"
    event = SecurityEvent.objects.get(kind="joined")
    assert (event.user, event.by.name) == (stan, "Olga")
    assert client.get(place).status_code == 404


def sign_up(client, place):
    form = {"email": "new@example.com", "password1": PASSWORD, "language": "en", "name": "New", "next": place}
    return client.post("/sign-up", form)


def test_who_signs_up_comes_back_and_accepts(board, make):
    client = Client()
    place = follow(client, make()[1])
    assert sign_up(client, place).url == place
    client.post(place, {"answer": "accept"})
    assert Membership.objects.filter(board=board, user__email="new@example.com").exists()


def test_who_lost_the_page_finds_it_on_the_start_page(make, stan):
    client = browser(stan)
    place = follow(client, make()[1])
    page = client.get("/")
    assert "Olga invites you to the board Launch ." in text_of(page)
    assert f'href="{place}"' in page.content.decode()
    client.post(place, {"answer": "decline"})
    assert "Launch" not in text_of(client.get("/"))


@pytest.mark.parametrize(("signup", "is_open"), [("closed", False), ("invited", True)])
def test_where_sign_up_is_closed_the_operator_decides_whether_a_link_opens_it(make, settings, signup, is_open):
    settings.SIGNUP_OPEN, settings.SIGNUP_BY_LINK = False, signup == "invited"
    client = Client()
    place = follow(client, make()[1])
    page = client.get(place)
    assert ("Sign-up is closed" not in text_of(page)) == is_open
    assert ("/sign-up" in page.content.decode()) == is_open
    assert (sign_up(client, place).status_code == 302) == is_open
    assert "Sign-up is closed" in text_of(Client().get("/sign-up"))


def test_a_link_that_ended_opens_no_sign_up(make, olga, settings):
    settings.SIGNUP_OPEN, settings.SIGNUP_BY_LINK = False, True
    client = Client()
    link, path = make()
    follow(client, path)
    withdraw_invitation_link(actor=web(olga), link_id=link.pk)
    assert "Sign-up is closed" in text_of(client.get("/sign-up"))


def expire(link, olga):
    InvitationLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def use_up(link, olga):
    InvitationLink.objects.update(uses_left=0)


def withdraw(link, olga):
    withdraw_invitation_link(actor=web(olga), link_id=link.pk)


def archive(link, olga):
    archive_board(actor=web(olga), board_id=link.board_id)


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("end", [expire, use_up, withdraw, archive])
def test_wrong_and_ended_links_get_one_same_answer(make, olga, stan, end):
    link, path = make(uses=1)
    client = browser(stan)
    place = follow(client, path)
    end(link, olga)
    answers = [client.get(path), client.get(place), client.post(place, {"answer": "accept"}), client.get("/join/wrong")]
    assert {answer.status_code for answer in answers} == {404}
    assert len({text_of(answer) for answer in answers}) == 1
    assert "This invitation link doesn't work" in text_of(answers[0])
    assert role_of(stan, link.board) is None


def test_the_page_is_only_for_browsers_that_opened_the_link(make, stan):
    link, _path = make()
    for client in (Client(), browser(stan)):
        assert client.get(link.get_absolute_url()).status_code == 404
        assert client.post(link.get_absolute_url(), {"answer": "accept"}).status_code == 404
    assert role_of(stan, link.board) is None


def test_two_links_in_one_browser_are_not_mixed_up(make, olga, board, stan):
    other = create_board(actor=web(olga), title="Other")
    client = browser(stan)
    first, _second = follow(client, make()[1]), follow(client, make(on=other)[1])
    client.post(first, {"answer": "accept"})
    assert role_of(stan, board) == "viewer"
    assert role_of(stan, other) is None


def test_a_session_keeps_five_links(make, stan):
    client = browser(stan)
    places = [follow(client, make()[1]) for _ in range(6)]
    assert [client.get(place).status_code for place in places] == [404, 200, 200, 200, 200, 200]


def test_a_member_is_told_so_and_spends_no_use(make, board, vera):
    client = browser(vera)
    place = follow(client, make(role="editor", uses=1)[1])
    assert "You are already a member of this board." in text_of(client.get(place))
    answer = client.post(place, {"answer": "accept"}, follow=True)
    assert "You are already a member of “Launch”." in text_of(answer)
    assert role_of(vera, board) == "viewer"
    assert InvitationLink.objects.get().uses_left == 1
    assert not SecurityEvent.objects.filter(kind="joined").exists()


def test_declining_works_signed_out_and_leads_home(make):
    client = Client()
    place = follow(client, make()[1])
    assert client.post(place, {"answer": "decline"}).url == "/"
    assert client.get(place).status_code == 404


def test_another_answer_is_refused(make, stan):
    client = browser(stan)
    assert client.post(follow(client, make()[1]), {"answer": "yes"}).status_code == 422
    assert not Membership.objects.filter(user=stan).exists()


def test_joining_needs_a_csrf_token(make, stan):
    client = browser(stan, enforce_csrf_checks=True)
    assert client.post(follow(client, make()[1]), {"answer": "accept"}).status_code == 403
    assert not Membership.objects.filter(user=stan).exists()


def test_with_mail_an_unconfirmed_address_is_told_to_confirm(make, stan, board, settings):
    _link, path = make()
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    client = browser(stan)
    place = follow(client, path)
    assert "Confirm your email address to join" in text_of(client.get(place))
    assert client.post(place, {"answer": "accept"}).status_code == 403
    EmailAddress.objects.create(user=stan, email=stan.email, verified=True, primary=True)
    assert client.post(place, {"answer": "accept"}).status_code == 302
    assert role_of(stan, board) == "viewer"


@pytest.mark.usefixtures("stopped_clock")
def test_guesses_are_limited_for_an_address(settings, make):
    settings.LIMITS = settings.LIMITS | {"join": "3/10m"}
    assert [Client().get("/join/wrong").status_code for _ in range(4)] == [404, 404, 404, 429]
    assert Client().get(make()[1]).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.7").get(make()[1]).status_code == 302


def test_hostile_titles_and_names_are_shortened_text(olga, make):
    olga.name = "<b>Ann</b>" + "n" * 90
    olga.save()
    board = create_board(actor=web(olga), title="<script>alert(1)</script>" + "x" * 170)
    client = Client()
    page = client.get(follow(client, make(on=board, name="<i>x</i>")[1])).content.decode()
    assert "<script>alert" not in page
    assert "<b>Ann" not in page
    assert "n" * 60 not in page
    assert "x" * 80 not in page


def test_the_page_takes_a_known_number_of_statements(make, stan, django_assert_num_queries):
    client = browser(stan)
    place = follow(client, make()[1])
    make()
    with django_assert_num_queries(4):  # session, user, link with board and owner, membership
        client.get(place)


def test_somebody_elses_session_in_the_same_browser_keeps_no_proof(make, stan):
    client = browser(person("sue"))
    place = follow(client, make()[1])
    client.post("/sign-out")
    client.force_login(stan)
    assert client.get(place).status_code == 404
