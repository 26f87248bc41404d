"""Hypothesis strategies: ordinary and unusual Markdown, and documents as the editor sends them."""

from hypothesis import strategies as st

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
