"""Documents from a browser are checked: which are accepted, and what becomes of them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.errors import Invalid
from boards.richtext import check
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


def refused(value, match=None):
    with pytest.raises(Invalid, match=match) as caught:
        check(value)
    assert caught.value.field == "description"
    return True


def nested(levels, *blocks):
    for _ in range(levels):
        blocks = (quote(*blocks),)
    return blocks[0]


# What is accepted


@pytest.mark.parametrize("nothing", [None, doc(), {"type": "doc"}, doc(EMPTY), doc(p("  "), p(BREAK)), doc(bullets())])
def test_empty_input_gives_no_document(nothing):
    assert check(nothing) is None


def test_every_node_and_mark_of_the_schema_is_accepted_unchanged():
    document = doc(
        heading(6, text("a")),
        p(text("b", "bold", "italic", "strike", link="http://x"), BREAK, text("c", "code")),
        bullets(item(p("d"), numbers(3, item(p("e"))))),
        tasks(task(True, p("f")), task(False, EMPTY)),
        quote(p("g")),
        code("h\n\n  i", "py"),
        {"type": "horizontalRule"},
    )
    assert check(document) == document


def test_attributes_that_the_editor_adds_are_accepted_and_dropped():
    link = {"href": "http://x", "target": "_blank", "rel": "noopener", "class": None, "title": None}
    sent = doc(
        {"type": "orderedList", "attrs": {"start": 1, "type": None}, "content": [item(p("a"))]},
        {"type": "codeBlock", "attrs": {"language": None}, "content": [text("b")]},
        {
            "type": "paragraph",
            "attrs": {},
            "content": [{"type": "text", "text": "c", "marks": [{"type": "link", "attrs": link}]}],
        },
        {"type": "paragraph", "content": [text("d"), {"type": "hardBreak", "marks": [{"type": "bold"}]}, text("e")]},
    )
    assert check(sent) == doc(numbers(1, item(p("a"))), code("b"), p(text("c", link="http://x")), p("d", BREAK, "e"))


def test_a_list_without_a_start_begins_at_one():
    assert check(doc({"type": "orderedList", "content": [item(p("a"))]})) == doc(numbers(1, item(p("a"))))


# What cannot be written as Markdown is changed so that it can


def test_empty_paragraphs_are_dropped():
    assert check(doc(EMPTY, p("a"), EMPTY, EMPTY, p("b"), EMPTY)) == doc(p("a"), p("b"))


def test_spaces_and_breaks_at_the_ends_of_a_paragraph_are_dropped():
    assert check(doc(p(BREAK, " a ", BREAK, "  b\t", BREAK))) == doc(p("a", BREAK, "b"))


def test_a_newline_in_a_text_is_a_break():
    assert check(doc(p("a\r\nb\rc"))) == doc(p("a", BREAK, "b", BREAK, "c"))


def test_a_heading_is_one_line():
    assert check(doc(heading(1, text("a"), BREAK, text("b")))) == doc(heading(1, text("a b")))


def test_neighbouring_texts_with_the_same_marks_are_one():
    assert check(doc(p(text("a", "bold"), text("b", "bold"), "c", "d"))) == doc(p(text("ab", "bold"), "cd"))


def test_spaces_between_marked_texts_keep_only_the_shared_marks():
    sent = doc(p(text("a ", "bold"), text("b", "bold", "italic"), text(" ", "bold"), "c"))
    assert check(sent) == doc(p(text("a ", "bold"), text("b", "bold", "italic"), " c"))


def test_a_bare_address_becomes_a_link():
    assert check(doc(p("see http://x."))) == doc(p("see ", text("http://x", link="http://x"), "."))


def test_an_item_begins_with_a_paragraph():
    assert check(doc(bullets(item(code("a"))))) == doc(bullets(item(EMPTY, code("a"))))


def test_nodes_that_must_not_be_empty_get_an_empty_paragraph():
    assert check(doc(quote(), bullets(item()))) == doc(quote(EMPTY), bullets(item(EMPTY)))


def test_deep_nesting_becomes_flatter_and_keeps_its_text():
    flat = check(doc(nested(MAX_DEPTH + 5, tasks(task(True, p("a"))))))
    assert flat == doc(nested(MAX_DEPTH, p("[x]"), p("a")))


def test_an_address_is_kept_in_a_spelling_that_is_safe_everywhere():
    sent = doc(p(text("a", link=' https://x/a b"<c>\\d\n`é ')))
    assert check(sent) == doc(p(text("a", link="https://x/a%20b%22%3Cc%3E%5Cd%0A%60é")))


# What is refused


@pytest.mark.parametrize(
    "value", ["", "text", 7, [], {}, {"type": None}, {"type": "paragraph"}, {"content": []}, p("a")]
)
def test_only_a_document_is_accepted(value):
    assert refused(value)


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tableRow"},
        {"type": "image", "attrs": {"src": "http://x"}},
        {"type": "doc", "content": []},
        text("a"),
        BREAK,
        item(p("a")),
        None,
        "a",
        ["paragraph"],
    ],
)
def test_an_unknown_block_is_refused(block):
    assert refused(doc(block))


@pytest.mark.parametrize(
    "block",
    [
        EMPTY | {"style": "color: red"},
        EMPTY | {"attrs": {"textAlign": "left"}},
        EMPTY | {"attrs": {"onclick": "alert(1)"}},
        EMPTY | {"attrs": []},
        EMPTY | {"marks": []},
        EMPTY | {"text": "a"},
        EMPTY | {"content": {}},
        EMPTY | {"content": [p("a")]},
        {"type": "horizontalRule", "content": []},
        {"type": "heading", "attrs": {"level": 0}},
        {"type": "heading", "attrs": {"level": 7}},
        {"type": "heading", "attrs": {"level": True}},
        {"type": "heading", "attrs": {"level": "1"}},
        {"type": "heading"},
        numbers(-1, item(p("a"))),
        numbers(1_000_000_000, item(p("a"))),
        bullets(p("a")),
        bullets(task(True, p("a"))),
        tasks(item(p("a"))),
        tasks({"type": "taskItem", "attrs": {"checked": "yes"}}),
        quote(text("a")),
        code("a") | {"attrs": {"language": 7}},
        {"type": "codeBlock", "content": [text("a", "bold")]},
        {"type": "codeBlock", "content": [BREAK]},
    ],
)
def test_anything_outside_the_schema_is_refused(block):
    assert refused(doc(block))


@pytest.mark.parametrize(
    "node",
    [
        {"type": "text"},
        {"type": "text", "text": 7},
        {"type": "text", "text": "a", "attrs": {}},
        {"type": "text", "text": "a", "marks": {}},
        {"type": "text", "text": "a", "marks": ["bold"]},
        {"type": "text", "text": "a", "marks": [{"type": "underline"}]},
        {"type": "text", "text": "a", "marks": [{"type": "bold", "attrs": {"style": "x"}}]},
        {"type": "text", "text": "a", "marks": [{"type": "bold", "style": "x"}]},
        {"type": "text", "text": "a", "marks": [{"type": "link"}]},
        {"type": "text", "text": "a", "marks": [{"type": "link", "attrs": {"href": "http://x", "style": "x"}}]},
        {"type": "text", "text": "a", "marks": [{"type": "link", "attrs": {"href": "http://x", "target": 1}}]},
        {"type": "text", "text": "a", "marks": text("", link="http://x")["marks"] + text("", link="http://y")["marks"]},
        {"type": "hardBreak", "content": []},
        {"type": "mention"},
    ],
)
def test_anything_outside_the_schema_in_a_paragraph_is_refused(node):
    assert refused(doc(p(node)))


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\ud800"])
def test_a_character_that_cannot_be_stored_is_refused(character):
    assert refused(doc(p(f"a{character}")), match=r"U\+")
    assert refused(doc(code(character)))
    assert refused(doc(p(text("a", link=f"http://x/{character}"))))


@pytest.mark.parametrize("value", [{"type": "doc", "\ud800": 1}, doc({"type": "\ud800"}), doc({**p(), "\ud800": 1})])
def test_a_refusal_can_be_written_whatever_it_names(value):
    with pytest.raises(Invalid) as refused:
        check(value)
    assert rb"\ud800" in str(refused.value).encode()


def test_excessive_nesting_is_refused():
    assert refused(doc(nested(500, p("a"))), match="nested")


def test_too_many_nodes_are_refused():
    assert refused(doc(*[p("a")] * 30_000), match="too many")


words = st.sampled_from(
    ["doc", "paragraph", "text", "taskList", "taskItem", "heading", "link", "level", "checked", "a", ""]
)
keys = st.sampled_from(["type", "content", "text", "marks", "attrs", "href", "level", "checked"])
values = st.recursive(
    st.one_of(words, st.none(), st.booleans(), st.integers(-1, 7), st.floats()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
)


@given(st.one_of(values, values.map(lambda value: doc(value)), values.map(lambda value: doc(p(value)))))
def test_any_value_is_accepted_or_refused(value):
    with suppress(Invalid):
        check(value)


def test_the_message_names_the_invalid_part():
    assert refused(doc({"type": "iframe"}), match="iframe")
