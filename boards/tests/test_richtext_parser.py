"""Faults of mistune 3.4.0, where it is wrong, slow or loses something, are mended in boards/richtext.

The slow shapes are in benchmarks/richtext.py too, which measures more exactly.
"""

import sys

import mistune
import pytest

from boards.richtext import from_markdown, to_markdown
from boards.richtext.delimiters import with_marks
from boards.tests.richtext_nodes import BREAK, EMPTY, bullets, code, doc, heading, item, p, quote, task, tasks, text


def lines_run(function, argument):
    """Return how many lines of Python the call runs."""
    lines = 0

    def trace(_frame, event, _more):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(argument)
    finally:
        sys.settrace(before)
    return lines


# Too slow


@pytest.mark.parametrize(
    "begin, end", [(unit, "") for unit in ("*a ", "*a *a a* a* ", "a**b", "*_", "~~*a", "**a* ")] + [("*a ", "a* ")]
)
def test_marks_are_found_in_linear_time(begin, end):
    """mistune takes 1.9 s for nested emphasis of 20,000 characters."""

    def effort(number):
        return lines_run(lambda text: with_marks([{"type": "text", "raw": text}], " "), begin * number + end * number)

    assert effort(1000) < 2.1 * effort(500)


@pytest.mark.parametrize(
    "slow",
    ["# a" + " " * 1_000_000 + "b", "\u2028\n    a\n" * 50_000, "    a\n\u3000\n" * 50_000, "\u00a0\n\ta\n" * 50_000],
    ids=["heading", "line separator", "wide space", "no-break space"],
)
def test_spaces_take_no_quadratic_time(slow, monkeypatch):
    """It would be minutes and hours for such texts, which are longer than any description: the test would be ended."""
    monkeypatch.setattr("boards.richtext.markdown_effort.MOST_WRITTEN", sys.maxsize)
    monkeypatch.setattr("boards.richtext.markdown_reader.MOST", sys.maxsize)
    assert from_markdown(slow)["content"][0]["type"] in ("heading", "paragraph", "codeBlock")


def test_quotes_and_lists_that_alternate_do_not_go_deeper():
    """mistune: RecursionError."""
    document = from_markdown("- a\n> b\n" * 200)
    assert document == doc(*[bullets(item(p("a"))), quote(p("b"))] * 200)
    with pytest.raises(RecursionError):
        mistune.create_markdown(renderer=None)("- a\n> b\n" * 400)


# Wrong


def test_a_line_of_other_signs_underlines_no_heading():
    assert from_markdown("a\n=-=-=") == doc(p("a", BREAK, "=-=-="))
    assert from_markdown("a\n===") == doc(heading(1, text("a")))


def test_a_line_of_five_spaces_ends_a_paragraph():
    assert from_markdown("a\n     \nb") == doc(p("a"), p("b"))


def test_an_address_keeps_its_letters():
    assert from_markdown("[a](http://é/計画)") == doc(p(text("a", link="http://é/計画")))


def test_a_reference_behind_a_backslash_in_an_address_is_no_reference():
    assert from_markdown(r"[a](http://x/?\&lt;)") == doc(p(text("a", link="http://x/?&lt;")))
    assert from_markdown("[a](http://x/?a&amp;b)") == doc(p(text("a", link="http://x/?a&b")))


def test_a_break_takes_no_unusual_spaces_of_the_next_line():
    assert from_markdown("a\n\u3000b") == doc(p("a", BREAK, "\u3000b"))


def test_strike_through_does_not_end_in_code():
    assert from_markdown("~~a `~~` b~~") == doc(
        p(text("a ", "strike"), text("~~", "strike", "code"), text(" b", "strike"))
    )


def test_a_box_takes_no_unusual_spaces_behind_it():
    assert from_markdown("- [ ] \u3000a") == doc(tasks(task(False, p("\u3000a"))))


@pytest.mark.parametrize(
    "markdown, document",
    [
        ("- ```\n  a\n  ```\nb", doc(bullets(item(EMPTY, code("a"))), p("b"))),
        ("> ```\n> a\n> ```\nb", doc(quote(code("a")), p("b"))),
        ("- # a\nb", doc(bullets(item(EMPTY, heading(1, text("a")))), p("b"))),
        ("- a\n===", doc(bullets(item(p("a", BREAK, "===")))),),
        ("> a\nb", doc(quote(p("a", BREAK, "b")))),
        ("> - a\nb", doc(quote(bullets(item(p("a", BREAK, "b")))))),
        ("> - a\n    - b", doc(quote(bullets(item(p("a", BREAK, "- b")))))),
    ],
)  # fmt: skip
def test_a_line_without_a_mark_goes_on_with_a_paragraph_only(markdown, document):
    assert from_markdown(markdown) == document


# Lost


@pytest.mark.parametrize("lines", ["\ta", "\t\ta\n\t b", "a\n\t\n    \nb", "    a", " \ta"])
@pytest.mark.parametrize(
    "around",
    ["```\n{}\n```", "- a\n\n  ```\n{}\n  ```", "> ```\n{}\n> ```", "> - a\n>   1. b\n>\n>      ```\n{}\n>      ```"],
)
def test_code_keeps_its_tabs_and_spaces(around, lines):
    """mistune makes spaces of tabs in an item, and removes what stands in blank lines."""
    indentation = around[around.rindex("\n") :].rstrip("`")
    source = around.replace("\n{}", "".join(indentation + line for line in lines.split("\n")))
    document = from_markdown(source)
    assert repr(lines) in str(document)
    assert from_markdown(to_markdown(document)) == document
