"""The boxes of a document, `- [ ]`, numbered from 1 in the order in which they are read."""

from collections.abc import Iterator

from boards.richtext.nodes import Doc, Node


def box_at(doc: Doc | None, number: int) -> Node | None:
    """Return the task of the box with this number, with its own and all inner boxes open: what it says."""
    return next((_open(task) for at, task in enumerate(_tasks(doc), 1) if at == number), None) if doc else None


def with_box(doc: Doc | None, number: int, checked: bool) -> Doc | None:
    """Return the document with this box, which must be there, ticked or open."""
    if doc is None:
        return None
    return _with_box(doc, next(task for at, task in enumerate(_tasks(doc), 1) if at == number), checked)


def _tasks(node: Node) -> Iterator[Node]:
    if node["type"] == "taskItem":
        yield node
    if node["type"] not in ("paragraph", "heading", "codeBlock", "table"):
        for child in node.get("content", ()):
            yield from _tasks(child)


def _open(node: Node) -> Node:
    content = [_open(child) for child in node["content"]] if "content" in node else None
    new = {**node, "content": content} if content is not None else node
    return {**new, "attrs": {"checked": False}} if node["type"] == "taskItem" else new


def _with_box(node: Node, task: Node, checked: bool) -> Node:
    if node is task:
        return {**node, "attrs": {"checked": checked}}
    return (
        {**node, "content": [_with_box(child, task, checked) for child in node["content"]]}
        if "content" in node
        else node
    )
