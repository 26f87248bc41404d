"""The filters of *My work* that a user keeps by name."""

import re
from urllib.parse import urlencode

import pytest

from accounts.models import User, WorkFilter
from accounts.work_filters import save_filter
from web.tests.browsing import SCRIPTED, browser, text_of
from web.tests.test_own_view import again_in

BY_BOARD = "which=created&by=board"
BY_LIST = "which=assigned&by=list"


def kept(user: User) -> dict[str, str]:
    return dict(WorkFilter.objects.filter(user=user).values_list("name", "query"))


def linked(user: User, query: str = "") -> dict[str, str]:
    """Return the address of each saved filter on the page of the user, by name."""
    page = browser(user).get(f"/my{query}").content.decode()
    found = re.findall(r'class="apply" href="([^"]*)".*?<span>([^<]*)</span>', page, re.DOTALL)
    return {name: address.replace("&amp;", "&") for address, name in found}


def test_a_filter_is_saved_renamed_replaced_deleted_and_restored_without_scripts(ed):
    client = browser(ed)
    origin = {"HTTP_REFERER": "http://testserver/my?which=created&by=board"}

    def send(path: str = "", **fields: str):
        answer = client.post(f"/my/filters{path}", fields, **origin)
        assert answer.url == "/my?which=created&by=board"
        return client.get(answer.url)

    assert "None yet" not in text_of(client.get("/my"))  # what the page shows can be saved as it is
    shown = send(name=" Mine ", query=BY_BOARD)
    assert "Filter “Mine” was saved." in text_of(shown)
    assert 'aria-current="true"' in re.search(r'class="apply".*?>', shown.content.decode(), re.DOTALL)[0]
    assert linked(ed) == {"Mine": f"/my?{BY_BOARD}"}
    assert "Filter “Mine” was renamed." in text_of(send("/renaming", filter="Mine", name="Top"))
    shown = send(name="Top", query=BY_LIST, replace="1")
    assert "Filter “Top” was replaced." in text_of(shown)
    send(again=again_in(shown))
    assert kept(ed) == {"Top": BY_BOARD}
    shown = send("/deletion", filter="Top")
    assert kept(ed) == {}
    assert "Filter “Top” was restored." in text_of(send(again=again_in(shown)))
    assert kept(ed) == {"Top": BY_BOARD}


def test_what_is_saved_shows_the_same_cards_when_it_is_opened(ed):
    browser(ed).post("/my/filters", {"name": "Mine", "query": BY_BOARD})
    page = browser(ed).get(linked(ed)["Mine"]).content.decode()
    assert re.search(r'aria-current="page">Created by me<', page)
    assert 'data-by="board"' in page


@pytest.mark.parametrize(
    "query, saved",
    [
        ("", "which=assigned&by=due"),
        ("which=nobody&by=phase&page=7&next=//evil.example", "which=assigned&by=due"),
        (f"{BY_BOARD}&color=1&board=1&due=1", BY_BOARD),
        ("which=created&which=followed&by=list", "which=followed&by=list"),
    ],
)
def test_parameters_that_nobody_knows_are_dropped_when_saved_and_when_opened(ed, query, saved):
    browser(ed).post("/my/filters", {"name": "Mine", "query": query})
    assert kept(ed) == {"Mine": saved}
    WorkFilter.objects.update(query=query)  # as a later version may find it
    assert linked(ed) == {"Mine": f"/my?{saved}"}


def test_another_persons_filters_do_not_exist_for_one(ed, vera):
    save_filter(ed, "Mine", BY_BOARD)
    assert linked(vera) == {}
    client = browser(vera)
    assert client.post("/my/filters/renaming", {"filter": "Mine", "name": "Hers"}).status_code == 404
    answer = client.post("/my/filters/deletion", {"filter": "Mine"}, **SCRIPTED)
    assert "again" not in answer.content.decode()
    client.post("/my/filters", {"name": "Mine", "query": BY_LIST, "replace": "1"})
    assert (kept(ed), kept(vera)) == ({"Mine": BY_BOARD}, {"Mine": BY_LIST})


@pytest.mark.parametrize(
    "path, fields, status, words",
    [
        ("", {"name": " "}, 422, "Name must not be empty."),
        ("", {"name": "x" * 61}, 422, "Name must have at most 60 characters; this one has 61."),
        ("", {"name": "two\nlines"}, 422, "Name must be a single line."),
        (
            "",
            {"name": "New", "query": f"q={'x' * 501}"},
            422,
            "Search text must have at most 500 characters; this one has 501.",
        ),
        ("", {"again": "nonsense"}, 422, "Name must not be empty."),
        ("", {"name": "MINE", "query": BY_LIST}, 409, "You already have a filter named “Mine”."),
        ("/renaming", {"filter": "Mine", "name": ""}, 422, "Name must not be empty."),
        ("/renaming", {"filter": "Mine", "name": "ＯＴＨＥＲ"}, 409, "You already have a filter named “Other”."),
        ("/renaming", {"filter": "Gone", "name": "New"}, 404, ""),
    ],
)
def test_what_cannot_be_saved_is_refused_with_words_and_changes_nothing(ed, path, fields, status, words):
    save_filter(ed, "Mine", BY_BOARD)
    save_filter(ed, "Other", BY_BOARD)
    for headers in ({}, SCRIPTED):
        answer = browser(ed).post(f"/my/filters{path}", fields, **headers)
        assert answer.status_code == status
        assert words in text_of(answer)
    assert kept(ed) == {"Mine": BY_BOARD, "Other": BY_BOARD}


def test_the_twenty_first_filter_is_refused_and_an_earlier_one_can_still_be_replaced(ed):
    for number in range(20):
        save_filter(ed, f"Filter {number}", BY_BOARD)
    answer = browser(ed).post("/my/filters", {"name": "One more", "query": BY_BOARD}, **SCRIPTED)
    assert answer.status_code == 403
    assert "You have 20 saved filters" in text_of(answer)
    browser(ed).post("/my/filters", {"name": "filter 7", "query": BY_LIST, "replace": "1"})
    assert (len(kept(ed)), kept(ed)["Filter 7"]) == (20, BY_LIST)


def test_repeating_is_harmless(ed):
    for _time in range(2):
        assert browser(ed).post("/my/filters", {"name": "Mine", "query": BY_BOARD}).status_code == 302
        assert browser(ed).post("/my/filters/renaming", {"filter": "Mine", "name": "MINE"}).status_code == 302
    assert kept(ed) == {"MINE": BY_BOARD}
    for _time in range(2):
        assert browser(ed).post("/my/filters/deletion", {"filter": "MINE"}).status_code == 302


def test_undo_of_a_deletion_does_not_overwrite_a_filter_that_has_the_name_now(ed):
    save_filter(ed, "Mine", BY_BOARD)
    answer = browser(ed).post("/my/filters/deletion", {"filter": "Mine"}, **SCRIPTED)
    save_filter(ed, "mine", BY_LIST)
    assert browser(ed).post("/my/filters", {"again": again_in(answer)}, **SCRIPTED).status_code == 409
    assert kept(ed) == {"mine": BY_LIST}


def test_scripts_get_the_section_and_the_message(ed):
    answer = browser(ed).post("/my/filters", {"name": "Mine", "query": BY_BOARD}, **SCRIPTED)
    assert answer["X-Answer"] == "fragments"
    html = answer.content.decode()
    assert html.startswith('<section class="saved-filters"')
    assert 'aria-current="true"' in html  # as the page shows what was saved
    assert "Filter “Mine” was saved." in html


def test_what_is_saved_is_shown_as_text(ed):
    save_filter(ed, '<b>&amp;"', BY_BOARD)
    assert "<span>&lt;b&gt;&amp;amp;&quot;</span>" in browser(ed).get("/my").content.decode()


def test_the_filters_stand_in_the_order_of_their_names(ed):
    for name in ("zoo", "Écrire", "alpha", "Beta"):
        save_filter(ed, name, BY_BOARD)
    assert [*linked(ed)] == [*WorkFilter.objects.filter(user=ed).order_by("folded").values_list("name", flat=True)]
    assert [*linked(ed)][:2] == ["alpha", "Beta"]


def test_a_name_in_an_address_is_written_as_it_must_be(ed):
    name = "a&b=c ü"
    save_filter(ed, name, BY_BOARD)
    answer = browser(ed).post("/my/filters/deletion", {"filter": name}, **SCRIPTED)
    assert again_in(answer) == urlencode({"name": name, "query": BY_BOARD})
    browser(ed).post("/my/filters", {"again": again_in(answer)})
    assert kept(ed) == {name: BY_BOARD}


@pytest.mark.parametrize("path", ["/deletion", "/renaming"])
def test_a_name_that_nothing_can_have_is_that_of_no_filter(ed, path):
    save_filter(ed, "Mine", BY_BOARD)
    answer = browser(ed).post(f"/my/filters{path}", {"filter": "Mi\0ne", "name": "Yours"})
    assert answer.status_code < 500
    assert kept(ed) == {"Mine": BY_BOARD}
