"""The pages of notifications: inbox, panel, following, settings."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from boards.actions.boards.board import create_board, update_board
from boards.actions.cards.assignments import assign
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.comments import add_comment, edit_comment
from boards.actions.cards.moves import move_card
from boards.actions.people.members import remove_member
from boards.reader import Reader
from conftest import run_jobs, web
from notifications.following import choose
from notifications.inbox import entries
from notifications.inbox.entries import Later, put_off, unread_count
from notifications.inbox.piles import A_PAGE
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
    assert "Unread: Write the announcement" in text_of(page)
    assert "Launch · Olga assigned you" in text_of(page)


def test_without_notifications_the_page_says_what_to_do(ed):
    for pile, words in {"unread": "all caught up", "later": "for later", "all": "last 90 days"}.items():
        assert words in text_of(browser(ed).get(f"/notifications?pile={pile}"))


def test_names_are_escaped_and_long_titles_cut(card, olga, ed, told):
    Notification.objects.all().delete()
    update_card(actor=web(olga), card_id=card.pk, title="<script>" + "x" * 400)
    run_jobs()
    html = browser(ed).get("/notifications").content.decode()
    assert "<script>x" not in html
    assert "&lt;script&gt;x" in html
    assert "x" * 100 not in html.partition('class="rows inbox"')[2].partition('class="detail"')[0]


def test_opening_one_marks_it_read_and_goes_to_the_card(told, card, ed):
    answer = browser(ed).get(f"/notification/{told.pk}")
    assert answer["Location"] == card.get_absolute_url()
    assert unread_count(Reader(ed)) == 0


def test_one_about_a_comment_leads_to_it(card, olga, ed, told):
    Notification.objects.all().delete()
    comment = add_comment(actor=web(olga), card_id=card.pk, text=f"[@Ed](mention:{ed.pk}) look")
    run_jobs()
    answer = browser(ed).get(f"/notification/{Notification.objects.get(user=ed).pk}")
    assert answer["Location"] == f"{card.get_absolute_url()}#comment-{comment.pk}"


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


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"])
def test_a_moment_beyond_the_calendar_is_refused(ed, card, moment):
    assert browser(ed).post("/notifications", {"upto": moment}).status_code == 422
    assert browser(ed).get("/notifications", {"before": f"{moment}_{card.pk}"}).status_code == 200


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
        found += re.findall(r'class="told" id="told-[^"]+" href="/notification/([^"]+)"', page)
        older = re.findall(r'rel="next"\s+href="([^"]+)"', page)
        address = "/notifications" + older[0].replace("&amp;", "&") if older else ""
    assert len(found) == len(set(found)) == A_PAGE + 6
    other = "0197a8f0-0000-7000-8000-000000000000"
    assert "all caught up" in text_of(client.get(f"/notifications?board={other}"))


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("chosen, most", [("", 12), ("?card={card}", 22)])
def test_the_page_takes_as_many_statements_for_few_as_for_many(told, card, todo, olga, ed, chosen, most):
    """Two are the session and the account; without a card: the rows, how many stand in each, what they say, the boards."""

    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/notifications{chosen.format(card=card.pk)}").status_code == 200
        return len(captured)

    client = browser(ed)
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    client.get(f"/notifications{chosen.format(card=card.pk)}")
    few = statements()
    for number in range(20):
        made = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}", assignee_ids=[ed.pk])
        add_comment(actor=web(olga), card_id=made.pk, text="Look")
    run_jobs()
    assert unread_count(Reader(ed)) >= 40
    assert statements() == few <= most


def test_a_card_is_one_row_with_its_newest_event_and_the_number_of_the_others(told, card, olga, ed, vera):
    for text in ("Look at **this**", "And at that"):
        add_comment(actor=web(olga), card_id=card.pk, text=text)
        Notification.objects.filter(user=ed).update(told_at=F("told_at") - timedelta(hours=1))
    run_jobs()
    page = text_of(browser(ed).get("/notifications"))
    assert page.count("Unread:") == 1
    assert "Olga wrote 2 comments · And at that" in page
    assert "+1 and 1 more notification" in page


def test_a_mention_stands_for_its_card_until_it_is_read(told, card, olga, ed):
    add_comment(actor=web(olga), card_id=card.pk, text=f"Can you, [@Ed](mention:{ed.pk})?")
    run_jobs()
    Notification.objects.filter(user=ed).update(told_at=F("told_at") - timedelta(hours=1))
    complete_card(actor=web(olga), card_id=card.pk)
    run_jobs()
    page = text_of(browser(ed).get("/notifications"))
    assert "Olga mentioned you · Can you, @Ed?" in page
    entries.mark(Reader(ed), Notification.objects.get(user=ed, kind=Kind.MENTIONED).pk, read=True)
    assert "mentioned you" not in text_of(browser(ed).get("/notifications"))


def test_of_what_was_told_at_the_same_moment_the_last_change_is_said(told, card, todo, olga, ed):
    for number in range(5):
        made = create_card(actor=web(olga), list_id=todo.pk, title=f"Card {number}", assignee_ids=[ed.pk])
        add_comment(actor=web(olga), card_id=made.pk, text="Look")
    run_jobs()
    assert text_of(browser(ed).get("/notifications")).count("Olga commented · Look") == 5


def test_the_comment_of_a_card_that_moved_to_a_board_out_of_reach_is_not_quoted(told, card, olga, ed):
    comment = add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    assert "Look" in text_of(browser(ed).get("/notifications"))
    private = create_board(actor=web(olga), title="Private", template="kanban")
    move_card(actor=web(olga), card_id=card.pk, list_id=private.lists.first().pk)
    edit_comment(actor=web(olga), comment_id=comment.pk, text="A secret")
    page = text_of(browser(ed).get("/notifications"))
    assert "Olga commented" in page
    assert "Look" not in page
    assert "secret" not in page


def test_what_is_put_off_does_not_make_its_card_unread_among_all(told, card, olga, ed):
    browser(ed).post(f"/notification/{told.pk}", {"do": "tomorrow"})
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    entries.mark(Reader(ed), Notification.objects.get(user=ed, kind=Kind.COMMENT).pk, read=True)
    page = browser(ed).get("/notifications?pile=all").content.decode()
    assert page.count('class="notification unread"') == 0


def test_a_card_of_which_one_row_is_unread_is_unread_among_all(told, card, olga, ed):
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    entries.mark(Reader(ed), Notification.objects.get(user=ed, kind=Kind.COMMENT).pk, read=False)
    Notification.objects.filter(pk=told.pk).update(read_at=timezone.now())
    page = browser(ed).get("/notifications?pile=all").content.decode()
    assert page.count('class="notification unread"') == page.count('class="notification') == 1


@pytest.mark.parametrize("do, unread", [("read", 0), ("tomorrow", 0)])
def test_what_is_done_with_a_row_is_done_with_all_of_its_card(told, card, olga, ed, do, unread):
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    assert unread_count(Reader(ed)) == 2
    browser(ed).post(f"/notification/{told.pk}", {"do": do})
    assert unread_count(Reader(ed)) == unread


def test_what_was_put_off_with_a_card_comes_back_with_it(told, card, olga, ed):
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    client = browser(ed)
    client.post(f"/notification/{told.pk}", {"do": "tomorrow"})
    client.post(f"/notification/{told.pk}", {"do": "unread"})
    assert unread_count(Reader(ed)) == 2


def test_one_row_of_a_card_becomes_unread_again(told, card, olga, ed):
    add_comment(actor=web(olga), card_id=card.pk, text="Look")
    run_jobs()
    client = browser(ed)
    client.post(f"/notification/{told.pk}", {"do": "read"})
    client.post(f"/notification/{told.pk}", {"do": "unread"})
    assert unread_count(Reader(ed)) == 1


def test_scripts_are_told_when_it_comes_back(told, ed):
    answer = browser(ed).post(f"/notification/{told.pk}", {"do": "tomorrow"}, **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    assert "You'll see this again on" in text_of(answer)
    assert text_of(browser(ed).post(f"/notification/{told.pk}", {"do": "read"}, **SCRIPTED)) == ""


@time_machine.travel("2030-01-02T12:00:00Z", tick=False)
def test_when_it_comes_back_ends_with_one_full_stop_after_a_short_month(told, ed):
    User.objects.filter(pk=ed.pk).update(language="fr")
    answer = browser(ed).post(f"/notification/{told.pk}", {"do": "tomorrow"}, **SCRIPTED)
    assert text_of(answer).strip().endswith("le 3 janv.")


def test_the_chosen_card_shows_its_newest_comments_in_order_and_is_read(told, card, olga, ed):
    for number in range(9):
        add_comment(actor=web(olga), card_id=card.pk, text=f"Comment {number}.")
    run_jobs()
    page = text_of(browser(ed).get(f"/notifications?card={card.pk}"))
    pane = page.partition("Comments and activity")[2]
    assert [number for number in range(9) if f"Comment {number}." in pane] == [*range(1, 9)]
    assert pane.index("Comment 7.") < pane.index("Comment 8.")
    assert "Earlier comments and changes are on the card" in pane
    assert unread_count(Reader(ed)) == 0


def test_the_row_of_the_chosen_card_stays_when_it_is_read(told, card, ed):
    client = browser(ed)
    client.get(f"/notifications?card={card.pk}")
    page = client.get(f"/notifications?card={card.pk}").content.decode()
    assert page.count('aria-current="true"') == 1
    assert "all caught up" in text_of(client.get("/notifications"))


def test_scripts_get_the_chosen_card_alone_and_the_rows_alone(told, card, ed):
    client = browser(ed)
    rows = client.get(f"/notifications?rows=&card={card.pk}", **SCRIPTED)
    assert unread_count(Reader(ed)) == 1, "the rows alone mark nothing"
    pane = client.get(f"/notifications?card={card.pk}", **SCRIPTED)
    assert ('id="inbox-rows"' in rows.content.decode(), 'id="inbox-pane"' in rows.content.decode()) == (True, False)
    assert ('id="inbox-rows"' in pane.content.decode(), 'id="inbox-pane"' in pane.content.decode()) == (False, True)
    assert unread_count(Reader(ed)) == 0


@pytest.mark.parametrize("scripted", [{}, SCRIPTED])
def test_a_card_that_the_reader_cannot_see_is_not_found_in_the_inbox(card, stan, scripted):
    for chosen in (card.pk, "nonsense", Notification().pk):
        assert browser(stan).get(f"/notifications?card={chosen}", **scripted).status_code == 404


def test_a_viewer_is_not_offered_to_comment(card, ed, vera):
    fields = [
        'name="text"' in browser(user).get(f"/notifications?card={card.pk}").content.decode() for user in (ed, vera)
    ]
    assert fields == [True, False]


def test_looking_ahead_at_a_chosen_card_marks_nothing(told, card, ed):
    browser(ed).get(f"/notifications?card={card.pk}", HTTP_SEC_PURPOSE="prefetch")
    assert unread_count(Reader(ed)) == 1


def test_a_page_on_which_a_card_is_open_reads_what_is_told_of_it(told, card, todo, olga, ed):
    create_card(actor=web(olga), list_id=todo.pk, title="Another", assignee_ids=[ed.pk])
    run_jobs()
    answer = browser(ed).post(f"/card/{card.pk}/notifications")
    assert answer.json() == {"unread": 1}
    told.refresh_from_db()
    assert told.read_at is not None


def test_a_reader_without_news_is_told_the_card_that_is_due_next(card, todo, olga, ed):
    now = timezone.now()
    for days, title in ((3, "Later"), (2, "Sooner")):
        create_card(
            actor=web(ed), list_id=todo.pk, title=title, assignee_ids=[ed.pk], due_at=now + timedelta(days=days)
        )
    assert "Your next due card: Sooner" in text_of(browser(ed).get("/notifications"))
    assert "Your next due card" not in text_of(browser(olga).get("/notifications"))


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
    assert "Reset to the default" in text_of(answer)
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
    assert "when you take part" in text_of(client.get(f"/card/{card.pk}/following", **SCRIPTED))
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
