"""The members page: inviting, roles, leaving, handing over."""

import re

import pytest
from playwright.sync_api import expect

from boards.actions.cards.assignments import assign
from boards.actions.people.groups import follow_groups, give_group
from boards.actions.sharing.public_links import create_public_link
from boards.actor import Actor
from boards.models import Membership, Role
from boards.models.verbs import Door
from boards.reader import MEMBERS
from conftest import join, web
from taskboard.tests.browsers import wait_until_wired
from web.live.catchup import changes_since
from web.tests.browsing import browser, text_of


def role_of(user, board):
    found = Membership.objects.filter(user=user, board=board).first()
    return found and found.role


def test_every_member_sees_the_members_and_nobody_their_addresses(olga, vera, board):
    for_olga = text_of(browser(olga).get(f"/board/{board.pk}/members"))
    assert "Ed" in for_olga
    assert "ed@example.com" not in for_olga
    for_vera = text_of(browser(vera).get(f"/board/{board.pk}/members"))
    assert "Ed Editor" in for_vera  # their role
    assert "ed@example.com" not in for_vera
    assert "Invite" not in for_vera


def test_the_page_takes_as_many_statements_for_three_members_as_for_six(
    olga, board, django_user_model, django_assert_num_queries
):
    client = browser(olga)
    client.post(f"/board/{board.pk}/ownership", {"to": board.memberships.last().user_id})
    with django_assert_num_queries(
        9
    ):  # session, user, role, members, offer, invitations, two kinds of links, last change
        client.get(f"/board/{board.pk}/members")
    for name in "abc":
        join(django_user_model.objects.create_user(f"{name}@example.com"), board, "viewer")
        client.post(f"/board/{board.pk}/invitations", {"email": f"{name}.new@example.com", "role": "viewer"})
    client.get(f"/board/{board.pk}/members")  # shows the messages
    with django_assert_num_queries(9):
        answer = client.get(f"/board/{board.pk}/members")
    assert (len(answer.context["members"]), len(answer.context["pending"])) == (6, 3)


@pytest.mark.parametrize(
    "form, field",
    [({"email": "stan"}, "email"), ({"email": ""}, "email"), ({"email": "s@example.com", "role": "owner"}, "role")],
)
def test_an_invalid_invitation_is_kept_with_the_error_beside_its_field(olga, board, form, field):
    answer = browser(olga).post(f"/board/{board.pk}/invitations", {"role": "viewer"} | form)
    assert answer.status_code == 422
    assert list(answer.context["invitation"].errors) == [field]
    assert not form["email"] or f'value="{form["email"]}"' in answer.content.decode()


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Enter a valid email address, such as olga@example.com."),
        ("de", "Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel olga@example.com."),
    ],
)
def test_an_invalid_address_is_refused_without_the_name_of_the_field(olga, board, language, sentence):
    olga.language = language
    olga.save()
    answer = browser(olga).post(f"/board/{board.pk}/invitations", {"email": "stan", "role": "viewer"})
    assert answer.context["invitation"].errors == {"email": [sentence]}


def test_the_owner_changes_a_role(olga, vera, board):
    browser(olga).post(f"/board/{board.pk}/members/{vera.pk}/role", {"role": "editor"})
    assert role_of(vera, board) == Role.EDITOR


def test_nobody_becomes_owner_by_a_change_of_role(olga, vera, board):
    answer = browser(olga).post(f"/board/{board.pk}/members/{vera.pk}/role", {"role": "owner"})
    assert answer.status_code == 422
    assert role_of(vera, board) == Role.VIEWER


def test_removing_a_member_asks_first_and_unassigns_them_from_their_cards(olga, vera, board, card):
    assign(actor=web(olga), card_id=card.pk, user_id=vera.pk)
    client, address = browser(olga), f"/board/{board.pk}/members/{vera.pk}/removal"
    assert "Remove Vera from this board?" in text_of(client.get(address))
    assert role_of(vera, board)
    assert client.post(address).url == f"/board/{board.pk}/members"
    assert role_of(vera, board) is None
    assert not card.assignees.exists()


def test_an_editor_can_neither_remove_another_member_nor_open_the_confirmation(ed, vera, board):
    client, address = browser(ed), f"/board/{board.pk}/members/{vera.pk}/removal"
    assert client.get(address).status_code == 403
    assert client.post(address).status_code == 403
    assert role_of(vera, board) == Role.VIEWER


def test_leaving_asks_first_and_redirects_to_the_start_page(vera, board):
    client, address = browser(vera), f"/board/{board.pk}/members/{vera.pk}/removal"
    assert address in client.get(f"/board/{board.pk}/members").content.decode()
    assert "Leave this board?" in text_of(client.get(address))
    assert client.post(address).url == "/"
    assert client.get(f"/board/{board.pk}").status_code == 404


def test_the_owner_cannot_leave_and_is_told_so_when_asking(olga, board):
    client, address = browser(olga), f"/board/{board.pk}/members/{olga.pk}/removal"
    for answer in (client.get(address), client.post(address)):
        assert answer.status_code == 403
        assert "The owner cannot leave. Transfer the board first." in text_of(answer)
    assert role_of(olga, board) == Role.OWNER


def test_a_board_is_not_offered_to_a_stranger(olga, stan, board):
    assert browser(olga).get(f"/board/{board.pk}/ownership?to={stan.pk}").status_code == 404
    assert browser(olga).post(f"/board/{board.pk}/ownership", {"to": stan.pk}).status_code == 404


def test_the_owner_can_change_every_role_but_their_own(olga, ed, vera, board):
    page = browser(olga).get(f"/board/{board.pk}/members").content.decode()
    changed = re.findall(rf"/board/{board.pk}/members/([0-9a-f-]+)/role", page)
    assert changed == [str(ed.pk), str(vera.pk)]
    assert "Leave board" not in page


def test_other_members_can_only_leave(ed, board):
    page = browser(ed).get(f"/board/{board.pk}/members").content.decode()
    assert re.findall(r'<select|href="[^"]+/removal"', page) == [f'href="/board/{board.pk}/members/{ed.pk}/removal"']


def test_the_owner_sees_who_is_a_member_by_a_group(olga, ed, board, stan, otto, settings, django_assert_num_queries):
    settings.OIDC_URL = "https://login.example.com"
    give_group(actor=Actor(otto, door=Door.ADMIN), board_id=board.pk, group="crew", role="viewer")
    follow_groups(stan, ["crew"])
    address, client = f"/board/{board.pk}/members", browser(olga)
    client.get(address)
    with django_assert_num_queries(10):  # as without single sign-on, and the notes
        assert "Through the group crew" in text_of(client.get(address))
    assert "Through the group" not in text_of(browser(ed).get(address))


def test_the_owner_sees_the_public_link_which_is_not_compressed_and_others_do_not(olga, ed, board):
    link = create_public_link(actor=web(olga), board_id=board.pk)
    address, accepts = f"/board/{board.pk}/members", {"HTTP_ACCEPT_ENCODING": "gzip"}
    answer = browser(olga).get(address, **accepts)
    assert link.address in answer.content.decode()
    assert "Content-Encoding" not in answer
    assert "/public" not in text_of(browser(ed).get(address))


def test_a_refused_invitation_keeps_the_chosen_role(olga, board):
    page = browser(olga).post(f"/board/{board.pk}/invitations", {"email": "stan", "role": "viewer"}).content.decode()
    assert '<option value="viewer" selected>' in page


@pytest.mark.django_db(transaction=True)
def test_the_page_follows_a_public_link_that_is_made_elsewhere(opened, olga, board):
    shown = opened(olga)
    shown.page.goto(f"/board/{board.pk}/members")
    wait_until_wired(shown.page, "#member-lists")
    create_public_link(actor=web(olga), board_id=board.pk)
    shown.socket.send(changes_since(board.pk, board.version, "en", None, MEMBERS).text)
    expect(shown.page.locator("#public-address")).to_contain_text("/public/")
