"""*My work*: what the page shows to whom, its pages, and quick add."""

import re
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.models import User
from boards.actions.boards.board import create_board
from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import archive_list
from boards.models import Card, Membership
from boards.reading.work import Grouping
from conftest import join, run_jobs, web
from web.my import pages
from web.my.asked import Which
from web.tests.browsing import SCRIPTED, browser, text_of


def shown(user: User, query: str = "", **headers: str) -> list[str]:
    """Return the titles on the page of the user."""
    html = browser(user).get(f"/my{query}", **headers).content.decode()
    return re.findall(r'<a class="title" id="due-[^>]*>([^<]*)<', html)


@pytest.fixture
def given(olga, ed, board, todo):
    """Ed's cards: one is late, one is due later, and one has no date."""
    now = timezone.now()
    days: dict[str, int | None] = {"Late": -2, "Next month": 40, "Some day": None}
    for title, away in days.items():
        due = {} if away is None else {"due_at": now + timedelta(days=away)}
        create_card(actor=web(olga), list_id=todo.pk, title=title, assignee_ids=[ed.pk], **due)
    create_card(actor=web(olga), list_id=todo.pk, title="Of Olga", assignee_ids=[olga.pk])


def test_the_page_shows_my_cards_in_groups_each_with_its_number(given, ed):
    page = text_of(browser(ed).get("/my"))
    assert re.search(r"Overdue 1 .*Late .*Launch .*Later 1 .*Next month .*No due date 1 .*Some day", page)
    assert "Of Olga" not in page


def test_by_board_and_by_list_the_groups_have_their_names(given, ed, todo):
    assert re.search(r"Launch 3 .*Late", text_of(browser(ed).get("/my?by=board")))
    assert re.search(rf"{todo.title} Launch 3 .*Late", text_of(browser(ed).get("/my?by=list")))


def test_scripts_get_the_rows_alone(given, ed):
    answer = browser(ed).get("/my", **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    assert answer.content.decode().startswith('<div id="my-rows"')
    assert shown(ed, **SCRIPTED) == ["Late", "Next month", "Some day"]


def test_each_way_of_being_mine_is_asked_for_by_the_address(olga, ed, todo):
    made = {
        title: create_card(actor=web(who), list_id=todo.pk, title=title, assignee_ids=people)
        for title, who, people in (("Assigned", olga, [ed.pk]), ("Created", ed, []), ("Mentioned", olga, []))
    }
    add_comment(actor=web(olga), card_id=made["Mentioned"].pk, text=f"Look, [@Ed](mention:{ed.pk})")
    run_jobs()
    found = {which.value: {*shown(ed, f"?which={which}")} for which in Which}
    assert found == {
        "assigned": {"Assigned"},
        "followed": {"Assigned", "Created", "Mentioned"},
        "created": {"Created"},
        "mentioned": {"Mentioned"},
    }


@pytest.mark.parametrize("query", ["?which=nobody", "?by=phase", "?page=x", "?page=99", "?which=&by=&page=-1"])
def test_what_nobody_knows_counts_as_the_default(given, ed, query):
    assert shown(ed, query) == ["Late", "Next month", "Some day"]


@pytest.mark.parametrize("which", Which)
def test_without_any_card_the_page_says_what_will_be_there(stan, which):
    page = browser(stan).get(f"/my?which={which}")
    assert 'class="empty"' in page.content.decode()
    assert "Add a card for me" not in page.content.decode()  # as there is no board yet


def test_who_was_removed_sees_nothing_of_the_board_at_once(given, ed, board):
    Membership.objects.filter(user=ed, board=board).delete()
    for which in Which:
        for by in Grouping:
            page = browser(ed).get(f"/my?which={which}&by={by}")
            assert shown(ed, f"?which={which}&by={by}") == []
            assert "Launch" not in page.content.decode()


def test_viewers_get_no_control_that_would_be_refused(olga, vera, board, todo):
    create_card(actor=web(olga), list_id=todo.pk, title="To look at", assignee_ids=[vera.pk])
    html = browser(vera).get("/my").content.decode()
    assert "To look at" in html
    assert not re.search(r'class="(done-check|my-add)|row-more|data-edit', html)


def test_what_people_typed_is_escaped(olga, ed, board, todo):
    card = create_card(actor=web(olga), list_id=todo.pk, title="<b>One</b> & TITLE", assignee_ids=[ed.pk])
    label = create_label(actor=web(olga), board_id=board.pk, name="<i>Bug</i>")
    add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
    html = browser(ed).get("/my").content.decode()
    assert "&lt;b&gt;One&lt;/b&gt; &amp; TITLE" in html
    assert "<b>One" not in html
    assert "<i>Bug" not in html


def test_many_cards_are_shown_page_by_page_and_their_groups_say_all(given, ed, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 2)
    first = browser(ed).get("/my?by=board").content.decode()
    assert shown(ed, "?by=board") == ["Late", "Next month"]
    assert 'rel="next" href="/my?by=board&amp;page=2"' in first
    assert 'rel="prev"' not in first
    assert re.search(r'class="count">3<', first)
    assert shown(ed, "?by=board&page=2") == ["Some day"]
    assert 'rel="prev" href="/my?by=board"' in browser(ed).get("/my?by=board&page=2").content.decode()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("which", Which)
def test_the_page_costs_as_many_statements_for_two_cards_as_for_forty(olga, ed, which, django_assert_num_queries):
    def fill(boards: int, cards: int) -> None:
        for number in range(boards):
            board = create_board(actor=web(olga), title=f"Board {number}", template="kanban")
            join(ed, board)
            label = create_label(actor=web(olga), board_id=board.pk, name="Mine")
            for place in range(cards):
                due = {"due_at": timezone.now() + timedelta(days=place)}
                card = create_card(actor=web(ed), board_id=board.pk, title=f"{place}", assignee_ids=[ed.pk], **due)
                add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)
                add_comment(actor=web(olga), card_id=card.pk, text=f"Look, [@Ed](mention:{ed.pk})")
        run_jobs()

    User.objects.filter(pk=olga.pk).update(plan="pro")
    client = browser(ed)
    fill(2, 1)
    # session, user, boards, rows with their labels and comments, saved filters, labels to filter by
    with django_assert_num_queries(6):
        assert client.get(f"/my?which={which}").content.count(b"due-row") == 3  # with the list around them
    fill(19, 2)
    with django_assert_num_queries(7):  # and the number without the filter
        client.get(f"/my?which={which}&q=1&label=Mine")
    assert len(shown(ed, f"?which={which}")) == 40


def test_quick_add_creates_a_card_of_mine_in_the_first_list_of_the_board(ed, board, todo):
    answer = browser(ed).post("/my?by=board", {"title": "Call the printer", "board": board.pk})
    assert (answer.status_code, answer.url) == (302, "/my?by=board")
    card = Card.objects.get()
    assert (card.title, card.list, [*card.assignees.all()]) == ("Call the printer", todo, [ed])


def test_quick_add_goes_on_with_the_board_of_the_last_card_whatever_others_change(olga, ed, board, todo):
    other = create_board(actor=web(olga), title="Other", template="kanban")
    join(ed, other)
    client = browser(ed)
    client.post("/my", {"title": "Call the printer", "board": board.pk}, **SCRIPTED)
    create_card(actor=web(olga), board_id=other.pk, title="Newer")
    assert f'<option value="{board.pk}" selected>' in client.get("/my").content.decode()


def test_quick_add_sets_what_chips_say(olga, ed, board, todo):
    label = create_label(actor=web(olga), board_id=board.pk, name="Press")
    said = {"title": "Call", "due": "2030-01-04", "recurrence": "weekly", "label": label.pk, "person": [olga.pk, ed.pk]}
    browser(ed).post("/my", {"board": board.pk} | said)
    card = Card.objects.get()
    assert (str(card.due_day), card.recurrence, [*card.labels.all()]) == ("2030-01-04", "weekly", [label])
    assert {*card.assignees.all()} == {ed, olga}


def test_quick_add_refuses_a_label_of_another_board_and_a_person_who_is_no_member(olga, ed, stan, board, todo):
    other = create_board(actor=web(olga), title="Other")
    label = create_label(actor=web(olga), board_id=other.pk, name="Foreign")
    for said in ({"label": label.pk}, {"person": stan.pk}, {"due": "soon"}):
        assert browser(ed).post("/my", {"title": "New", "board": board.pk} | said).status_code in (404, 422)
    assert not Card.objects.exists()


def test_scripts_that_add_a_card_get_a_message_with_undo(ed, board, todo):
    answer = browser(ed).post("/my", {"title": "Call the printer", "board": board.pk}, **SCRIPTED)
    assert f"“Call the printer” · Added to {todo.title} on Launch." in text_of(answer)
    assert f'formaction="/board/{board.pk}/undo"' in answer.content.decode()


@pytest.mark.parametrize("who, status", [("vera", 403), ("stan", 404)])
def test_quick_add_is_for_editors(who, status, request, board, todo):
    answer = browser(request.getfixturevalue(who)).post("/my", {"title": "New", "board": board.pk})
    assert answer.status_code == status
    assert not Card.objects.exists()


@pytest.mark.parametrize(
    "form, status, sentence",
    [
        ({"title": " "}, 422, "Title must not be empty."),
        ({"title": "x" * 501}, 422, "Title must have at most 500 characters"),
        ({"title": "New", "board": "x"}, 404, ""),
        ({"title": "New", "board": ""}, 422, "Choose a board."),
    ],
)
def test_quick_add_refuses_with_a_sentence_and_adds_nothing(ed, board, todo, form, status, sentence):
    answer = browser(ed).post("/my", {"board": board.pk} | form)
    assert answer.status_code == status
    assert sentence in text_of(answer)
    assert not Card.objects.exists()


def test_a_board_without_lists_says_what_it_lacks(ed, board, todo, olga):
    archive_list(actor=web(olga), list_id=todo.pk)
    answer = browser(ed).post("/my", {"title": "New", "board": board.pk})
    assert answer.status_code == 422
    assert "This board has no lists yet. Add a list first." in text_of(answer)


def test_only_open_boards_that_i_may_change_are_offered(olga, ed, vera, board):
    own = create_board(actor=web(vera), title="Own")
    forms = {
        user.name: re.search(r'<form class="my-add".*?</form>', browser(user).get("/my").content.decode(), re.DOTALL)[0]
        for user in (ed, vera)
    }
    offered = {name: re.findall(r'<option value="[^"]+">([^<]*)<', form) for name, form in forms.items()}
    assert offered == {"Ed": ["Launch"], "Vera": [own.title]}


def test_the_list_of_keys_names_those_that_act_on_my_work_and_no_others(ed):
    html = browser(ed).get("/help").content.decode()

    def named(title: str) -> set[str]:
        [group] = re.findall(rf"<h\d>{title}</h\d>(.*?)</section>", html, re.DOTALL)
        return set(re.findall(r"<kbd>([A-Z])</kbd>", group))

    def keys(lines: Iterable[str]) -> set[str]:
        return {key.upper() for line in lines for key in re.findall(r"[{ ]([a-z]): ", line)}

    script = Path("static/js/my/my-keys.js").read_text().splitlines()
    of_tables = [line for line in script if line.startswith("const OF_TABLE")]
    assert named("My work") == keys(line for line in script if line not in of_tables)
    assert keys(of_tables) <= named("Table")


def test_the_start_page_leads_to_my_work_and_the_bar_names_it(ed):
    assert browser(ed).get("/").content.decode().count(' href="/my"') == 2
    assert re.search(r'href="/my" aria-current="page"', browser(ed).get("/my").content.decode())


def test_list_and_table_lead_to_each_other_and_keep_which_cards(ed):
    assert 'href="/my/table?which=followed"' in browser(ed).get("/my?which=followed&by=list").content.decode()
    assert 'href="/my?which=followed"' in browser(ed).get("/my/table?which=followed&sort=title").content.decode()
