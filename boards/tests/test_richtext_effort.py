"""The reader takes a bounded amount of Markdown, and shows more as it was typed."""

import json

import pytest

from boards.actions.cards.card import update_card
from boards.errors import Invalid
from boards.richtext import from_markdown, to_markdown
from boards.richtext.markdown_effort import MOST, STEPS
from boards.richtext.markdown_reader import PARSER
from boards.tests.richtext_nodes import bullets, code, doc, item, p, text
from boards.tests.test_richtext_differences import Author
from conftest import web

MUCH = "a **b** _c_\n" * 400


def steps(markdown):
    return PARSER.parse(markdown)[1].env[STEPS]


@pytest.mark.parametrize("much", ["- a\n" * 5_000, "**a** " * 3_000, "> a\n\n" * 4_000, "a\n" * 9_000])
def test_more_markdown_than_can_be_read_in_time_is_shown_as_it_was_typed(much):
    assert from_markdown(much) == doc(code(much))


def test_a_long_text_with_many_marks_is_within_the_limit():
    author = Author(0)
    longest = "\n\n".join(author.text() for _ in range(40))[:20_000]
    assert len(longest) == 20_000
    assert steps(longest) < MOST


@pytest.mark.parametrize(
    "line, characters",
    [
        ("- [ ] buy milk {0}\n", 20_000),
        ("- [Issue](https://example.com/issues/{0})\n", 20_000),
        ("- Fix `foo_{0}` in `bar.py` ([#{0}](https://example.com/{0}))\n", 20_000),
        ("- Renamed `foo_{0}` to `bar_{0}` in the code (#{0})\n", 20_000),
        ("- **Name {0}**: value `x{0}`\n", 14_000),
        ("| **row {0}** | x | y |\n", 13_000),
    ],
    ids=["boxes", "links", "release notes", "renamed", "bold and code", "table"],
)
def test_long_lists_and_tables_as_people_write_them_are_within_the_limit(line, characters):
    head = "| a | b | c |\n|---|---|---|\n" if line.startswith("|") else ""
    longest = (head + "".join(line.format(number) for number in range(2000)))[:characters].rpartition("\n")[0]
    assert steps(longest) < MOST


def test_what_was_written_may_take_more_than_what_is_read_for_the_first_time(monkeypatch):
    document = from_markdown(MUCH)
    written = to_markdown(document)
    monkeypatch.setattr("boards.richtext.markdown_reader.MOST", steps(MUCH) - 1)
    assert written != MUCH
    assert from_markdown(MUCH) == doc(code(MUCH))
    assert from_markdown(written) == document


@pytest.mark.parametrize(
    "unit",
    ["- a\n", "**a** b ", "a *b*\n", "> a\n\n", "1. a\n\n   b\n", "[a](http://b)\n", "a\n2. b\n", "# a\n", "a `b` "],
)
def test_a_description_near_the_limit_is_read_back_as_the_same_document(unit):
    many = int(MOST * 0.95 / steps(unit * 100) * 100)
    document = from_markdown(unit * many)
    assert document != doc(code(unit * many))
    assert from_markdown(to_markdown(document)) == document


@pytest.mark.parametrize(
    "longer",
    ["[" + "a\n" * 4_000 + "](http://" + "b" * 11_000 + ")", "[" + "*a* b " * 1_500 + "](http://" + "b" * 10_000 + ")"],
)
def test_a_long_address_over_many_lines_or_marks_makes_no_huge_document(longer):
    """Each of the texts in such a link has the whole address: this was a document of 44 MB."""
    assert len(json.dumps(from_markdown(longer))) < 1_000_000


def test_marks_over_many_lines_are_read_back_as_the_same_document():
    """They are written anew on each line."""
    document = from_markdown("**~~_" + "a\n" * 200 + "a_~~**")
    assert document["content"][0]["content"][0] == text("a", "bold", "italic", "strike")
    assert from_markdown(to_markdown(document)) == document


def test_a_document_of_the_editor_that_could_not_be_read_back_is_refused(card, ed):
    few, many = (doc(bullets(*[item(p("a"))] * count)) for count in (500, 4_000))
    update_card(actor=web(ed), card_id=card.pk, document=few)
    with pytest.raises(Invalid, match="formatting"):
        update_card(actor=web(ed), card_id=card.pk, document=many)
    card.refresh_from_db()
    assert card.description == few


def test_a_description_sent_back_as_it_was_read_changes_nothing(card, ed):
    kept = update_card(actor=web(ed), card_id=card.pk, description="- a\n" * 900)
    again = update_card(actor=web(ed), card_id=card.pk, description=to_markdown(kept.description))
    assert again.version == kept.version
