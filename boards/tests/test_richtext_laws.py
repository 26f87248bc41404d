"""The two laws: a document written as Markdown reads back as the same one, whether it came as Markdown or from the
editor.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.richtext import check, from_markdown, to_html, to_markdown, to_plain
from boards.tests.richtext_strategies import PIECES, documents, markdown

pytestmark = pytest.mark.usefixtures("many_examples")


@settings(max_examples=300)
@given(markdown)
def test_markdown_read_written_and_read_again_gives_the_same_document(source):
    document = from_markdown(source)
    assert from_markdown(to_markdown(document)) == document


@settings(max_examples=300)
@given(documents)
def test_a_document_of_the_editor_written_and_read_gives_the_same_document(sent):
    document = check(sent)
    assert from_markdown(to_markdown(document)) == document


@given(markdown)
def test_a_document_made_of_markdown_passes_the_check_unchanged(source):
    document = from_markdown(source)
    assert check(document) == document


@given(documents)
def test_a_checked_document_passes_the_check_unchanged(sent):
    document = check(sent)
    assert check(document) == document


# The address of a link with a text, the title of a link and the language of code are the only parts that are not shown.
shown = st.lists(st.sampled_from([piece for piece in PIECES if not set(piece) & set("]`~&")]), max_size=40).map("".join)


@given(shown)
def test_no_character_of_the_text_is_lost(source):
    kept = to_plain(from_markdown(source))
    assert [letter for letter in kept if letter in "强éa"] == [letter for letter in source if letter in "强éa"]


@pytest.mark.parametrize("seed", range(5))
def test_long_descriptions_read_back_as_the_same_document(seed):
    choose = random.Random(seed)
    source = "".join(choose.choices(PIECES, k=8_000))[:20_000]
    document = from_markdown(source)
    assert from_markdown(to_markdown(document)) == document
    assert check(document) == document
    assert to_html(document)
