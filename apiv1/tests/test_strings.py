import json

import pytest

from apiv1.tests.calls import is_refused
from boards.models import Board, Card
from boards.richtext import to_markdown

BOARDS, CARDS = "/api/v1/boards", "/api/v1/cards"
FAMILY = "👩‍👩‍👧"  # one visible character, five code points


def board_title(client, title):
    return client.post(BOARDS, json={"title": title})


@pytest.mark.parametrize(
    "sent, kept",
    [
        ("  Garden  ", "Garden"),
        ("\tGarden\t", "Garden"),
        ("\r\nGarden\n", "Garden"),
        ("\u00a0\u2003Garden\u3000", "Garden"),
        ("Garden  and   house", "Garden  and   house"),
        ("Garden\tbed", "Garden\tbed"),
        ("é", "é"),
        ("日本 🎉", "日本 🎉"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
    ],
)
def test_a_title_is_trimmed_and_otherwise_kept(as_olga, sent, kept):
    answer = board_title(as_olga, sent)
    assert answer.status_code == 201
    assert answer.json()["board"]["title"] == Board.objects.get().title == kept


@pytest.mark.parametrize("title", ["Gar\nden", "Gar\r\nden", "Gar\rden"])
def test_a_title_of_two_lines_is_refused(as_olga, title):
    assert is_refused(board_title(as_olga, title), 400, "title", "single line")


FORBIDDEN = ["\x00", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\ud800", "\udfff", "\ude00\ud83d"]


@pytest.mark.parametrize("sign", FORBIDDEN)
def test_a_character_that_cannot_be_stored_is_refused_and_named(as_olga, todo, sign):
    code = f"U+{ord(sign[0]):04X}"
    for field in ("title", "description"):
        body = {"listId": str(todo.pk), "title": "Print", field: f"a{sign}b"}
        answer = as_olga.post(CARDS, content=json.dumps(body), headers={"Content-Type": "application/json"})
        assert is_refused(answer, 400, field, code)
    assert not Card.objects.exists()


def test_a_pair_of_surrogates_is_one_character(as_olga):
    answer = as_olga.post(BOARDS, content='{"title": "\\ud83d\\ude00"}', headers={"Content-Type": "application/json"})
    assert answer.json()["board"]["title"] == "😀"


def test_newlines_and_tabs_are_fine_in_a_description(as_olga, todo):
    text = "one\r\ntwo\rthree\n\tfour"
    answer = as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Print", "description": text})
    assert answer.status_code == 201
    assert "\r" not in to_markdown(Card.objects.get().description)


def test_a_description_of_blank_lines_counts_as_none(as_olga, todo):
    as_olga.post(CARDS, json={"listId": str(todo.pk), "title": "Print", "description": "\r\n \n\t\n"})
    assert Card.objects.get().description is None


@pytest.mark.parametrize("sign", ["x", "ß", "日", "🎉"])
def test_lengths_count_code_points(as_olga, todo, sign):
    full = {"listId": str(todo.pk), "title": sign * 500, "description": sign * 20_000}
    assert board_title(as_olga, sign * 200).status_code == 201
    assert is_refused(board_title(as_olga, sign * 201), 400, "title", "200", "201")
    assert as_olga.post(CARDS, json=full).status_code == 201
    assert is_refused(as_olga.post(CARDS, json=full | {"title": sign * 501}), 400, "title", "500", "501")
    assert is_refused(as_olga.post(CARDS, json=full | {"description": sign * 20_001}), 400, "description", "20000")


def test_each_code_point_of_a_visible_character_counts(as_olga):
    assert board_title(as_olga, FAMILY * 40).status_code == 201
    assert is_refused(board_title(as_olga, FAMILY * 40 + "x"), 400, "201")


def test_trimmed_whitespace_does_not_count(as_olga):
    assert board_title(as_olga, " " * 1000 + "x" * 200 + "\n" * 1000).status_code == 201


def test_a_line_end_counts_once_however_it_is_written(as_olga, todo):
    lines = "x\r\n" * 9_999 + "xx"
    body = {"listId": str(todo.pk), "title": "Long", "description": lines}
    assert as_olga.post(CARDS, json=body).status_code == 201
