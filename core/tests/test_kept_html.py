"""HTML that is kept because many answers have it: how it is compressed, and that it holds nothing of a reader."""

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString
from uuid_utils.compat import uuid7

from accounts.models import User
from boards.actions.boards.board import archive_board, create_board, update_board
from boards.actions.boards.board_views import star_board
from boards.actions.lists.sorting import CardOrder
from boards.board_templates import Template as Suggestion
from boards.colours import palette
from boards.models import Board, Card
from conftest import web
from core.http.kept_html import KeptHtml, PageOfParts, compress
from core.templatetags import kept_tags
from core.templatetags.kept_tags import include_kept

OPTIONAL = {"tell", "href", "key", "at_hand", "first", "block"}  # what included templates may be given, or not
KEPT = re.compile(r"""include_kept\(?\s*["']([^"']+)["']([^%)]*)""")
GIVEN = re.compile(r"(\w+)=")


@pytest.fixture
def nothing_kept() -> None:
    kept_tags.rendered.cache_clear()


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


def kept_templates() -> dict[str, set[str]]:
    """Return what each is given, by the names of the templates."""
    root = Path(settings.BASE_DIR)
    files = [*root.glob("templates/**/*.html"), *(root / "web").glob("*.py")]
    found = {name: given for path in files for name, given in KEPT.findall(path.read_text())}
    return {name: set(GIVEN.findall(given)) for name, given in found.items()}


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


def test_templates_that_are_kept_ask_for_nothing_but_what_they_are_given():
    values = {"hues": palette, "orders": CardOrder, "suggested": Suggestion.KANBAN, "pk": uuid7()}
    assert len(kept_templates()) > 10
    for name, given in kept_templates().items():
        context = Strict({key: values.get(key, "something") for key in given})
        template = get_template(name).template
        with context.bind_template(template):
            template.nodelist.render(context)
        assert context.missing <= OPTIONAL, name


def test_each_reader_sees_the_title_of_their_own_board(client, olga, ed, board: Board):
    other = create_board(actor=web(ed), title="Another one")
    for reader, shown in ((olga, board), (ed, other), (olga, board)):
        client.force_login(reader)
        page = client.get(shown.get_absolute_url()).text
        assert f'aria-label="Star {shown.title}"' in page
        assert f'formaction="/board/{shown.pk}/star"' in page


def test_a_board_that_was_renamed_starred_and_archived_is_not_shown_as_it_was(client, olga, board: Board):
    client.force_login(olga)
    client.get(board.get_absolute_url())
    update_board(actor=web(olga), board_id=board.pk, title="A new name")
    star_board(actor=web(olga), board_id=board.pk, starred=True)
    page = client.get(board.get_absolute_url()).text
    assert 'aria-label="Unstar A new name"' in page
    assert "Descriptions on cards" in page
    archive_board(actor=web(olga), board_id=board.pk)
    assert "Descriptions on cards" not in client.get(board.get_absolute_url()).text


def test_markup_in_a_title_stays_text_where_the_same_text_was_shown_as_markup():
    pk = uuid7()
    parts = [
        include_kept("web/partials/board/star.html", pk=pk, title=title, starred=False)
        for title in (SafeString("<b>Plan</b>"), "<b>Plan</b>")
    ]
    assert ["<b>" in part for part in parts] == [True, False]


def test_what_was_not_shown_for_long_is_forgotten(nothing_kept):
    for _piece in range(kept_tags.MOST + 10):
        include_kept("web/partials/board/filter_button.html", pk=uuid7(), filter="")
    assert kept_tags.rendered.cache_info().currsize == kept_tags.MOST
