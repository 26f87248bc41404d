"""The pages of notifications: inbox, panel, following, settings."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.actions.boards.board import update_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import create_card, update_card
from boards.actions.cards.comments import add_comment
from boards.actions.people.members import remove_member
from boards.reader import Reader
from conftest import run_jobs, web
from notifications.following import choose
from notifications.inbox.entries import A_PAGE, Later, put_off, unread_count
from notifications.kinds import Kind
from notifications.models import Follow, Habits, Level, Notification, Way
from notifications.ways import kinds_in_app
from web.tests.browsing import SCRIPTED, browser, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(card, olga, ed, board) -> Notification:
    run_jobs()
    Notification.objects.all().delete()
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    run_jobs()
    return Notification.objects.get(user=ed, kind=Kind.ASSIGNED)


def test_the_inbox_shows_what_is_unread(told, ed):
    page = browser(ed).get("/notifications")
    assert "Olga assigned you to Write the announcement #1" in text_of(page)
    assert "Launch" in text_of(page)


def test_without_notifications_the_page_says_what_to_do(ed):
    for pile, words in {"unread": "all caught up", "later": "put off", "all": "last 90 days"}.items():
        assert words in text_of(browser(ed).get(f"/notifications?pile={pile}"))


def test_names_are_escaped_and_long_titles_cut(card, olga, ed, told):
    Notification.objects.all().delete()
    update_card(actor=web(olga), card_id=card.pk, title="<script>" + "x" * 400)
    run_jobs()
    html = browser(ed).get("/notifications").content.decode()
    assert "<script>x" not in html
    assert "&lt;script&gt;x" in html
    assert "x" * 100 not in html.partition('class="rows inbox"')[2].partition('class="muted detail"')[0]


def test_opening_one_marks_it_read_and_goes_to_the_card(told, card, ed):
    answer = browser(ed).get(f"/notification/{told.pk}")
    assert answer["Location"] == card.get_absolute_url()
    assert unread_count(Reader(ed)) == 0


@pytest.mark.parametrize("headers", [{}, {"HTTP_SEC_PURPOSE": "prefetch"}])
def test_looking_ahead_marks_nothing(told, ed, headers):
    client = browser(ed)
    (client.get if headers else client.head)(f"/notification/{told.pk}", **headers)
    assert unread_count(Reader(ed)) == 1


def whole_card(card) -> str:
    return f"/card/{card.pk}"


def page_with_card(card) -> str:
    return card.get_absolute_url()  # where mails lead, and links that people paste


@pytest.mark.parametrize("place", [whole_card, page_with_card])
def test_opening_a_card_marks_what_is_told_of_it_read(place, told, card, todo, olga, ed):
    other = create_card(actor=web(olga), list_id=todo.pk, title="Another")
    for about in (card, other):
        assign(actor=web(olga), card_id=about.pk, user_id=ed.pk)
        add_comment(actor=web(olga), card_id=about.pk, text="Look")
    run_jobs()
    assert unread_count(Reader(ed)) == 4
    browser(ed).get(place(card), **(SCRIPTED if place is whole_card else {}))
    assert unread_count(Reader(ed)) == 2
    assert not Notification.objects.filter(user=ed, card_id=card.pk, read_at=None).exists()


@pytest.mark.parametrize("place", [whole_card, page_with_card])
def test_looking_ahead_at_a_card_marks_nothing(place, told, card, ed):
    headers = {"HTTP_SEC_PURPOSE": "prefetch", **(SCRIPTED if place is whole_card else {})}
    assert browser(ed).get(place(card), **headers).status_code == 200
    assert unread_count(Reader(ed)) == 1


def test_what_was_put_off_comes_back_although_its_card_was_opened(told, card, ed):
    put_off(Reader(ed), told.pk, Later.TOMORROW)
    browser(ed).get(page_with_card(card))
    assert Notification.objects.get(pk=told.pk).read_at is None


def test_others_keep_what_they_were_told_of_a_card(told, card, olga):
    browser(olga).get(page_with_card(card))
    assert Notification.objects.get(pk=told.pk).read_at is None


def test_a_card_of_which_nothing_is_unread_costs_one_statement_more(told, card, ed):
    client = browser(ed)
    client.get(page_with_card(card))
    with CaptureQueriesContext(connection) as statements:
        client.get(page_with_card(card))
    asked = [entry["sql"] for entry in statements if "notifications_notification" in entry["sql"]]
    assert [sql.split()[0] for sql in asked] == ["SELECT"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_notifications_of_others_are_not_found(told, olga, stan, method):
    for user in (olga, stan):
        answer = getattr(browser(user), method)(f"/notification/{told.pk}", {"do": "read"})
        assert answer.status_code == 404
    told.refresh_from_db()
    assert told.read_at is None


def test_who_lost_access_finds_nothing(told, board, olga, ed):
    remove_member(actor=web(olga), board_id=board.pk, user_id=ed.pk)
    client = browser(ed)
    assert client.get(f"/notification/{told.pk}").status_code == 404
    for address in ("/notifications", "/notifications?pile=all", f"/notifications?pile=all&board={board.pk}"):
        page = text_of(client.get(address))
        assert "announcement" not in page
        assert "Launch" not in page


def test_one_is_marked_read_and_unread_and_put_off(told, ed):
    client = browser(ed)
    seen = []
    for do in ("read", "unread", "tomorrow", "unread", "next-week"):
        assert client.post(f"/notification/{told.pk}", {"do": do}).status_code == 302
        told.refresh_from_db()
        seen.append((told.read_at is not None, told.later_until is not None))
    assert seen == [(True, False), (False, False), (False, True), (False, False), (False, True)]
    assert "assigned you" in text_of(client.get("/notifications?pile=later"))
    assert "assigned you" not in text_of(client.get("/notifications"))


def test_anything_else_is_refused_in_words(told, ed):
    answer = browser(ed).post(f"/notification/{told.pk}", {"do": "shout"})
    assert answer.status_code == 422
    assert "must be read, unread, tomorrow or next-week" in text_of(answer)
    assert browser(ed).post("/notifications", {"upto": "yesterday"}).status_code == 422


def test_all_are_marked_read_but_what_came_since_and_undo_takes_it_back(told, card, olga, ed):
    client, drawn = browser(ed), timezone.now().isoformat()
    add_comment(actor=web(olga), card_id=card.pk, text="Later")
    run_jobs()
    answer = client.post("/notifications", {"upto": drawn}, follow=True)
    assert unread_count(Reader(ed)) == 1
    [undo] = re.findall(r'name="undo" value="([^"]+)"', answer.content.decode())
    client.post("/notifications", {"undo": undo})
    assert unread_count(Reader(ed)) == 2


def test_pages_follow_each_other_and_a_board_filters(told, board, todo, olga, ed):
    for number in range(A_PAGE + 5):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}", assignee_ids=[ed.pk])
    run_jobs()
    client = browser(ed)
    address, found = f"/notifications?board={board.pk}", []
    while address:
        page = client.get(address).content.decode()
        found += re.findall(r'class="told" href="/notification/([^"]+)"', page)
        older = re.findall(r'rel="next"\s+href="([^"]+)"', page)
        address = "/notifications" + older[0].replace("&amp;", "&") if older else ""
    assert len(found) == len(set(found)) == A_PAGE + 6
    other = "0197a8f0-0000-7000-8000-000000000000"
    assert "all caught up" in text_of(client.get(f"/notifications?board={other}"))


def test_the_page_takes_as_many_statements_for_few_as_for_many(told, todo, olga, ed):
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get("/notifications")
        return len(captured)

    client = browser(ed)
    client.get("/notifications")
    few = statements()
    for number in range(5):
        create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}", assignee_ids=[ed.pk])
    run_jobs()
    assert statements() == few <= 10


def test_the_panel_shows_the_latest_unread(told, ed):
    answer = browser(ed).get("/notifications", **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    assert "Olga assigned you" in text_of(answer)


@pytest.mark.parametrize("kind, level", [("card", Level.CARD), ("list", Level.LIST), ("board", Level.BOARD)])
def test_everything_can_be_followed_and_muted_by_a_viewer(card, todo, board, vera, kind, level):
    subject, client = {"card": card, "list": todo, "board": board}[kind], browser(vera)
    address = f"/{kind}/{subject.pk}/following"
    assert 'value="" aria-pressed="true"' in client.get(address).content.decode()
    for chosen in ("follow", "mute"):
        assert client.post(address, {"follow": chosen}).status_code == 302
        assert Follow.objects.get(user=vera).chose == chosen
        assert f'value="{chosen}" aria-pressed="true"' in client.get(address).content.decode()
    assert client.post(address, {"follow": "shout"}).status_code == 422
    answer = client.post(address, {"follow": ""}, **SCRIPTED)
    assert "Back to the default" in text_of(answer)
    assert not Follow.objects.filter(user=vera).exists()


@pytest.mark.parametrize("kind", ["card", "list", "board"])
def test_strangers_cannot_follow(card, todo, board, stan, kind):
    subject = {"card": card, "list": todo, "board": board}[kind]
    assert browser(stan).get(f"/{kind}/{subject.pk}/following").status_code == 404
    assert browser(stan).post(f"/{kind}/{subject.pk}/following", {"follow": "follow"}).status_code == 404
    assert not Follow.objects.filter(user=stan).exists()


def test_the_menu_says_what_the_default_comes_to(card, todo, board, olga, ed):
    run_jobs()
    client = browser(olga)
    assert "because you take part" in text_of(client.get(f"/card/{card.pk}/following", **SCRIPTED))
    choose(olga, board, Level.BOARD, "mute")
    assert "You muted the board" in text_of(client.get(f"/card/{card.pk}/following", **SCRIPTED))
    choose(olga, todo, Level.LIST, "follow")
    assert "You follow its list" in text_of(client.get(f"/card/{card.pk}/following", **SCRIPTED))


def test_settings_are_saved(ed):
    client = browser(ed)
    page = client.get("/settings/notifications").content.decode()
    assert page.count("checked") == len(Kind) - 1 + 6
    answer = client.post(
        "/settings/notifications", {"in_app": ["mentioned", "nonsense"], "remind_hour": "on", "follow_assigned": "on"}
    )
    assert answer.status_code == 302
    habits = Habits.objects.get(user=ed)
    assert (habits.remind_hour, habits.remind_day, habits.follow_assigned, habits.follow_created) == (
        True, False, True, False,
    )  # fmt: skip
    assert kinds_in_app(ed) == {Kind.MENTIONED, Kind.FINISHED}
    assert not Way.objects.exclude(user=ed).exists()


def test_without_a_mail_server_the_page_says_so_and_offers_no_mails(ed):
    page = browser(ed).get("/settings/notifications")
    assert "no mail server" in text_of(page)
    assert "mail-mentioned" not in page.content.decode()


def chosen_mails(client) -> dict[str, str]:
    page = client.get("/settings/notifications").content.decode()
    found = re.findall(r'name="mail-([a-z]+)".*?<option value="([a-z]+)" selected', page, re.DOTALL)
    return dict(found)


def test_mails_are_chosen_by_kind_beside_the_app(ed, settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    client = browser(ed)
    before = chosen_mails(client)
    assert (before["mentioned"], before["comment"]) == ("now", "off")
    form = {"in_app": ["mentioned"], "mail-comment": "daily", "mail-due": "hourly", "mails": "on", "mail_hour": "17"}
    assert client.post("/settings/notifications", form).status_code == 302
    assert chosen_mails(client) == before | {"comment": "daily"}, "what is no choice changes nothing"
    assert kinds_in_app(ed) == {Kind.MENTIONED, Kind.FINISHED}
    habits = Habits.objects.get(user=ed)
    assert (habits.mails, habits.mail_hour) == (True, 17)


@pytest.mark.parametrize("hour", ["24", "-1", "noon", ""])
def test_an_hour_that_is_none_is_refused_in_words(ed, settings, hour):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    answer = browser(ed).post("/settings/notifications", {"mail_hour": hour})
    assert answer.status_code == 422
    assert "must be an hour from 0 to 23" in text_of(answer)
    assert not Habits.objects.exists()


def test_the_page_says_that_the_address_is_not_confirmed(ed, settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    assert "until your address ed@example.com is confirmed" in text_of(browser(ed).get("/settings/notifications"))


def test_saving_without_a_mail_server_keeps_the_choices_of_mails(ed, settings):
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    client = browser(ed)
    client.post("/settings/notifications", {"mail-comment": "daily", "mails": "on", "mail_hour": "17"})
    settings.MAIL = None
    client.post("/settings/notifications", {"in_app": ["mentioned"]})
    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    assert chosen_mails(client)["comment"] == "daily"
    assert Habits.objects.get(user=ed).mail_hour == 17


def test_what_is_turned_off_is_told_no_more(card, olga, ed, board):
    browser(ed).post("/settings/notifications", {"in_app": ["mentioned"]})
    assign(actor=web(olga), card_id=card.pk, user_id=ed.pk)
    choose(ed, board, Level.BOARD, "follow")
    update_board(actor=web(olga), board_id=board.pk, title="Other")
    run_jobs()
    assert not Notification.objects.filter(user=ed).exists()


def test_an_invited_account_finds_it_in_its_inbox(board, olga, stan):
    browser(olga).post(f"/board/{board.pk}/invitations", {"email": stan.email, "role": "viewer"})
    run_jobs()
    client = browser(stan)
    assert "Olga invited you to Launch" in text_of(client.get("/notifications"))
    row = Notification.objects.get(user=stan)
    assert client.get(f"/notification/{row.pk}")["Location"] == "/invitations"
