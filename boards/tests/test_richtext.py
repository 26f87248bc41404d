"""Reading Markdown into a document."""

import pytest

from boards.richtext import from_markdown, to_markdown, to_plain
from boards.richtext.nodes import MAX_DEPTH
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


@pytest.mark.parametrize("empty", ["", " ", "\n\n", "\t\n", "&#32;"])
def test_empty_input_gives_no_document(empty):
    assert from_markdown(empty) is None


# Paragraphs and headings


def test_plain_text_becomes_paragraphs():
    assert from_markdown("One.\n\nTwo.") == doc(p("One."), p("Two."))


def test_a_single_newline_is_a_hard_break():
    assert from_markdown("one\ntwo") == doc(p("one", BREAK, "two"))


@pytest.mark.parametrize("written", ["one  \ntwo", "one\\\ntwo", "one\n   two"])
def test_every_way_to_write_a_break_is_the_same_break(written):
    assert from_markdown(written) == from_markdown("one\ntwo")


@pytest.mark.parametrize("level", range(1, 7))
def test_hash_signs_make_a_heading_of_that_level(level):
    assert from_markdown(f"{'#' * level} Plan") == doc(heading(level, text("Plan")))


def test_underlined_lines_are_a_heading_of_one_line():
    assert from_markdown("One\ntwo\n===") == doc(heading(1, text("One two")))


def test_a_hash_sign_without_a_space_is_text():
    assert from_markdown("#5 is broken") == doc(p("#5 is broken"))


def test_a_year_at_the_start_keeps_its_number():
    assert from_markdown("2026. was good") == doc(numbers(2026, item(p("was good"))))


def test_a_line_of_dashes_is_a_rule():
    assert from_markdown("a\n\n---\n\nb") == doc(p("a"), {"type": "horizontalRule"}, p("b"))


@pytest.mark.parametrize(
    "html", ["<b>bold</b>", "<div>", "<!-- hidden -->", "<script>alert(1)</script>", "<?php", "</p>"]
)
def test_html_is_the_text_it_is(html):
    assert from_markdown(html) == doc(p(html))


def test_markdown_inside_html_still_counts():
    assert from_markdown("<div>\n\n**a**") == doc(p("<div>"), p(text("a", "bold")))


@pytest.mark.parametrize("note", ["[note]: urgent", "[TODO]: https-is-missing", "[^1]: a footnote"])
def test_text_that_looks_like_a_reference_definition_is_kept(note):
    assert from_markdown(note) == doc(p(note))


def test_character_references_are_the_characters():
    assert from_markdown("&amp; &eacute; &#9731;") == doc(p("& é ☃"))


@pytest.mark.parametrize("reference", ["&#0;", "&#1;", "&#x1b;"])
def test_a_reference_to_a_control_character_becomes_the_replacement_character(reference):
    assert from_markdown(f"a{reference}b") == doc(p("a\ufffdb"))


def test_a_half_of_a_surrogate_pair_becomes_the_replacement_character():
    assert from_markdown("a\ud800b") == doc(p("a\ufffdb"))


# Lists


def test_dashes_make_a_bulleted_list():
    assert from_markdown("- a\n- b") == doc(bullets(item(p("a")), item(p("b"))))


def test_numbers_make_a_numbered_list_from_the_first_number():
    assert from_markdown("3. a\n4. b") == doc(numbers(3, item(p("a")), item(p("b"))))


def test_boxes_make_a_task_list():
    assert from_markdown("- [ ] a\n- [x] b\n- [X] c") == doc(
        tasks(task(False, p("a")), task(True, p("b")), task(True, p("c")))
    )


def test_an_empty_box_is_a_task_without_text():
    assert from_markdown("- [ ]") == doc(tasks(task(False, EMPTY)))


def test_a_list_with_and_without_boxes_becomes_one_list_of_each_kind():
    assert from_markdown("- [x] a\n- b\n- [ ] c") == doc(
        tasks(task(True, p("a"))), bullets(item(p("b"))), tasks(task(False, p("c")))
    )


def test_a_box_in_a_numbered_list_is_text():
    assert from_markdown("1. [ ] a") == doc(numbers(1, item(p("[ ] a"))))


def test_lists_nest():
    assert from_markdown("- a\n  1. b\n     - [ ] c") == doc(
        bullets(item(p("a"), numbers(1, item(p("b"), tasks(task(False, p("c")))))))
    )


def test_an_item_that_does_not_begin_with_a_paragraph_gets_an_empty_one():
    assert from_markdown("- # a") == doc(bullets(item(EMPTY, heading(1, text("a")))))


@pytest.mark.parametrize("marker", ["> ", "- ", "1. "])
def test_marks_nested_deeper_than_the_cap_stay_as_typed(marker):
    deep = from_markdown(marker * (MAX_DEPTH + 3) + "a")
    assert to_plain(deep) == marker * 3 + "a"
    assert str(deep).count("blockquote") + str(deep).count("List'") == MAX_DEPTH
    assert from_markdown(to_markdown(deep)) == deep


def test_a_box_below_the_cap_stays_as_typed():
    deep = from_markdown("".join(f"{'  ' * level}- [x] {level}\n" for level in range(MAX_DEPTH + 1)))
    assert to_plain(deep).splitlines()[-1] == f"{MAX_DEPTH - 1} - [x] {MAX_DEPTH}"


# Quotes and code


def test_an_angle_bracket_begins_a_quote():
    assert from_markdown("> a\n> - b") == doc(quote(p("a"), bullets(item(p("b")))))


def test_a_fence_keeps_its_lines_and_its_language():
    assert from_markdown("```py title=x\n  a\n\n\tb\n```") == doc(code("  a\n\n\tb", "py"))


def test_an_impossible_language_name_is_dropped():
    assert from_markdown('```"><b>\na\n```') == doc(code("a"))


def test_an_indented_block_is_code():
    assert from_markdown("    a\n      b") == doc(code("a\n  b"))


def test_a_fence_without_end_runs_to_the_end():
    assert from_markdown("```\na\n# b") == doc(code("a\n# b"))


def test_an_empty_fence_is_an_empty_block():
    assert from_markdown("```\n```") == doc({"type": "codeBlock", "attrs": {"language": None}})


def test_code_keeps_html_and_reference_definitions():
    assert from_markdown("`<b> [a]: b`") == doc(p(text("<b> [a]: b", "code")))


# Marks


@pytest.mark.parametrize(
    "written, mark",
    [
        ("**a**", "bold"),
        ("__a__", "bold"),
        ("*a*", "italic"),
        ("_a_", "italic"),
        ("~~a~~", "strike"),
        ("~a~", "strike"),
        ("`a`", "code"),
    ],
)
def test_delimiters_mark_text(written, mark):
    assert from_markdown(written) == doc(p(text("a", mark)))


def test_marks_add_up_in_one_order():
    assert from_markdown("~~*__`a`__*~~") == doc(p(text("a", "bold", "italic", "strike", "code")))


def test_marks_reach_over_a_break():
    assert from_markdown("**a\nb**") == doc(p(text("a", "bold"), BREAK, text("b", "bold")))


def test_spaces_at_the_ends_of_a_mark_lose_it():
    assert from_markdown("a[ b ](http://x)c") == doc(p("a ", text("b", link="http://x"), " c"))


def test_spaces_inside_a_mark_keep_it():
    assert from_markdown("**a *b* c**") == doc(p(text("a ", "bold"), text("b", "bold", "italic"), text(" c", "bold")))


def test_an_underscore_inside_a_word_is_text():
    assert from_markdown("snake_case_name") == doc(p("snake_case_name"))


# Links


@pytest.mark.parametrize("address", ["http://x.org/a?b=1&c", "https://x.org/(a)", "mailto:a@b.org", "HTTPS://X.ORG"])
def test_web_and_mail_addresses_are_links(address):
    assert from_markdown(f"[a]({address})") == doc(p(text("a", link=address)))


def test_an_image_becomes_a_link():
    assert from_markdown("![a cat](http://x/cat.png)") == doc(p(text("a cat", link="http://x/cat.png")))


def test_an_image_in_a_link_gives_its_text_to_the_link():
    assert from_markdown("[![build](http://x/badge)](http://x/ci)") == doc(p(text("build", link="http://x/ci")))


@pytest.mark.parametrize("written", ["[](http://x)", "![](http://x)", "[ ](http://x)", "<http://x>", "http://x"])
def test_a_link_without_a_text_shows_its_address(written):
    assert from_markdown(written) == doc(p(text("http://x", link="http://x")))


def test_a_mail_address_in_angle_brackets_is_a_link():
    assert from_markdown("<a@b.org>") == doc(p(text("a@b.org", link="mailto:a@b.org")))


@pytest.mark.parametrize("end", [".", ",", ")", ").", "!", "'", "**"])
def test_an_address_in_a_sentence_ends_before_the_punctuation(end):
    assert from_markdown(f"see http://x/y{end}") == doc(p("see ", text("http://x/y", link="http://x/y"), end))


def test_an_address_keeps_the_brackets_that_close():
    assert from_markdown("http://x/Go_(game)") == doc(p(text("http://x/Go_(game)", link="http://x/Go_(game)")))


def test_an_address_in_code_is_not_a_link():
    assert from_markdown("`http://x`") == doc(p(text("http://x", "code")))


def test_the_title_of_a_link_is_not_kept():
    assert from_markdown('[a](http://x "T")') == doc(p(text("a", link="http://x")))
