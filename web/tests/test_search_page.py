"""The search page: what it finds for whom, what it marks, how it is narrowed, and its pages."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.models import User
from accounts.pictures import set_picture
from boards.actions.boards.board import archive_board, create_board
from boards.actions.cards.archive import archive_card
from boards.actions.cards.card import complete_card, create_card, update_card
from boards.actions.cards.checklists import add_item, create_checklist
from boards.actions.cards.comments import add_comment
from boards.actions.cards.labels import add_label, create_label
from boards.actions.lists.list import create_list
from boards.actions.people.members import remove_member
from boards.models import Attachment, Board, Card, StoredFile
from boards.reading import search, search_page
from boards.reading.cards import cards_with_faces
from conftest import web
from web.search import pages
from web.tests.browsing import SCRIPTED, browser, text_of


def ask(user: User, query: str = "", **others: object):
    return browser(user).get("/search", {"q": query, **others})


def titles(answer) -> list[str]:
    """Return the titles of all results, with the marked words in brackets."""
    found = re.findall(r'<li class="hit.*?<a class="title" href="[^"]*">(.*?)</a>', answer.content.decode())
    return [unescape(title.replace("<mark>", "[").replace("</mark>", "]")) for title in found]


def snippets(answer) -> list[str]:
    """Return the sentences around the words, and where they are, with the marked words in brackets."""
    found = re.findall(r'<span class="snippet">(.*?)</span></span></li>', answer.content.decode())
    marked = [text.replace("<mark>", "[").replace("</mark>", "]") for text in found]
    return [unescape(re.sub(r"<[^>]+>", "", text)) for text in marked]


@pytest.fixture
def make(olga, todo):
    return lambda title, **fields: create_card(actor=web(olga), list_id=todo.pk, title=title, **fields)


def attach(card: Card, name: str) -> None:
    stored = StoredFile.objects.create(name=name, size=1, content_type="text/plain", sha256="0" * 64)
    Attachment.objects.create(board=card.board, card=card, file=stored, file_name=name, uploaded_by=card.created_by)


def fill(make, olga, ed) -> None:
    """Make a card with the word *zeppelin* in each place."""
    add_comment(actor=web(ed), card_id=make("In a comment").pk, text="Hm. Is the **ZEPPELIN** ready?")
    checklist = create_checklist(actor=web(olga), card_id=make("In an item").pk, title="Steps")
    add_item(actor=web(olga), checklist_id=checklist.pk, text="Fill the zeppelin")
    create_checklist(actor=web(olga), card_id=make("In a checklist").pk, title="Zeppelins")
    attach(make("In a file"), "zeppelin.pdf")
    make("In the text", description="Buy gas. The zeppelin needs it.")
    make("Zeppelin")


# What is found


def test_a_card_is_found_by_a_word_wherever_it_is_and_the_word_is_marked_in_its_sentence(make, olga, ed, vera):
    fill(make, olga, ed)
    answer = ask(vera, "zeppelin")
    assert answer.status_code == 200
    found = dict(zip(titles(answer), snippets(answer), strict=True))
    assert {title: text.rpartition(" · #")[0] for title, text in found.items()} == {
        "[Zeppelin]": "",
        "In the text": "The [zeppelin] needs it. · description",
        "In a file": "[zeppelin].pdf · file",
        "In a checklist": "[Zeppelin]s · checklist",
        "In an item": "Fill the [zeppelin] · checklist",
        "In a comment": "Ed: Is the [ZEPPELIN] ready? · comment · Today",
    }
    assert titles(answer)[0] == "[Zeppelin]"
    assert all(text.endswith("· Launch · To do") for text in found.values())
    assert "6 results" in text_of(answer)


def test_boards_and_people_are_found_by_their_names(olga, ed, vera, board):
    create_board(actor=web(olga), title="Plan of the launch")
    assert titles(ask(olga, "launch")) == ["[Launch]", "Plan of the [launch]"]
    answer = ask(olga, "ver")
    assert titles(answer) == ["[Ver]a"]
    assert f'href="/search?who={vera.pk}"' in answer.content.decode()


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize("query", ['"Plan of the launch"', "plan, launch", "“Launch” of"])
def test_quotation_marks_and_commas_part_the_words_of_a_board_as_those_of_a_card(olga, make, query):
    create_board(actor=web(olga), title="Plan of the launch")
    make("Plan of the launch")
    assert len(titles(ask(olga, query))) == 2


def test_neither_oneself_nor_somebody_without_access_to_the_service_is_found_among_people(olga, ed, vera, board):
    assert titles(ask(ed, "ed")) == []
    User.objects.filter(pk=vera.pk).update(is_active=False)
    assert titles(ask(olga, "vera")) == []


def test_people_are_found_by_their_names_alone(olga, vera, board):
    assert titles(ask(olga, vera.email)) == titles(ask(olga, "example.com")) == []
    assert vera.email not in ask(olga, "Vera").content.decode()


def test_a_number_finds_the_cards_with_it_and_marks_it(olga, make, board):
    card = make("Print")
    make("Other")
    answer = ask(olga, f"#{card.number}")
    assert titles(answer) == ["Print"]
    assert snippets(answer) == [f"[#{card.number}] · Launch · To do"]


@pytest.mark.usefixtures("each_makes_statements")
@pytest.mark.parametrize(("written", "sent"), [("会議の資料", "資料"), ("KA", "ka"), ("ÜBER", "über")])
def test_short_words_and_other_scripts_are_found_and_marked(olga, ed, make, written, sent):
    add_comment(actor=web(ed), card_id=make("Print").pk, text=f"Well: {written}!")
    assert "[" in snippets(ask(olga, sent))[0]


def test_titles_come_before_texts_open_cards_before_done_ones_and_new_changes_before_old(olga, make):
    make("Order paper", description="for the flyers")
    done = make("Draw flyers")
    make("Old flyers")
    make("New flyers")
    complete_card(actor=web(olga), card_id=done.pk)
    answer = ask(olga, "flyers")
    assert titles(answer) == ["New [flyers]", "Old [flyers]", "Draw [flyers]", "Order paper"]
    assert text_of(answer).index("Best match") < text_of(answer).index("New flyers") < text_of(answer).index("Cards ")


def test_the_palette_shows_the_same_cards_first(olga, ed, make):
    fill(make, olga, ed)
    offered = browser(olga).get("/jump", {"q": "zeppelin"}, **SCRIPTED).content.decode()
    shown = re.findall(r"\?card=([0-9a-f-]+)", ask(olga, "zeppelin").content.decode())
    assert re.findall(r'id="to-card-([^"]+)"', offered) == shown
    assert len(shown) == 6


# What is not


def test_a_stranger_finds_nothing_of_a_board_and_sees_no_name_of_it(olga, ed, stan, board, make):
    fill(make, olga, ed)
    label = create_label(actor=web(olga), board_id=board.pk, name="Secret")
    filters = [
        {},
        {"board": str(board.pk)},
        {"who": [str(ed.pk), "nobody"]},
        {"label": [label.name, "Other"]},
        {"archived": "1"},
        {"changed": ["day", "week"], "state": ["open", "done"], "due": ["none", "week"]},
    ]
    for query in ("zeppelin", "launch", "Ed", "Olga", "#1", ""):
        for others in filters:
            answer = ask(stan, query, **others)
            assert titles(answer) == []
            assert not any(name in text_of(answer) for name in {"Launch", "Olga", "To do"} - {query})
    assert '"Secret"' not in ask(stan).content.decode()


def test_nothing_of_a_board_is_found_once_a_member_is_removed(olga, ed, vera, board, make):
    fill(make, olga, ed)
    create_label(actor=web(olga), board_id=board.pk, name="Secret")
    client = browser(vera)
    before = client.get("/search", {"q": "zeppelin"})
    assert len(titles(before)) == 6
    assert {"Launch", "Secret", "Olga"} <= {*offered(before).values()}
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    for query in ("zeppelin", "launch", "Olga"):
        after = client.get("/search", {"q": query})
        assert titles(after) == []
        assert not any(name in after.content.decode() for name in ("Launch", "Secret", "Olga</"))


def test_archived_cards_are_found_by_choice_and_those_of_archived_boards_are_not(olga, make):
    archive_card(actor=web(olga), card_id=make("Gone flyer").pk)
    other = create_board(actor=web(olga), title="Attic")
    row = create_list(actor=web(olga), board_id=other.pk, title="Old")
    create_card(actor=web(olga), list_id=row.pk, title="Flyer of the attic")
    archive_board(actor=web(olga), board_id=other.pk)
    assert titles(ask(olga, "flyer")) == []
    assert "Search archived cards too" in text_of(ask(olga, "flyer"))
    found = ask(olga, "flyer", archived="1")
    assert titles(found) == ["Gone [flyer]"]
    assert "archived" in snippets(found)[0]


def test_archived_cards_come_in_their_order_among_many_open_ones(olga, make):
    for number in range(25):
        make(f"Flyer {number}")
    archive_card(actor=web(olga), card_id=make("Old flyer").pk)
    assert titles(ask(olga, "flyer", archived="1"))[0] == "Old [flyer]"


def test_a_state_narrows_archived_cards_too(olga, make):
    for title, is_done in (("Open flyer", False), ("Done flyer", True)):
        card = make(title)
        if is_done:
            complete_card(actor=web(olga), card_id=card.pk)
        archive_card(actor=web(olga), card_id=card.pk)
    assert titles(ask(olga, "flyer", archived="1", state="open")) == ["Open [flyer]"]
    assert titles(ask(olga, "flyer", archived="1", state="done")) == ["Done [flyer]"]


def test_an_archived_board_that_narrows_the_search_is_named(olga, board, make):
    archive_board(actor=web(olga), board_id=board.pk)
    assert (
        f'<option value="{board.pk}" selected>Launch</option>' in ask(olga, "x", board=str(board.pk)).content.decode()
    )


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script> zeppelin", "<b>zeppelin", "&lt;zeppelin&quot;", "zeppelin</mark>"]
)
def test_what_people_wrote_is_shown_as_text(olga, ed, board, make, text):
    card = make(text)
    add_comment(actor=web(ed), card_id=make("In a comment").pk, text=f"`{text}`")
    add_item(
        actor=web(ed),
        checklist_id=create_checklist(actor=web(ed), card_id=make("In an item").pk, title="S").pk,
        text=text,
    )
    attach(make("In a file"), text)
    create_board(actor=web(olga), title=text)
    html = ask(olga, "zeppelin").content.decode()
    results = html[html.index('id="search-results"') : html.index("</main>")]
    assert card.get_absolute_url().replace("&", "&amp;") in results
    assert not re.search(r"<(script|b|/mark><)>", results)
    assert results.count("<mark>") == results.count("</mark>") == 5
    assert all(inside == "zeppelin" for inside in re.findall(r"<mark>(.*?)</mark>", results))


@pytest.mark.parametrize("query", ["<script>", '"><img src=x>', "script"])
def test_what_was_typed_is_shown_as_text(olga, make, query):
    make("<script> is a word")
    html = ask(olga, query).content.decode()
    assert "<script> is" not in html
    assert '"><img' not in html


@pytest.mark.parametrize("path", ["/", "/help", "/my"])
def test_the_field_of_the_search_is_in_the_head_of_every_page_but_its_own(olga, board, path):
    field = 'class="jump" action="/search" role="search"'
    assert field in browser(olga).get(path).content.decode()
    assert field in browser(olga).get(board.get_absolute_url()).content.decode()
    assert field not in ask(olga).content.decode()
    assert field not in browser().get("/help").content.decode()


# What narrows it


def test_each_filter_narrows_the_search_and_all_of_them_together(olga, ed, board, make):
    other = create_board(actor=web(olga), title="Garden")
    row = create_list(actor=web(olga), board_id=other.pk, title="Beds")
    create_card(actor=web(olga), list_id=row.pk, title="Garden flyer")
    mine, late, done = make("Mine flyer", assignee_ids=[ed.pk]), make("Late flyer"), make("Done flyer")
    Card.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(days=2))
    complete_card(actor=web(olga), card_id=done.pk)
    label = create_label(actor=web(olga), board_id=board.pk, name="Urgent")
    add_label(actor=web(olga), card_id=mine.pk, label_id=label.pk)

    def found(user: User = olga, **others: object) -> list[str]:
        return sorted(title.partition(" ")[0] for title in titles(ask(user, "flyer", **others)))

    assert found() == ["Done", "Garden", "Late", "Mine"]
    assert found(board=str(other.pk)) == ["Garden"]
    assert found(who=str(ed.pk)) == found(ed, who="me") == ["Mine"]
    assert found(who="nobody") == ["Done", "Garden", "Late"]
    assert found(label="Urgent") == ["Mine"]
    assert found(due="overdue") == ["Late"]
    assert found(due="none") == ["Done", "Garden", "Mine"]
    assert found(state="done") == ["Done"]
    assert found(state="open", who="nobody", board=str(board.pk)) == ["Late"]
    assert found(label="Urgent", state="done") == []


def test_a_label_that_narrows_the_search_is_chosen_though_no_board_has_it_now(olga, make):
    assert ticked(ask(olga, "x", label="<Gone>")) == ["label=<Gone>"]


def test_filters_alone_find_cards_and_the_form_keeps_them(olga, ed, make):
    make("Mine", assignee_ids=[ed.pk])
    answer = ask(olga, "", who=str(ed.pk), state="open")
    assert titles(answer) == ["Mine"]
    assert ticked(answer) == [f"who={ed.pk}", "state=open"]


@pytest.mark.parametrize(
    "query",
    [
        {"board": "1"},
        {"who": "x"},
        {"due": "soon"},
        {"state": "x"},
        {"changed": "x"},
        {"after": "x"},
        {"label": ["\0", " "]},
    ],
)
def test_what_nobody_knows_counts_as_none(olga, make, query):
    make("Flyer")
    assert titles(ask(olga, "flyer", **query)) == ["[Flyer]"]


def test_values_of_a_kind_are_combined_by_or_and_kinds_by_and(olga, ed, vera, labelled, make):
    mine, late, done = (make(title, assignee_ids=[ed.pk]) for title in ("Mine", "Late", "Done"))
    hers = make("Hers", assignee_ids=[vera.pk])
    make("Of no one")
    Card.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(days=2))
    Card.objects.filter(pk=mine.pk).update(due_at=timezone.now() + timedelta(days=60))
    complete_card(actor=web(olga), card_id=done.pk)
    labelled("Urgent", mine, hers)
    labelled("Odd, name", late, done)

    def found(**others: object) -> list[str]:
        return sorted(titles(ask(ed, "", **others)))

    assert found(label=["Urgent", "Odd, name"]) == ["Done", "Hers", "Late", "Mine"]
    assert found(label=["Urgent", "Unknown"]) == ["Hers", "Mine"]
    assert found(who=["me", str(vera.pk)]) == ["Done", "Hers", "Late", "Mine"]
    assert found(who=["nobody", str(vera.pk)]) == ["Hers", "Of no one"]
    assert found(due=["overdue", "none"]) == ["Done", "Hers", "Late", "Of no one"]
    assert found(state=["open", "done"]) == ["Done", "Hers", "Late", "Mine", "Of no one"]
    assert found(label=["Urgent", "Odd, name"], who=["me"], due=["overdue", "none"]) == ["Done", "Late"]
    assert found(label=["Urgent", "Odd, name"], who=["me", "nobody"], state=["open"]) == ["Late", "Mine"]


@pytest.fixture
def labelled(olga, board):
    def wear(name: str, *cards: Card) -> None:
        label = create_label(actor=web(olga), board_id=board.pk, name=name)
        for card in cards:
            add_label(actor=web(olga), card_id=card.pk, label_id=label.pk)

    return wear


def test_cards_are_found_by_when_they_were_changed(olga, make):
    for title, hours in (("Now", 1), ("This week", 30), ("Long ago", 24 * 8)):
        Card.objects.filter(pk=make(title).pk).update(updated_at=timezone.now() - timedelta(hours=hours))
    assert titles(ask(olga, "", changed="day")) == ["Now"]
    assert (
        titles(ask(olga, "", changed="week")) == titles(ask(olga, "", changed=["day", "week"])) == ["Now", "This week"]
    )
    assert titles(ask(olga, "this", changed="day")) == []


def test_each_value_stays_ticked_and_a_menu_says_one_in_words_and_several_by_their_number(olga, ed, labelled, make):
    labelled("Urgent", make("Flyer", assignee_ids=[ed.pk]))
    labelled("Odd & <new>")
    answer = ask(
        olga,
        "",
        label=["Urgent", "Odd & <new>"],
        who=[str(ed.pk), "me", "nobody"],
        due="week",
        changed="week",
        state="done",
    )
    assert sorted(ticked(answer)) == sorted(
        ["label=Odd & <new>", "label=Urgent", "who=me", "who=nobody", f"who={ed.pk}"]
        + ["due=week", "state=done", "changed=week"]
    )
    assert summaries(answer) == [
        ("Label", "2"),
        ("Assigned to", "3"),
        ("Due", "This week"),
        ("Status", "Done"),
        ("Changed", "In the last 7 days"),
    ]
    assert {said for _kind, said in summaries(ask(olga))} == {""}


def test_oneself_and_somebody_who_left_are_ticked_under_the_names_that_people_see(olga, ed, stan, board):
    answer = ask(olga, "", who=[str(olga.pk), str(stan.pk)])
    assert ticked(answer) == ["who=me", f"who={stan.pk}"]
    assert offered(answer)[f"who={stan.pk}"] == "Former member"
    assert "Stan" not in text_of(answer)


def offered(answer) -> dict[str, str]:
    """Return what one can tick or choose, and its words."""
    html = answer.content.decode()
    found = re.findall(r'name="(\w+)" value="([^"]*)"(?: checked)?><span dir="auto">(.*?)</span>', html)
    boards = [
        ("board", *option) for option in re.findall(r'<option value="([^"]+)"(?: selected)?>(.*?)</option>', html)
    ]
    return {unescape(f"{name}={value}"): unescape(words) for name, value, words in [*boards, *found]}


def ticked(answer) -> list[str]:
    found = re.findall(r'name="(\w+)" value="([^"]*)" checked>', answer.content.decode())
    return [unescape(f"{name}={value}") for name, value in found]


def summaries(answer) -> list[tuple[str, str]]:
    """Return what each menu is called, and what it says is chosen."""
    found = re.findall(r"<summary>(.*?)</summary>", answer.content.decode(), re.DOTALL)
    parts = [re.findall(r"<span[^>]*>(.*?)</span>", one) for one in found]
    return [(kind, unescape(said)) for kind, said in (one for one in parts if len(one) == 2)]


@pytest.mark.parametrize("kind", ["label", "who"])
def test_more_values_of_a_kind_than_a_boards_filter_takes_are_refused_and_stay_ticked(olga, make, kind):
    make("Flyer")
    values = [str(uuid7()) for _number in range(51)]
    for headers in ({}, SCRIPTED):
        answer = browser(olga).get("/search", {"q": "flyer", kind: values}, **headers)
        assert answer.status_code == 422
        assert "A filter has at most 50 values of a kind." in text_of(answer)
    assert len(ticked(ask(olga, "flyer", **{kind: values}))) == 51
    assert ask(olga, "flyer", **{kind: values[:50]}).status_code == 200


@pytest.mark.parametrize("query", ["", "flyer", "#1"])
def test_the_filter_is_cleared_by_an_address_that_keeps_words_and_archived_cards(olga, make, query):
    make("Flyer")
    answer = ask(olga, query, label=["a", "b"], who="me", changed="day", archived="1")
    [cleared, again] = re.findall(r'clear-filter" href="([^"]*)"', answer.content.decode())
    assert cleared == again
    after = browser(olga).get(unescape(cleared))
    assert ticked(after) == ["archived=1"]
    assert f'name="q" value="{query}"' in after.content.decode()


# The page


def test_without_words_the_page_says_what_is_searched(olga, board):
    answer = ask(olga)
    assert titles(answer) == []
    assert "Search titles, descriptions, comments" in text_of(answer)


def test_where_nothing_is_found_the_page_says_so_with_the_next_step(olga, board):
    assert "Nothing found for “<b>”." in text_of(ask(olga, "<b>"))
    assert "Clear filter" in text_of(ask(olga, "flyer", state="done"))
    assert "No card matches these filters." in text_of(ask(olga, "", state="done"))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("x" * 501, "Search text must have at most 500 characters"),
        (" ".join(f"w{number}" for number in range(21)), "Search text must have at most 20 words."),
        ("a\0b", "cannot be stored"),
    ],
)
def test_a_query_that_is_too_long_is_refused_with_a_sentence(olga, board, query, words):
    for headers in ({}, SCRIPTED):
        answer = browser(olga).get("/search", {"q": query}, **headers)
        assert answer.status_code == 422
        assert words in text_of(answer)


def test_results_come_in_pages_that_neither_repeat_nor_leave_out_a_card(olga, make, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 3)
    for number in range(4):
        make(f"Flyer {number}")
        make(f"Text {number}", description="flyer")
    client = browser(olga)
    assert pages_from(client, "/search?q=flyer") == [f"[Flyer] {number}" for number in (3, 2, 1, 0)] + [
        f"Text {number}" for number in (3, 2, 1, 0)
    ]
    assert numbers(client.get("/search?q=flyer")) == {"Cards": "8"}
    assert "8 results" in text_of(client.get("/search?q=flyer"))
    second = re.search(r'rel="next" href="([^"]+)"', client.get("/search?q=flyer").content.decode())[1]
    assert numbers(client.get(unescape(second))) == {"Cards": ""}
    assert "More than 3 results" in text_of(client.get(unescape(second)))


def test_pages_of_several_values_and_of_a_time_that_moves_on_follow_each_other(
    olga, ed, vera, labelled, make, monkeypatch
):
    monkeypatch.setattr(pages, "A_PAGE", 3)
    cards = [make(f"Flyer {number}", assignee_ids=[(ed, vera)[number % 2].pk]) for number in range(8)]
    labelled("Urgent", *cards[:4])
    labelled("Odd", *cards[4:])
    address = f"/search?label=Urgent&label=Odd&who={ed.pk}&who={vera.pk}&due=none&due=week&changed=day&changed=week"
    assert pages_from(browser(olga), address) == [f"Flyer {number}" for number in reversed(range(8))]


def pages_from(client, address: str) -> list[str]:
    """Return the titles of all pages."""
    seen: list[str] = []
    while address:
        answer = client.get(address)
        seen += titles(answer)
        further = re.search(r'rel="next" href="([^"]+)"', answer.content.decode())
        address = unescape(further[1]) if further else ""
    return seen


def numbers(answer) -> dict[str, str]:
    """Return the number beside each head; "" where it has none."""
    found = re.findall(r'<h2 id="found-[^>]*>(.*?)</h2>', answer.content.decode(), re.DOTALL)
    parts = [re.sub(r"<[^>]*>", " ", head).split() for head in found]
    return {name: number[0] if number else "" for name, *number in parts}


def test_cards_of_a_board_that_is_deleted_meanwhile_are_left_out(olga, board, make, monkeypatch):
    for title in ("Flyer", "Flyers"):
        make(title)

    def delete_then_read(ids):
        Board.objects.filter(pk=board.pk).delete()
        return cards_with_faces(ids)

    monkeypatch.setattr(pages, "A_PAGE", 1)
    monkeypatch.setattr(search_page, "cards_with_faces", delete_then_read)
    assert titles(ask(olga, "flyer")) == []


def test_the_heads_say_how_many_boards_people_and_cards_there_are(olga, ed, vera, make):
    User.objects.filter(pk__in=(ed.pk, vera.pk)).update(name="A flyer")
    for number in range(8):
        create_board(actor=web(olga), title=f"Flyer {number}")
        make(f"Flyer {number}")
    answer = ask(olga, "flyer")
    assert numbers(answer) == {"Boards": "8", "People": "2", "Cards": "8"}
    assert len(titles(answer)) == 6 + 2 + 8
    assert "18 results" in text_of(answer)
    assert numbers(ask(olga, "flyer", state="open")) == {"Cards": "8"}
    assert numbers(ask(olga, "nothing")) == {}


def test_people_who_are_found_are_not_headed_as_assignees(olga, ed, board):
    User.objects.filter(pk=ed.pk).update(name="A flyer")
    User.objects.filter(pk=olga.pk).update(language="ja")
    assert numbers(ask(olga, "flyer")) == {"メンバー": "1"}


@pytest.mark.parametrize(("most", "farthest", "said"), [(6, 50, "6"), (5, 50, "5+"), (6, 3, "5+"), (4, 3, "4+")])
def test_cards_are_counted_up_to_a_bound_and_where_few_must_be_asked(make, olga, monkeypatch, most, farthest, said):
    monkeypatch.setattr(pages, "A_PAGE", 3)
    monkeypatch.setattr(search_page, "MOST", most)
    monkeypatch.setattr(search, "FARTHEST", farthest)
    for number in range(6):
        make(f"Flyer {number}")
    answer = ask(olga, "flyer")
    assert numbers(answer) == {"Cards": said}
    assert f"{'' if said == '6' else 'More than '}{said.strip('+')} results" in text_of(answer)
    assert len(titles(answer)) == 3


def test_what_is_narrowed_is_counted_where_it_leaves_few_cards(make, olga, ed, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 1)
    monkeypatch.setattr(search, "FARTHEST", 3)
    for number in range(6):
        make(f"Flyer {number}", assignee_ids=[ed.pk] if number % 2 else [])
    assert numbers(ask(olga, "flyer", who=ed.pk)) == {"Cards": "3"}
    assert numbers(ask(olga, "flyer")) == {"Cards": "5+"}


def test_cards_of_rare_words_are_counted_where_they_are_found(make, olga, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 3)
    monkeypatch.setattr(search, "NEAREST", 2)
    monkeypatch.setattr(search, "FARTHEST", 2)
    for number in range(6):
        make(f"Text {number}", description="flyer")
    assert numbers(ask(olga, "flyer")) == {"Cards": "6"}


def test_nothing_that_one_cannot_see_is_counted(make, olga, stan, vera, board):
    other = create_board(actor=web(stan), title="Flyer of Stan")
    row = create_list(actor=web(stan), board_id=other.pk, title="Own")
    for number in range(3):
        make(f"Flyer {number}")
        create_card(actor=web(stan), list_id=row.pk, title=f"Flyer {number}")
    assert numbers(ask(vera, "flyer")) == {"Cards": "3"}
    assert numbers(ask(stan, "flyer")) == {"Boards": "1", "Cards": "3"}
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    assert numbers(ask(vera, "flyer")) == {}


def test_people_are_shown_by_their_pictures(make, olga, ed):
    set_picture(ed, b"a picture")
    make("Flyer", assignee_ids=[ed.pk, olga.pk])
    html = ask(olga, "flyer").content.decode()
    assert re.search(
        rf'aria-label="Ed" title="Ed">E<img src="/people/{ed.picture}" alt="" loading="lazy"></span>', html
    )
    assert re.search(r'aria-label="Olga" title="Olga">O</span>', html)
    assert f"/people/{ed.picture}" in ask(olga, "ed").content.decode()


@pytest.mark.parametrize(("number", "statements", "said"), [(5, 8, "5"), (90, 8, "90"), (120, 6, "100+")])
def test_counting_takes_two_statements_or_none_where_the_search_has_found_enough(
    make, olga, monkeypatch, number, statements, said, django_assert_num_queries
):
    monkeypatch.setattr(pages, "A_PAGE", 3)
    for place in range(number):
        make(f"Flyer {place}")
    client = browser(olga)
    # session, user, boards, people, next open cards with the word in the title, cards, numbers given, how many with words
    with django_assert_num_queries(statements):
        answer = client.get("/search", {"q": "flyer"}, **SCRIPTED)
    assert numbers(answer) == {"Cards": said}


def test_scripts_get_the_results_alone(olga, make):
    make("Flyer")
    answer = browser(olga).get("/search", {"q": "flyer"}, **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    assert answer.content.decode().startswith('<div id="search-results" data-said="1 result"')
    assert titles(answer) == ["[Flyer]"]


def test_searches_of_page_and_palette_have_a_limit_of_their_own(settings, olga, ed, board):
    settings.LIMITS = {**settings.LIMITS, "search": "2/d"}
    client = browser(olga)
    assert client.get("/search").status_code == 200
    assert client.get("/search", {"q": "launch"}, **SCRIPTED).status_code == 200
    assert client.get("/jump", {"q": "launch"}, **SCRIPTED).status_code == 200
    for path in ("/search", "/jump"):
        answer = client.get(path, {"q": "launch"}, **SCRIPTED)
        assert answer.status_code == 429
        assert "Too many requests. Wait" in text_of(answer)
    assert client.get("/search", {"q": "launch"}).status_code == 429
    assert client.get("/jump", **SCRIPTED).status_code == 200
    assert browser(ed).get("/search", {"q": "launch"}).status_code == 200


def test_the_statements_do_not_grow_with_boards_or_results(olga, ed, vera, board, make, django_assert_max_num_queries):
    User.objects.filter(pk=olga.pk).update(plan="pro")
    olga.refresh_from_db()
    client = browser(olga)

    def grow(number: int) -> None:
        for place in range(number):
            made = create_board(actor=web(olga), title=f"Launch {number} {place}", template="kanban")
            create_label(actor=web(olga), board_id=made.pk, name=f"Label {number} {place}")
            card = create_card(actor=web(olga), list_id=made.lists.first().pk, title="Card", assignee_ids=[olga.pk])
            add_comment(actor=web(olga), card_id=card.pk, text=f"flyer {place}")

    grow(2)
    client.get("/search")
    with django_assert_max_num_queries(13):
        client.get("/search", {"q": "flyer"})
    grow(12)
    with django_assert_max_num_queries(13):
        assert len(titles(client.get("/search", {"q": "flyer"}))) == 14
    with django_assert_max_num_queries(12):
        client.get("/search", {"q": "flyer"}, **SCRIPTED)


def test_the_statements_do_not_grow_with_chosen_values(olga, ed, vera, labelled, make, django_assert_num_queries):
    cards = [make(f"Flyer {place}", assignee_ids=[ed.pk, vera.pk]) for place in range(3)]
    names = [f"Label {place}" for place in range(8)]
    for name in names:
        labelled(name, *cards)
    client = browser(olga)
    for labels, people, kinds in ((names[:1], [ed.pk], ["week"]), (names, [ed.pk, vera.pk], ["week", "none", "day"])):
        sent = {"q": "flyer", "label": labels, "who": people, "due": [*kinds, "none"], "changed": kinds}
        # session, user, boards, people, next open cards, titles, texts, cards, labels
        with django_assert_num_queries(9):
            answer = client.get("/search", sent)
        assert len(titles(answer)) == 3


# What a page shows, as it is now


def left(user: User, query: str, shown, **others: object):
    ids = ".".join(str(row.pk) for row in shown)
    return browser(user).get("/search", {"q": query, "shown": ids, **others}, **SCRIPTED)


def test_a_page_is_told_the_state_of_its_boards(olga, vera, make):
    make("Flyer")
    seen = [re.search(r'data-seen="(\w+)"', ask(user, "flyer").content.decode())[1] for user in (olga, vera)]
    make("Another")
    assert seen[0] == seen[1]
    assert f'data-seen="{seen[0]}"' not in ask(olga, "flyer").content.decode()


def test_a_page_gets_those_of_its_results_that_are_left_as_they_are_now(olga, board, make):
    cards = [make(f"Flyer {number}") for number in range(5)]
    make("Flyer of later")
    update_card(actor=web(olga), card_id=cards[0].pk, title="Flyer zero")
    update_card(actor=web(olga), card_id=cards[1].pk, title="Poster")
    archive_card(actor=web(olga), card_id=cards[2].pk)
    complete_card(actor=web(olga), card_id=cards[3].pk)
    assert sorted(titles(left(olga, "flyer", cards))) == ["[Flyer] 3", "[Flyer] 4", "[Flyer] zero"]
    assert titles(left(olga, "flyer", cards, state="done")) == ["[Flyer] 3"]
    assert len(titles(left(olga, "flyer", cards, archived="1"))) == 4
    assert f'id="hit-{cards[4].pk}"' in left(olga, "flyer", cards).content.decode()


def test_boards_and_people_are_left_likewise(olga, ed, vera, board):
    other = create_board(actor=web(olga), title="Launch of Ed")
    create_board(actor=web(olga), title="Launch of others")
    User.objects.filter(pk=ed.pk).update(name="Launcher")
    assert {*titles(left(olga, "launch", [board, other, ed]))} == {"[Launch]", "[Launch] of Ed", "[Launch]er"}
    archive_board(actor=web(olga), board_id=other.pk)
    User.objects.filter(pk=ed.pk).update(name="Ed")
    assert titles(left(olga, "launch", [board, other, ed])) == ["[Launch]"]


def test_nothing_is_left_of_a_board_that_one_cannot_see(olga, ed, vera, stan, board, make):
    cards = [make("Flyer"), make("Flyer 2")]
    shown = [*cards, board, olga]
    assert len(titles(left(vera, "flyer", shown))) == 2
    remove_member(actor=web(olga), board_id=board.pk, user_id=vera.pk)
    for user in (vera, stan):
        for query in ("flyer", "launch", "olga", "#1"):
            answer = left(user, query, shown)
            assert titles(answer) == []
            assert "Launch" not in answer.content.decode()


@pytest.mark.parametrize("shown", ["", "x", "x.y", "." * 3000])
def test_ids_that_are_none_leave_nothing(olga, make, shown):
    make("Flyer")
    assert titles(browser(olga).get("/search", {"q": "flyer", "shown": shown}, **SCRIPTED)) == []


def test_what_is_left_is_no_search_that_counts_and_browsers_get_the_page(settings, olga, make):
    settings.LIMITS = {**settings.LIMITS, "search": "1/d"}
    card = make("Flyer")
    for _time in range(3):
        assert titles(left(olga, "flyer", [card])) == ["[Flyer]"]
    assert "<html" in browser(olga).get("/search", {"q": "flyer", "shown": str(card.pk)}).content.decode()
    assert left(olga, "x" * 501, [card]).status_code == 422


@pytest.mark.parametrize("number", [2, 20])
def test_what_is_left_takes_as_many_statements_for_two_as_for_twenty(olga, ed, make, number, django_assert_num_queries):
    cards = [make(f"Card {place}", assignee_ids=[ed.pk]) for place in range(number)]
    for card in cards:
        add_comment(actor=web(ed), card_id=card.pk, text="A flyer")
    client = browser(olga)
    ids = ".".join(str(card.pk) for card in cards)
    # session, user, boards, people, which are left, cards, where words are, texts
    with django_assert_num_queries(8):
        answer = client.get("/search", {"q": "flyer", "shown": ids}, **SCRIPTED)
    assert len(titles(answer)) == number
