"""A card may have any number of comments: each is written before the next one is taken up. The bytes do not show it."""

from collections.abc import Callable, Iterable
from zoneinfo import ZoneInfo

import pytest

from boards.actions.cards.card import create_card
from boards.actions.cards.comments import add_comment
from boards.reader import Reader
from boards.tests.world import World
from conftest import web
from core.http.compact_json import dumps
from exporter.json_export import json_of
from exporter.readable.facts import Setting, boards_of
from exporter.readable.html import board_html
from exporter.readable.markdown import board_markdown
from exporter.snapshot import snapshot
from exporter.streams import Stream, open_streams
from exporter.tests.conftest import cards_of, checked
from exporter.walking import Step, head_of, steps

pytestmark = pytest.mark.django_db(transaction=True)
Form = Callable[[Iterable[Step]], Iterable[str]]
SETTING = Setting(ZoneInfo("UTC"), "en")


def markdown(found: Iterable[Step]) -> Iterable[str]:
    return (part for board, inside in boards_of(found) for part in board_markdown(board, inside, SETTING))


def html(found: Iterable[Step]) -> Iterable[str]:
    return (part for board, inside in boards_of(found) for part in board_html(board, inside, SETTING))


@pytest.mark.parametrize("form", [lambda found: json_of({}, found), markdown, html], ids=["json", "markdown", "html"])
def test_a_comment_is_written_before_the_next_is_taken_from_its_stream(olga, card, form: Form, monkeypatch):
    for _time in range(3):
        add_comment(actor=web(olga), card_id=card.pk, text="Said")
    taken, written, ahead, of = [], 0, [], Stream.of

    def noted(self, key):
        for row in of(self, key):
            taken.extend(value for value in row if value == "Said")
            yield row

    monkeypatch.setattr(Stream, "of", noted)
    with snapshot() as using, open_streams(Reader(olga), using) as streams:
        for part in form(steps(streams)):
            ahead.append(len(taken) - written)
            written += part.count("Said")
    assert (len(taken), written, max(ahead)) == (3, 3, 1)


@pytest.mark.parametrize("form", [markdown, html])
def test_pages_say_how_many_comments_a_card_has(olga, todo, card, form: Form):
    create_card(actor=web(olga), list_id=todo.pk, title="Nothing said")
    for text in ("One", "Two"):
        add_comment(actor=web(olga), card_id=card.pk, text=text)
    with snapshot() as using, open_streams(Reader(olga), using) as streams:
        page = "".join(form(steps(streams)))
    assert page.count("comments") == 1
    assert page.index("2 comments") < page.index("One") < page.index("Two") < page.index("Nothing said")


def test_a_card_is_on_one_line_with_its_files_behind_its_comments(olga, ed, vera, stan):
    World(olga, ed, vera, stan)
    with snapshot() as using, open_streams(Reader(olga), using) as streams:
        text = "".join(json_of(head_of(olga), steps(streams)))
    cards = cards_of(checked(text))
    assert {(bool(card["comments"]), bool(card["attachments"])) for card in cards} >= {(True, True), (False, False)}
    for card in cards:
        assert list(card)[-3:] == ["checklists", "comments", "attachments"]
        assert dumps(card) in text
