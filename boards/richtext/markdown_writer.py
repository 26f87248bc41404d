"""Write a document as Markdown, from which the reader makes the same document again."""

from boards.richtext.escaping import fence
from boards.richtext.inline import lines_of
from boards.richtext.markdown_inline_writer import cell_markdown, heading_markdown, line_markdown
from boards.richtext.markdown_tables import row_of
from boards.richtext.nodes import LAST_NUMBER, Doc, Node, is_list, paragraph

SPACE = "&#32;"  # stands for an empty paragraph where Markdown requires some text


def to_markdown(doc: Doc | None) -> str:
    if doc is None:
        return ""
    out: list[str] = []
    _blocks(out, doc["content"], "", "")
    return "\n".join(out)


def _blocks(out: list[str], nodes: list[Node], first: str, rest: str, *, in_item: bool = False) -> None:
    """Append the lines of these blocks to `out`; the first line is prefixed with `first`, the others with `rest`."""
    before: Node | None = None
    marker = first[-2:]
    for node in nodes:
        if before is not None:
            first = rest
            if not (in_item and _may_follow_at_once(before, node)):
                out.append(rest.rstrip())
        if is_list(node):
            marker = _other_marker(node, marker)
            _list(out, node, marker, first, rest)
        else:
            marker = ""
            _block(out, node, first, rest)
        before = node


def _block(out: list[str], node: Node, first: str, rest: str) -> None:
    kind, content = node["type"], node.get("content", [])
    if kind == "paragraph":
        lines = [line_markdown(line) for line in lines_of(content)]
        # An empty line between two others is written as a backslash, which is a hard break.
        _prefixed(out, [line or "\\" for line in lines] if content else [""], first, rest)
    elif kind == "heading":
        out.append(f"{first}{'#' * node['attrs']['level']} {heading_markdown(content)}".rstrip(" "))
    elif kind == "blockquote":
        _blocks(out, content, f"{first}> ", f"{rest}> ")
    elif kind == "table":
        _prefixed(out, _table(node), first, rest)
    elif kind == "codeBlock":
        _code(out, node, first, rest)
    else:
        out.append(f"{first}***")


def _prefixed(out: list[str], lines: list[str], first: str, rest: str) -> None:
    out.append(first + lines[0] if lines[0] else first.rstrip())
    out.extend([rest + line if line else rest.rstrip() for line in lines[1:]])


def _table(node: Node) -> list[str]:
    """Return the lines of a table; the second says that the first one has the headers."""
    rows = [
        [cell_markdown(cell["content"][0].get("content", [])) for cell in row["content"]] for row in node["content"]
    ]
    return [row_of(rows[0]), row_of(["---"] * len(rows[0])), *map(row_of, rows[1:])]


def _code(out: list[str], node: Node, first: str, rest: str) -> None:
    text = node["content"][0]["text"] if "content" in node else None
    ticks = fence(text or "", 3)
    lines = [] if text is None else text.split("\n")
    _prefixed(out, [ticks + (node["attrs"]["language"] or ""), *lines, ticks], first, rest)


def _list(out: list[str], node: Node, marker: str, first: str, rest: str) -> None:
    for number, item in enumerate(node["content"], node.get("attrs", {}).get("start", 0)):
        begin = f"{min(number, LAST_NUMBER)}{marker}" if node["type"] == "orderedList" else marker
        _item(out, item, first + begin, rest + " " * len(begin))
        first = rest


def _item(out: list[str], item: Node, first: str, rest: str) -> None:
    content = item["content"]
    is_task = item["type"] == "taskItem"
    if is_task:
        first += "[x] " if item["attrs"]["checked"] else "[ ] "
    if content[0] == paragraph():
        if len(content) == 1:
            # The parser ends an item around a quote too early when the quote's last line is an empty item.
            out.append(f"{first}{SPACE}" if ">" in rest else first.rstrip())
            return
        content = content[1:]
        if is_task:
            out += [f"{first}{SPACE}", rest.rstrip()]
            first = rest
    _blocks(out, content, first, rest, in_item=True)


def _other_marker(node: Node, before: str) -> str:
    """Return the marker that was not used before.

    Two lists in a row are told apart by their markers only. Nested lists differ too, as `- - -` would be a rule.
    """
    one, other = (". ", ") ") if node["type"] == "orderedList" else ("- ", "+ ")
    return other if before == one else one


def _may_follow_at_once(before: Node, node: Node) -> bool:
    """Tell whether `node` is a list that may begin right below a paragraph, without a blank line."""
    if before["type"] != "paragraph" or not is_list(node) or node.get("attrs", {}).get("start", 1) != 1:
        return False
    return node["content"][0] != {"type": "listItem", "content": [paragraph()]}
