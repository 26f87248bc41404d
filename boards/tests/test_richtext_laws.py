"""The two laws: Markdown in, out and in again, and every document of the editor out and in, give the same document."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.richtext import check, from_markdown, to_html, to_markdown, to_plain

PIECES = (
    list("*_~`[]()<>!&#;:\\-+=1.) \n\t|'\"a强é\u3000\u00a0\u2028\u0301☃")
    + [
        "    ",
        "\n\n",
        "- ",
        "> ",
        "1. ",
        "[ ] ",
        "[x] ",
        "# ",
        "```",
        "~~~",
        "---",
        "***",
        "**",
        "~~",
        "\\\n",
        "  \n",
        "\n  ",
    ]
    + [
        "](http://a)",
        "[a](http://b)",
        "![",
        "http://a",
        "https://a.b/c(d)",
        "<http://q>",
        "<a@b.c>",
        "&#32;",
        "&amp;",
        "]: ",
    ]
)
markdown = st.one_of(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.text(max_size=40))

texts = st.lists(st.sampled_from([*"ab1é强 *_~`[]()<>!&#\\-+=.|☃", "http://a.b", "1. ", "- "]), max_size=5).map("".join)
links = st.sampled_from(["http://a.b", "https://x/(y", "mailto:a@b.c", "http://a/?b&amp;c"])
marks = st.lists(st.sampled_from(["bold", "italic", "strike", "code"]), max_size=3, unique=True).map(
    lambda names: [{"type": name} for name in names]
)
link_marks = st.lists(links, max_size=1).map(
    lambda found: [{"type": "link", "attrs": {"href": href}} for href in found]
)
text_nodes = st.builds(
    lambda text, some, link: {"type": "text", "text": text, "marks": some + link}, texts, marks, link_marks
)
inline = st.lists(st.one_of(text_nodes, text_nodes, st.just({"type": "hardBreak"})), max_size=5)
leaves = st.one_of(
    st.builds(lambda content: {"type": "paragraph", "content": content}, inline),
    st.builds(
        lambda level, content: {"type": "heading", "attrs": {"level": level}, "content": content},
        st.integers(1, 6),
        inline,
    ),
    st.builds(lambda text: {"type": "codeBlock", "content": [{"type": "text", "text": text}]}, texts),
    st.just({"type": "horizontalRule"}),
)


def containers(blocks):
    content = st.lists(blocks, max_size=3)
    items = st.lists(content.map(lambda found: {"type": "listItem", "content": found}), max_size=3)
    tasks = st.builds(
        lambda ticked, found: {"type": "taskItem", "attrs": {"checked": ticked}, "content": found},
        st.booleans(),
        content,
    )
    starts = st.sampled_from([0, 1, 2, 99, 999_999_999])
    return st.one_of(
        content.map(lambda found: {"type": "blockquote", "content": found}),
        items.map(lambda found: {"type": "bulletList", "content": found}),
        st.builds(
            lambda start, found: {"type": "orderedList", "attrs": {"start": start}, "content": found}, starts, items
        ),
        st.lists(tasks, max_size=3).map(lambda found: {"type": "taskList", "content": found}),
    )


documents = st.lists(st.recursive(leaves, containers, max_leaves=8), max_size=4).map(
    lambda blocks: {"type": "doc", "content": blocks}
)


@settings(max_examples=300)
@given(markdown)
def test_markdown_in_out_and_in_again_gives_the_same_document(source):
    document = from_markdown(source)
    assert from_markdown(to_markdown(document)) == document


@settings(max_examples=300)
@given(documents)
def test_a_document_of_the_editor_out_and_in_gives_the_same_document(sent):
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


# An address behind a text, a title and the language of code are the only things that are not shown.
shown = st.lists(st.sampled_from([piece for piece in PIECES if not set(piece) & set("]`~&")]), max_size=40).map("".join)


@given(shown)
def test_no_letter_is_lost(source):
    kept = to_plain(from_markdown(source))
    assert [letter for letter in kept if letter in "强éa"] == [letter for letter in source if letter in "强éa"]


@pytest.mark.parametrize("seed", range(5))
def test_long_descriptions_keep_the_law(seed):
    choose = random.Random(seed)
    source = "".join(choose.choices(PIECES, k=8_000))[:20_000]
    document = from_markdown(source)
    assert from_markdown(to_markdown(document)) == document
    assert check(document) == document
    assert to_html(document)
