"""Write a document as plain text, for the search and for tiles."""

from boards.richtext.nodes import Doc, Node


def to_plain(doc: Doc | None) -> str:
    """Return one line for each paragraph, heading, block of code and row of a table."""
    if doc is None:
        return ""
    lines: list[str] = []
    _collect(lines, doc["content"])
    return "\n".join(lines)


def first_line(doc: Doc | None, most: int) -> str:
    """Return the first line that is not empty, with an ellipsis if it has more than `most` characters."""
    line = next(filter(None, map(str.strip, to_plain(doc).splitlines())), "")
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def inline_text(nodes: list[Node]) -> str:
    return "".join(map(_text, nodes)).replace("\n", " ")


def _text(node: Node) -> str:
    if node["type"] == "mention":
        return f"@{node['attrs']['label']}"
    return str(node["attrs"]["alt"] if node["type"] == "image" else node.get("text", " "))


def _cells(row: Node) -> str:
    texts = [inline_text(cell["content"][0].get("content", [])) for cell in row["content"]]
    return " ".join([text for text in texts if text])


def _collect(lines: list[str], nodes: list[Node]) -> None:
    for node in nodes:
        content = node.get("content")
        if not content:
            continue
        if node["type"] in ("paragraph", "heading", "codeBlock"):
            lines.append(inline_text(content))
        elif node["type"] == "tableRow":
            lines.append(_cells(node))
        else:
            _collect(lines, content)
