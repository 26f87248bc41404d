"""The start page and the page to create a board."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import Plan
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card
from boards.actions.cards.comments import add_comment
from boards.actions.lists.list import archive_list, create_list
from boards.board_templates import Template
from boards.models import Board, Membership
from boards.reader import Reader
from boards.reading.due import due_cards
from conftest import run_jobs, web
from notifications.models import Notification, Unseen
from web.boards import home
from web.tests.browsing import browser, text_of


def test_signed_out_people_see_an_introduction_and_links_to_sign_in_and_sign_up(db):
    answer = browser().get("/")
    assert answer.status_code == 200
    assert 'href="/sign-in"' in answer.content.decode()
    assert 'href="/sign-up"' in answer.content.decode()


def test_there_is_no_link_to_sign_up_while_it_is_closed(db, settings):
    settings.SIGNUP_OPEN = False
    assert "/sign-up" not in browser().get("/").content.decode()


def test_without_boards_the_page_says_what_to_do_next(stan):
    assert "No boards yet" in text_of(browser(stan).get("/"))


def test_without_boards_the_page_offers_an_import(stan):
    assert '<a class="button" href="/settings/data/import">Import…</a>' in browser(stan).get("/").content.decode()


def test_a_tile_shows_its_open_lists_and_the_number_of_open_cards(olga, board, todo, doing, card):
    gone = create_list(actor=web(olga), board_id=board.pk, title="Gone")
    create_card(actor=web(olga), list_id=gone.pk, title="Goes with its list")
    archive_list(actor=web(olga), list_id=gone.pk)
    done, away = (create_card(actor=web(olga), list_id=todo.pk, title=title) for title in ("Done", "Away"))
    complete_card(actor=web(olga), card_id=done.pk)
    archive_card(actor=web(olga), card_id=away.pk)
    page = text_of(browser(olga).get("/"))
    assert "Launch 1 open card" in page
    assert browser(olga).get("/").content.decode().count("<i>") == 2


def test_only_members_see_a_board(board, vera, stan):
    assert "Launch" in text_of(browser(vera).get("/"))
    assert "Launch" not in text_of(browser(stan).get("/"))


def test_the_last_changed_board_comes_first(olga):
    first, second, _third = (create_board(actor=web(olga), title=title) for title in ("First", "Second", "Third"))
    for board in (first, second):
        create_list(actor=web(olga), board_id=board.pk, title="List")
    shown = browser(olga).get("/").context["boards"]
    assert [board.title for board in shown] == ["Second", "First", "Third"]


def test_archived_boards_are_listed_apart_and_only_their_owner_may_restore_them(olga, ed, board):
    archive_board(actor=web(olga), board_id=board.pk)
    assert "1 archived board" in text_of(browser(ed).get("/"))
    assert f"/board/{board.pk}/archival" in browser(olga).get("/").content.decode()
    assert f"/board/{board.pk}/archival" not in browser(ed).get("/").content.decode()


@pytest.mark.parametrize("number, shown", [(1, "1 new"), (99, "99 new"), (100, "99+ new")])
def test_a_tile_says_what_is_new(ed, board, number, shown):
    Unseen.objects.create(user=ed, board=board, count=number)
    assert f"0 open cards · {shown}" in text_of(browser(ed).get("/"))


def test_where_nothing_is_new_nothing_is_said(ed, vera, board):
    Unseen.objects.create(user=vera, board=board, count=3)
    assert 'class="unseen"' not in browser(ed).get("/").content.decode()


def test_what_is_new_is_said_in_every_language(ed, board, settings):
    """Translated, for one and for many."""
    said = set()
    for code, _name in settings.LANGUAGES:
        ed.language = code
        ed.save()
        for number in (1, 5):
            Unseen.objects.update_or_create(user=ed, board=board, defaults={"count": number})
            said.add(browser(ed).get("/").content.decode().partition('class="unseen"')[2].partition("<")[0])
    assert len(said) == 2 * len(settings.LANGUAGES)


def test_the_start_page_shows_twenty_archived_boards_and_a_page_of_their_own_the_others(olga):
    now = timezone.now()
    for number in range(22):
        board = Board.objects.create(title=f"Old {number}.", archived_at=now - timedelta(days=number))
        Membership.objects.create(board=board, user=olga, role="owner")
    start = browser(olga).get("/")
    assert "Old 19." in text_of(start)
    assert "Old 20." not in text_of(start)
    assert "/boards/archived" in start.content.decode()
    everything = text_of(browser(olga).get("/boards/archived"))
    assert "Old 0." in everything
    assert "Old 21." in everything


def test_the_page_of_archived_boards_has_pages(olga, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr("web.boards.home.ARCHIVED_A_PAGE", 2)
    for number in range(3):
        archive_board(actor=web(olga), board_id=create_board(actor=web(olga), title=f"Old {number}.").pk)
    client = browser(olga)
    with django_assert_num_queries(4):  # session, user, how many, boards
        first = client.get("/boards/archived")
    assert [board.title for board in first.context["page"]] == ["Old 2.", "Old 1."]
    assert 'href="?page=2"' in first.content.decode()
    assert "Old 0." in text_of(client.get("/boards/archived?page=2"))


def test_nobody_sees_archived_boards_of_others(olga, stan, board):
    archive_board(actor=web(olga), board_id=board.pk)
    assert "Launch" not in text_of(browser(stan).get("/boards/archived"))


def test_the_form_shows_every_template_with_its_lists(olga):
    page = text_of(browser(olga).get("/boards/new"))
    for template in Template:
        assert str(template.label) in page
        assert ", ".join(template.lists) in page


def test_a_board_is_created_in_the_language_of_the_account(olga):
    olga.language = "de"
    olga.save()
    answer = browser(olga).post("/boards/new", {"title": "Start", "template": "kanban", "color": "4"})
    board = Board.objects.get()
    assert (answer.status_code, answer.url) == (302, f"/board/{board.pk}")
    assert (board.title, board.hue) == ("Start", 4)
    with translation.override("de"):
        assert [row.title for row in board.lists.all()] == Template.KANBAN.lists


@pytest.mark.parametrize(
    "form, field, sentence",
    [
        ({"title": " "}, "title", "Title must not be empty."),
        ({"title": "x" * 201}, "title", "Title must have at most 200 characters; this one has 201."),
        ({"title": "Start", "template": "scrum"}, "template", "Template must be one of"),
        ({"title": "Start", "color": "13"}, "color", "Color must be a number from 1 to 12."),
        ({"title": "Start", "color": "red"}, "color", "Color must be a number from 1 to 12."),
    ],
)
def test_an_error_is_shown_beside_its_field_and_nothing_typed_is_lost(olga, form, field, sentence):
    answer = browser(olga).post("/boards/new", {"template": "content", "color": "2"} | form)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field][0].startswith(sentence)
    assert sentence in text_of(answer)
    assert f'value="{form["title"]}"' in answer.content.decode()
    assert not Board.objects.exists()


def test_at_the_plans_limit_the_page_says_so_and_keeps_what_was_typed(olga):
    Plan.objects.filter(key="free").update(max_boards=1)
    create_board(actor=web(olga), title="First")
    answer = browser(olga).post("/boards/new", {"title": "Second", "template": "blank", "color": "2"})
    assert answer.status_code == 403
    assert "Archive or delete it to make room." in text_of(answer)
    assert 'value="Second"' in answer.content.decode()
    assert Board.objects.count() == 1


def test_the_title_of_a_new_board_can_be_typed_at_once(olga):
    assert re.search(r'<input[^>]*name="title"[^>]* autofocus', browser(olga).get("/boards/new").content.decode())


def test_a_new_board_begins_with_a_color_that_no_other_of_mine_has(olga):
    for number in range(9):
        page = browser(olga).get("/boards/new").content.decode()
        [hue] = re.findall(r'<input[^>]*name="color"[^>]*value="(\d+)"[^>]* checked', page)
        assert int(hue) not in Board.objects.values_list("hue", flat=True)
        create_board(actor=web(olga), title=f"Board {number}", hue=int(hue))


def test_the_cards_of_all_lists_of_all_boards_are_counted_in_one_statement(olga):
    """A count for each board let PostgreSQL look through all cards for each of 2,000 boards (docs/decisions/statements.md)."""
    create_board(actor=web(olga), title="Only", template="kanban")
    client = browser(olga)
    with CaptureQueriesContext(connection) as queries:
        client.get("/")
    [counting] = [query["sql"] for query in queries if 'LEFT JOIN "boards_card"' in query["sql"]]
    assert " GROUP BY " in counting
    assert counting.count("SELECT") == 1


def test_many_boards_are_shown_page_by_page_the_last_changed_first(olga, monkeypatch):
    monkeypatch.setattr(home, "BOARDS", 2)
    made = [create_board(actor=web(olga), title=f"Board {number}.") for number in range(8)]
    for board in made[:3]:
        archive_board(actor=web(olga), board_id=board.pk)
    client = browser(olga)
    pages = [shown(client.get(f"/?page={number}")) for number in (1, 2, 3)]
    assert pages == [["Board 7.", "Board 6."], ["Board 5.", "Board 4."], ["Board 3."]]
    assert "3 archived boards" in text_of(client.get("/"))


@pytest.mark.parametrize("page", ["0", "-1", "99", "x", "１"])
def test_a_page_that_is_none_shows_boards_all_the_same(olga, page):
    create_board(actor=web(olga), title="Only")
    assert shown(browser(olga).get("/", {"page": page})) == ["Only"]


def shown(answer):
    return [board.title for board in answer.context["boards"]]


def due_on_the_page(user) -> list[str]:
    return re.findall(
        r'<li class="due-row" .*?class="title"[^>]*>([^<]*)<', browser(user).get("/").content.decode(), re.DOTALL
    )


def test_the_six_cards_that_are_due_for_me_soonest_are_on_the_start_page(olga, ed, board, todo):
    now = timezone.now()
    for days in (3, -2, 5, 1, 8, 7, 6):
        due = now + timedelta(days=days)
        create_card(actor=web(olga), list_id=todo.pk, title=f"In {days}", assignee_ids=[ed.pk], due_at=due)
    create_card(actor=web(olga), list_id=todo.pk, title="Of Olga", assignee_ids=[olga.pk], due_at=now)
    create_card(actor=web(olga), list_id=todo.pk, title="Without a date", assignee_ids=[ed.pk])
    assert due_on_the_page(ed) == ["In -2", "In 1", "In 3", "In 5", "In 6", "In 7"]
    assert due_on_the_page(olga) == ["Of Olga"]
    page = browser(ed).get("/").content.decode()
    assert page.count('class="fact due late"') == 1
    assert "Overdue" in text_of(browser(ed).get("/"))


def test_what_nobody_can_do_any_more_is_not_due(olga, ed, board, todo, doing):
    made = {}
    for title in ("Done", "Archived", "In an archived list", "Left"):
        place = doing if "list" in title else todo
        made[title] = create_card(
            actor=web(olga), list_id=place.pk, title=title, assignee_ids=[ed.pk], due_at=timezone.now()
        )
    complete_card(actor=web(olga), card_id=made["Done"].pk)
    archive_card(actor=web(olga), card_id=made["Archived"].pk)
    archive_list(actor=web(olga), list_id=doing.pk)
    assert due_on_the_page(ed) == ["Left"]
    archive_board(actor=web(olga), board_id=board.pk)
    assert due_on_the_page(ed) == []


def test_cards_of_boards_that_i_left_are_not_due_for_me(olga, ed, board, todo):
    create_card(actor=web(olga), list_id=todo.pk, title="Mine", assignee_ids=[ed.pk], due_at=timezone.now())
    Membership.objects.filter(user=ed).delete()
    assert due_on_the_page(ed) == []
    assert due_cards(Reader(ed), 6) == []


def test_only_editors_are_offered_to_tick_what_is_due(olga, ed, vera, board, todo):
    for user in (ed, vera):
        create_card(actor=web(olga), list_id=todo.pk, title="Mine", assignee_ids=[user.pk], due_at=timezone.now())
    assert ['class="done-check"' in browser(user).get("/").content.decode() for user in (ed, vera)] == [True, False]


def test_the_start_page_shows_the_first_four_rows_of_the_inbox(olga, ed, board, todo):
    run_jobs()
    Notification.objects.all().delete()
    for number in range(6):
        card = create_card(actor=web(olga), list_id=todo.pk, title=f"News {number}.", assignee_ids=[ed.pk])
        add_comment(actor=web(olga), card_id=card.pk, text="Look")
        run_jobs()
    page = browser(ed).get("/")
    assert [line.card.title for line in page.context["news"]] == [f"News {number}." for number in (5, 4, 3, 2)]


def test_both_sections_say_what_they_will_show(stan):
    page = text_of(browser(stan).get("/"))
    assert "Due for me My work Cards with a due date that are assigned to you appear here" in page
    assert "Nothing new. Mentions, comments and changes to what you follow appear here." in page
