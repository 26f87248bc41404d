"""Writing a document as Markdown."""

import pytest

from boards.richtext import check, from_markdown, to_markdown
from boards.tests.richtext_nodes import (
    BREAK,
    EMPTY,
    bullets,
    code,
    doc,
    heading,
    item,
    numbers,
    p,
    quote,
    task,
    tasks,
    text,
)


def test_no_document_is_written_as_an_empty_text():
    assert to_markdown(None) == ""


def test_a_document_is_written_as_a_person_would():
    markdown = (
        "# Plan\n\nThe **quick** *brown* ~~red~~ `fox`, see [this](http://x.org/a_b).\nNext line.\n\n"
        "- one\n- two\n  - three\n\n1. a\n2. b\n\n- [ ] todo\n- [x] done\n\n> quote\n>\n> more\n\n```py\ncode\n```\n\n***"
    )
    assert to_markdown(from_markdown(markdown)) == markdown


@pytest.mark.parametrize(
    "harmless",
    [
        "snake_case and a * b",
        "C:\\dir",
        "array[0] (x)",
        "a < b > c",
        "R&D",
        "#5",
        "2.5 kg",
        "--flag",
        "!",
        "https",
        "e.g. -",
    ],
)
def test_harmless_punctuation_is_not_escaped(harmless):
    assert to_markdown(doc(p(harmless))) == harmless


@pytest.mark.parametrize(
    "line, written",
    [
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("+", "\\+"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("> a", "\\> a"),
        ("12. a", "12\\. a"),
        ("12) a", "12\\) a"),
        ("[ ] a", "\\[ ] a"),
        ("```", "\\`\\`\\`"),
        ("*a*", "\\*a\\*"),
        ("<b>", "\\<b>"),
        ("&amp;", "\\&amp;"),
        ("[a](b)", "\\[a]\\(b)"),
        ("\\*", "\\\\\\*"),
    ],
)
def test_text_that_would_be_markdown_is_escaped(line, written):
    assert to_markdown(doc(p(line))) == written
    assert from_markdown(written) == doc(p(line))


@pytest.mark.parametrize("line", ["# a", "- a", "---", "1. a", "> a", "===", "```"])
def test_the_second_line_of_a_paragraph_begins_no_block(line):
    assert from_markdown(to_markdown(doc(p("a", BREAK, line)))) == doc(p("a", BREAK, line))


def test_breaks_in_a_row_are_kept():
    assert from_markdown("a\n\\\n\\\nb") == doc(p("a", BREAK, BREAK, BREAK, "b"))
    assert to_markdown(doc(p("a", BREAK, BREAK, BREAK, "b"))) == "a\n\\\n\\\nb"


def test_hash_signs_at_the_end_of_a_heading_are_kept():
    assert to_markdown(doc(heading(2, text("C #")))) == "## C \\#"
    assert from_markdown("## C \\#") == doc(heading(2, text("C #")))


def test_a_fence_is_longer_than_the_backticks_in_it():
    assert to_markdown(doc(code("````\na"))) == "`````\n````\na\n`````"


def test_blank_lines_in_code_hold_no_spaces_for_the_list_around():
    assert to_markdown(doc(bullets(item(p("a"), code("b\n\nc"))))) == "- a\n\n  ```\n  b\n\n  c\n  ```"


@pytest.mark.parametrize("inside", ["`", "``", " ", "  ", " a ", " a", "a`b", "` `", "\\", "<b>"])
def test_inline_code_is_kept_as_it_is(inside):
    document = doc(p("a", text(inside, "code"), "b"))
    assert from_markdown(to_markdown(document)) == document


@pytest.mark.parametrize(
    "document",
    [
        doc(bullets(item(p("a"))), bullets(item(p("b"))), bullets(item(p("c")))),
        doc(numbers(1, item(p("a"))), numbers(1, item(p("b"))), numbers(7, item(p("c")))),
        doc(tasks(task(True, p("a"))), bullets(item(p("b"))), tasks(task(False, p("c")))),
        doc(quote(p("a")), quote(p("b"))),
        doc(code("a"), code("b")),
    ],
)
def test_neighbouring_blocks_of_one_kind_stay_apart(document):
    assert from_markdown(to_markdown(document)) == document


@pytest.mark.parametrize(
    "document",
    [
        doc(bullets(item(EMPTY), item(p("a")))),
        doc(bullets(item(EMPTY, bullets(item(EMPTY, bullets(item(EMPTY))))))),
        doc(bullets(item(EMPTY, {"type": "horizontalRule"}))),
        doc(bullets(item(EMPTY, code("\ta\n  b")))),
        doc(bullets(item(p("a"), bullets(item(EMPTY))))),
        doc(bullets(item(p("a"), numbers(5, item(p("b")))))),
        doc(tasks(task(False, EMPTY), task(True, EMPTY, heading(1, text("a")), p("b")))),
        doc(bullets(item(EMPTY, quote(bullets(item(p("a"), p("b")), item(EMPTY))), p("c")))),
        doc(numbers(999_999_999, item(p("a")), item(p("b")))),
        doc(quote(EMPTY), {"type": "heading", "attrs": {"level": 3}}),
    ],
)
def test_empty_and_odd_items_are_kept(document):
    assert check(document) == document
    assert from_markdown(to_markdown(document)) == document


@pytest.mark.parametrize(
    "inline",
    [
        ["これは", text("強調", "bold"), "です"],
        ["これは", text("「強調」", "bold"), "です"],
        ["a", text("b", "italic"), "c"],
        [text("a", "bold"), text("b", "bold", "italic"), text("c", "italic"), "d"],
        [text("x", "bold", "italic"), text("1", "bold"), "2"],
        [text("a", "italic"), text("b", "bold", "italic"), text(" c", "bold")],
        ["!", text("a", link="http://x")],
        ["[a]", text("b", link="http://x")],
        ["x", text("http://x", "bold", link="http://x"), "y"],
        [text("a]b[c", link="http://x/(y"), text("d", link="http://x/&amp;")],
        [text("a", "bold", link="http://x"), text("b", "bold"), text("c", link="http://y")],
        ["`", text("a", "code"), "`"],
        [text("a", "code"), text("b", "bold", "code"), text("c", "code", link="http://x")],
    ],
)
def test_adjacent_and_overlapping_marks_are_kept(inline):
    assert check(doc(p(*inline))) == doc(p(*inline))
    assert from_markdown(to_markdown(doc(p(*inline)))) == doc(p(*inline))
