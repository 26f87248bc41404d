"""Find the people who are mentioned in a document."""

from collections.abc import Iterator, Mapping

from boards.richtext.checking import check
from boards.richtext.nodes import Doc, Node

Mention = tuple[str, str]  # the user's id and the label


def mentions_in(doc: Doc | None) -> set[Mention]:
    return {_mention(node) for node in _mentions(doc)} if doc else set()


def with_labels(doc: Doc, labels: Mapping[Mention, str | None]) -> Doc | None:
    """Return the document with other labels on these mentions; None makes text of one."""
    return check(_changed(doc, labels))


def _mentions(node: Node) -> Iterator[Node]:
    if node["type"] == "mention":
        yield node
    for child in node.get("content", ()):
        yield from _mentions(child)


def _mention(node: Node) -> Mention:
    return node["attrs"]["id"], node["attrs"]["label"]


def _changed(node: Node, labels: Mapping[Mention, str | None]) -> Node:
    if node["type"] == "mention" and _mention(node) in labels:
        user_id, label = _mention(node)
        new = labels[user_id, label]
        return {"type": "text", "text": f"@{label}"} if new is None else _labelled(user_id, new)
    return {**node, "content": [_changed(child, labels) for child in node["content"]]} if "content" in node else node


def _labelled(user_id: str, label: str) -> Node:
    return {"type": "mention", "attrs": {"id": user_id, "label": label}}
