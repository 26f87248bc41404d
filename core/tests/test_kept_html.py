"""HTML that is kept because many answers have it: how it is compressed, and that it holds nothing of a reader."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context
from django.template.loader import get_template

from accounts.models import User
from boards.models import Board, Card
from core.kept_html import KeptHtml, PageOfParts, compress
from core.templatetags import kept_tags

OPTIONAL = {"tell", "href", "key", "at_hand", "first", "block"}  # what included templates may be given, or not
KEPT = re.compile(r"""include_kept\(?\s*["']([^"']+)["']""")


@pytest.fixture
def nothing_kept(monkeypatch) -> Iterator[None]:
    monkeypatch.setattr(kept_tags, "_kept", {})


def test_a_compressed_page_does_not_tell_its_exact_length():
    page = b"<p>Olga's board</p>" * 100
    packed = [compress(page) for _time in range(20)]
    assert {gzip.decompress(one) for one in packed} == {page}
    assert len({len(one) for one in packed}) > 5


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("ABC", "B"),
        ("ABC", "AC"),
        ("ABC", "ABC"),
        ("ABC", "CB"),  # the second is not behind the first
        ("AAB", "AA"),
        ("AC", "B"),  # it is not there
        ("", "A"),
        ("A", ""),
    ],
)
def test_a_page_of_parts_is_compressed_without_loss(page, parts):
    text = {letter: KeptHtml(f'<p class="{letter}">ä 日 {letter * 5000}</p>') for letter in "ABC"}
    html = f"before {''.join(text[letter] for letter in page)} after".encode()
    assert gzip.decompress(compress(html, [text[letter] for letter in parts])) == html


def test_a_part_that_only_begins_alike_is_not_taken_for_it():
    part = KeptHtml("<p>" + "x" * 500 + "</p>")
    html = ("<p>" + "x" * 400 + "</p>").encode()
    assert gzip.decompress(compress(html, [part])) == html


def test_a_part_is_compressed_once():
    part = KeptHtml("<p>Olga</p>" * 1000)
    first = part.deflated
    compress(part.encode(), [part])
    assert part.deflated is first


def test_only_what_is_kept_is_a_part(client, olga, board: Board, card: Card):
    client.force_login(olga)
    answer = client.get(board.get_absolute_url())
    assert isinstance(answer, PageOfParts)
    assert [part in answer.text for part in answer.parts] == [True] * len(answer.parts)
    assert sum(map(len, answer.parts)) > len(answer.text) / 2


def test_a_board_reads_the_same_compressed_or_not(client, olga, board: Board, card: Card):
    client.force_login(olga)
    plain = client.get(board.get_absolute_url()).content
    packed = gzip.decompress(client.get(board.get_absolute_url(), headers={"Accept-Encoding": "gzip"}).content)
    assert without_tokens(packed) == without_tokens(plain)


def without_tokens(page: bytes) -> bytes:
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", page)


def test_what_is_kept_is_in_the_language_of_each_reader(client, olga, board: Board, nothing_kept):
    client.force_login(olga)
    for language, words in (("en", "Cover color"), ("de", "Coverfarbe"), ("en", "Cover color")):
        User.objects.update(language=language)
        assert words in client.get(board.get_absolute_url()).text


def kept_templates() -> list[str]:
    root = Path(settings.BASE_DIR)
    files = [*root.glob("templates/**/*.html"), *(root / "web").glob("*.py")]
    return sorted({name for path in files for name in KEPT.findall(path.read_text())})


class Strict(Context):
    """Notes what a template asks for that is not there."""

    def __init__(self, values: dict[str, object]) -> None:
        super().__init__(values)
        self.missing: set[str] = set()

    def __getitem__(self, key: str) -> object:
        if key not in self:
            self.missing.add(key)
        return super().__getitem__(key)

    def get(self, key: str, otherwise: object = None) -> object:
        return self[key] if key in self else self.missing.add(key) or otherwise


def test_templates_that_are_kept_ask_for_nothing_of_a_reader():
    constants = {"hues": [(1, "Red")], "orders": [("due", "Due date")]}
    assert len(kept_templates()) > 3
    for name in kept_templates():
        context = Strict(constants)
        template = get_template(name).template
        with context.bind_template(template):
            template.nodelist.render(context)
        assert context.missing <= OPTIONAL, name
