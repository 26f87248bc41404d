"""Find the attachments that a document shows as pictures."""

from collections.abc import Iterator, Mapping

from boards.richtext.checking import check
from boards.richtext.links import file_address
from boards.richtext.nodes import Doc, Node


def pictures_in(doc: Doc | None) -> set[str]:
    """Return the ids of the attachments."""
    return {node["attrs"]["attachment"] for node in _pictures(doc)} if doc else set()


def with_pictures(doc: Doc, attachments: Mapping[str, str | None]) -> Doc | None:
    """Return the document with other attachments, by id, in place of these; None makes a link of a picture."""
    return check(_changed(doc, attachments))


def _pictures(node: Node) -> Iterator[Node]:
    if node["type"] == "image":
        yield node
    for child in node.get("content", ()):
        yield from _pictures(child)


def _changed(node: Node, attachments: Mapping[str, str | None]) -> Node:
    if node["type"] == "image" and node["attrs"]["attachment"] in attachments:
        old, alt = node["attrs"]["attachment"], node["attrs"]["alt"]
        new = attachments[old]
        return _link(old, alt) if new is None else {"type": "image", "attrs": {"attachment": new, "alt": alt}}
    if "content" in node:
        return {**node, "content": [_changed(child, attachments) for child in node["content"]]}
    return node


def _link(attachment_id: str, alt: str) -> Node:
    address = file_address(attachment_id)
    return {"type": "text", "text": alt or address, "marks": [{"type": "link", "attrs": {"href": address}}]}
