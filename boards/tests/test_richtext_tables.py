"""Tables and mentions: Markdown in and out, the editor's documents, HTML and plain text."""

import pytest

from boards.errors import Malformed
from boards.richtext import check, from_markdown, to_html, to_markdown, to_plain
from boards.tests.richtext_nodes import BREAK, ED, bullets, code, doc, item, mention, p, quote, table, text

AB = table(["a", "b"], ["1", "2"])
OTHER = ED[:-1] + "2"


def same(document):
    """Return the Markdown of this document, which is read back as the same one."""
    markdown = to_markdown(document)
    assert from_markdown(markdown) == check(document) == document
    return markdown


# Tables in Markdown


@pytest.mark.parametrize(
    "markdown",
    [
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        "a|b\n-|-\n1|2",
        "|a|b|\n|:-:|--:|\n|1|2|",
        " | a | b\n  ---|---\n   1 | 2 |",
    ],
)
def test_lines_with_pipes_are_a_table(markdown):
    assert from_markdown(markdown) == doc(AB)


def test_a_table_is_written_with_a_line_for_each_row():
    assert same(doc(AB)) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_a_line_of_text_right_above_a_table_is_a_paragraph():
    assert from_markdown("See:\n| a | b |\n|-|-|\n| 1 | 2 |") == doc(p("See:"), AB)


def test_a_table_ends_at_a_blank_line_or_another_block():
    for end in ("\n\nc", "\n# c", "\n> c", "\n- c", "\n3. c", "\n```\nc\n```", "\n***", "\n---", "\n    c"):
        first, *others = from_markdown(f"a|b\n-|-\n1|2{end}")["content"]
        assert (first, len(others)) == (AB, 1)


def test_a_line_without_pipes_goes_on_with_the_table():
    assert from_markdown("a|b\n-|-\n1|2\n3") == doc(table(["a", "b"], ["1", "2"], ["3", ""]))


def test_rows_with_more_cells_widen_the_table_so_that_no_text_is_lost():
    assert from_markdown("a|b\n-|-\n1|2|3") == doc(table(["a", "b", ""], ["1", "2", "3"]))


@pytest.mark.parametrize("markdown", ["a|b\n-", "a|b\n-|-|-", "a|b", "-|-", "a|b\n\n-|-", "a|b\n-|x", "a\n:-:"])
def test_other_lines_with_pipes_are_text(markdown):
    assert "table" not in str(from_markdown(markdown))


def test_a_lazy_line_is_no_part_of_a_table():
    assert "table" not in str(from_markdown("> a|b\n-|-"))
    assert from_markdown("> a|b\n> -|-\n> 1|2\n3") == doc(quote(AB, p("3")))


def test_tables_are_in_quotes_and_lists():
    assert same(doc(quote(AB), bullets(item({"type": "paragraph"}, AB)), bullets(item(p("c"), AB)))) != ""


@pytest.mark.parametrize(
    "cell, markdown",
    [
        (p("a | b"), "a \\| b"),
        (p(text("a|b", "code")), "`a\\|b`"),
        (p(text("\\|", "code")), "`\\\\|`"),
        (p("\\|"), "\\\\\\|"),
        (p("a\\"), "a\\\\"),
        (p(text("a", link="http://a/|")), "[a](http://a/\\|)"),
        (p(text("a", "bold"), " ", text("b", "italic")), "**a** *b*"),
        (p("- a"), "- a"),
        (p("# a"), "# a"),
    ],
)
def test_what_is_in_a_cell_is_kept(cell, markdown):
    found = doc(table(["h"], [""]))
    found["content"][0]["content"][1]["content"][0]["content"] = [cell]
    assert same(found).endswith(f"\n| {markdown} |")


def test_text_that_looks_like_a_table_stays_text():
    for second in ("| --- | --- |", "---|---", ":-: | -", "|-|"):
        assert "table" not in same(doc(p("| a | b |", BREAK, second)))


def test_empty_cells_are_kept():
    assert same(doc(table(["", ""], ["", ""]))) == "|  |  |\n| --- | --- |\n|  |  |"


def test_two_tables_in_a_row_stay_two():
    same(doc(AB, AB))


@pytest.mark.parametrize("many", ["|a" * 60 + "\n" + "|-" * 60 + "\n" + "|\n" * 6_000, "a|\n-|\n" + "|" * 3_000])
def test_a_table_of_too_many_cells_is_shown_as_it_was_typed(many):
    assert from_markdown(many) == doc(code(many))


def test_a_table_of_a_thousand_cells_is_read():
    rows = [[str(number)] * 5 for number in range(199)]
    assert same(doc(table(["a"] * 5, *rows))).count("\n") == 200


# Tables of the editor


def test_the_first_row_has_the_headers_whatever_the_editor_says():
    sent = doc(table(["a"], ["1"]))
    for row, kind in zip(sent["content"][0]["content"], ("tableCell", "tableHeader"), strict=True):
        row["content"][0] |= {"type": kind, "attrs": {"colspan": 1, "rowspan": 1, "colwidth": None, "align": "left"}}
    assert check(sent) == doc(table(["a"], ["1"]))


def test_a_break_in_a_cell_is_a_space():
    sent = doc(table(["a"]))
    sent["content"][0]["content"][0]["content"][0]["content"] = [p("a", BREAK, "b\nc")]
    assert check(sent) == doc(table(["a b c"]))


@pytest.mark.parametrize(
    "attributes", [{"colspan": 2}, {"rowspan": 2}, {"colwidth": [90]}, {"colspan": [1]}, {"rowspan": True}]
)
def test_a_cell_that_spans_others_is_refused(attributes):
    sent = doc(table(["a"]))
    sent["content"][0]["content"][0]["content"][0]["attrs"] = attributes
    with pytest.raises(Malformed):
        check(sent)


@pytest.mark.parametrize("cell", [[p("a"), p("b")], [bullets(item(p("a")))], [text("a")], "a"])
def test_a_cell_with_more_than_a_paragraph_is_refused(cell):
    sent = doc(table(["a"]))
    sent["content"][0]["content"][0]["content"][0]["content"] = cell
    with pytest.raises(Malformed):
        check(sent)


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(Malformed, match="different numbers of cells"):
        check(doc(table(["a", "b"], ["1"])))


def test_a_table_without_cells_is_dropped():
    assert check(doc({"type": "table"}, {"type": "table", "content": [{"type": "tableRow"}]})) is None


# Mentions


def test_a_mention_is_written_as_a_link_with_the_id():
    assert same(doc(p("Ask ", mention("Ken", ED), "."))) == f"Ask [@Ken](mention:{ED})."


def test_a_name_alone_mentions_nobody():
    assert same(doc(p("Ask @Ken."))) == "Ask @Ken."


@pytest.mark.parametrize(
    "label", ["a*b_c", "[x](y)", "a ] b", "@", "`", "http://a.b", "\\", "R&amp;D", "<b>", "|", "Ünal 山田"]
)
def test_every_name_is_kept(label):
    same(doc(p(mention(label, ED)), table([text("x")], [mention(label, ED)])))


def test_mentions_beside_each_other_stay_apart():
    same(doc(p(mention("Ed", ED), mention("Ed", ED), mention("Vera", OTHER))))


def test_marks_around_a_mention_are_dropped():
    found = from_markdown(f"**a [@Ed](mention:{ED}) b** [*@Ed*](mention:{ED})")
    assert found == doc(p(text("a", "bold"), " ", mention("Ed", ED), " ", text("b", "bold"), " ", mention("Ed", ED)))
    sent = doc(p({**mention("Ed", ED), "marks": [{"type": "bold"}]}))
    assert check(sent) == doc(p(mention("Ed", ED)))


def test_spaces_and_breaks_in_a_name_are_one_space():
    assert from_markdown(f"[@Ed\n  X](mention:{ED})") == doc(p(mention("Ed X", ED)))


@pytest.mark.parametrize("markdown", ["[@Ed](mention:1)", "[@Ed](mention:)", f"[@Ed](mention:{ED.upper()})"])
def test_a_mention_of_something_else_than_an_id_is_text(markdown):
    assert from_markdown(markdown) == doc(p("@Ed"))


def test_a_mention_without_a_name_is_text():
    assert from_markdown(f"[@](mention:{ED}) [](mention:{ED})") == doc(p(f"@ mention:{ED}"))


@pytest.mark.parametrize(
    "attributes", [{}, {"id": "1", "label": "a"}, {"id": ED}, {"id": ED, "label": " "}, {"id": 1, "label": "a"}]
)
def test_a_mention_of_nobody_is_refused(attributes):
    with pytest.raises(Malformed):
        check(doc(p({"type": "mention", "attrs": attributes})))


def test_a_link_of_the_editor_cannot_be_a_mention():
    with pytest.raises(Malformed):
        check(doc(p(text("a", link=f"mention:{ED}"))))


# As HTML and as plain text


def test_a_table_is_in_a_frame_that_scrolls():
    assert to_html(doc(AB)) == (
        '<div class="table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>'
        "<tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>"
    )


def test_a_mention_is_shown_by_name_alone():
    assert to_html(doc(p(mention("<Ed>", ED)))) == '<p><span class="mention">@&lt;Ed&gt;</span></p>'


def test_a_row_is_one_line_of_plain_text():
    assert to_plain(doc(table(["a", mention("Ed", ED)], ["", "2"]))) == "a @Ed\n2"
