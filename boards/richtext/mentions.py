"""Find the people who are mentioned in a document, by the editor or by an @ and their name."""

import re
from collections.abc import Iterable, Iterator, Mapping

from boards.richtext.checking import check
from boards.richtext.nodes import CODE, Doc, Node

Mention = tuple[str, str]  # the user's id and the label


def mentions_in(doc: Doc | None) -> set[Mention]:
    return {_mention(node) for node in _mentions(doc)} if doc else set()


def with_labels(doc: Doc, labels: Mapping[Mention, str | None]) -> Doc | None:
    """Return the document with other labels on these mentions; None makes text of one."""
    return check(_changed(doc, labels))


AS_LINK = re.compile(r"\[(@[^\]]*)\]\(mention:[0-9a-f-]{36}\)")  # in Markdown
AT = re.compile(r"(?<![^\s(])@(\w+)")  # an address has a letter before it
BEHIND = re.compile(r"(?![\w@/-]|\.\w)")  # the name must end there


def without_ids(markdown: str) -> str:
    """Return the Markdown with mentions by names alone, to be read where nothing is edited."""
    return AS_LINK.sub(r"\1", markdown)


def has_written(doc: Doc | None) -> bool:
    """Whether somebody may be named by an @ in the text of the document."""
    return doc is not None and any(AT.search(node["text"]) for node in _texts(doc))


def with_written(doc: Doc, people: Mapping[str, Mention], current: Doc | None = None) -> Doc | None:
    """Return the document with mentions in place of an @ and a name of `people`, in any case; the longest name counts.

    The names of `people` are folded. What stands as text in `current` too stays text, as do code and links.
    """
    finder = _Finder(people)
    known = {name for node in _texts(current) for _at, _end, name in finder(node["text"])} if current else set()
    return check(_named(doc, finder, {name: one for name, one in people.items() if name not in known}))


class _Finder:
    """Finds names behind an @: each by its first word, so that a long text takes no longer with many people."""

    def __init__(self, names: Iterable[str]) -> None:
        self.by_word: dict[str, list[str]] = {}
        for name in sorted(names, key=len, reverse=True):
            if word := re.match(r"\w+", name):
                self.by_word.setdefault(word[0], []).append(name)

    def __call__(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where each begins, with its @, and ends."""
        for match in AT.finditer(text):
            for name in self.by_word.get(match[1].casefold(), ()):
                end = match.start(1) + len(name)
                if text[match.start(1) : end].casefold() == name and BEHIND.match(text, end):
                    yield match.start(), end, name
                    break


def _named(node: Node, finder: _Finder, people: Mapping[str, Mention]) -> Node:
    if "content" not in node or node["type"] == "codeBlock":
        return node
    return {**node, "content": [part for child in node["content"] for part in _parts(child, finder, people)]}


def _parts(node: Node, finder: _Finder, people: Mapping[str, Mention]) -> Iterator[Node]:
    if not _is_prose(node):
        yield _named(node, finder, people)
        return
    text, rest = node["text"], 0
    for at, end, name in finder(text):
        if name in people:
            if at > rest:
                yield {**node, "text": text[rest:at]}
            yield _labelled(*people[name])
            rest = end
    if rest < len(text):
        yield {**node, "text": text[rest:]}


def _texts(node: Node) -> Iterator[Node]:
    """Yield the texts in which somebody may be named."""
    if _is_prose(node):
        yield node
    elif node["type"] != "codeBlock":
        for child in node.get("content", ()):
            yield from _texts(child)


def _is_prose(node: Node) -> bool:
    return node["type"] == "text" and not any(mark["type"] in (CODE, "link") for mark in node.get("marks", ()))


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
