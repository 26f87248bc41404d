"""Write a document as plain text, for the search."""

from boards.richtext.nodes import Doc, Node


def to_plain(doc: Doc | None) -> str:
    """Return one line for each paragraph, heading and block of code."""
    if doc is None:
        return ""
    lines: list[str] = []
    _collect(lines, doc["content"])
    return "\n".join(lines)


def inline_text(nodes: list[Node]) -> str:
    return "".join([node.get("text", " ") for node in nodes]).replace("\n", " ")


def _collect(lines: list[str], nodes: list[Node]) -> None:
    for node in nodes:
        content = node.get("content")
        if not content:
            continue
        if node["type"] in ("paragraph", "heading", "codeBlock"):
            lines.append(inline_text(content))
        else:
            _collect(lines, content)
