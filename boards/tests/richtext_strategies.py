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
    + [
        "|-|",
        "\n|-|-|\n",
        "| a |\n| --- |\n",
        "\\|",
        "](mention:018f0000-0000-7000-8000-000000000001)",
        "[@Ken](mention:018f0000-0000-7000-8000-000000000001)",
        "](/attachments/018f0000-0000-7000-8000-000000000001)",
        "![cat](/attachments/018f0000-0000-7000-8000-000000000001)",
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
mentions = st.builds(
    lambda name, last: {
        "type": "mention",
        "attrs": {"id": f"018f0000-0000-7000-8000-00000000000{last}", "label": name},
    },
    texts.filter(str.strip),
    st.sampled_from([1, 2]),
)
pictures = st.builds(
    lambda alt, last: {
        "type": "image",
        "attrs": {"alt": alt, "attachment": f"018f0000-0000-7000-8000-00000000000{last}"},
    },
    texts,
    st.sampled_from([1, 2]),
)
inline = st.lists(st.one_of(text_nodes, text_nodes, mentions, pictures, st.just({"type": "hardBreak"})), max_size=5)


def tables(width):
    cells = st.builds(
        lambda kind, content: {"type": kind, "content": [{"type": "paragraph", "content": content}]},
        st.sampled_from(["tableHeader", "tableCell"]),
        inline,
    )
    rows = st.lists(cells, min_size=width, max_size=width).map(lambda found: {"type": "tableRow", "content": found})
    return st.lists(rows, max_size=3).map(lambda found: {"type": "table", "content": found})


leaves = st.one_of(
    st.builds(lambda content: {"type": "paragraph", "content": content}, inline),
    st.builds(
        lambda level, content: {"type": "heading", "attrs": {"level": level}, "content": content},
        st.integers(1, 6),
        inline,
    ),
    st.builds(lambda text: {"type": "codeBlock", "content": [{"type": "text", "text": text}]}, texts),
    st.just({"type": "horizontalRule"}),
    st.integers(1, 3).flatmap(tables),
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
