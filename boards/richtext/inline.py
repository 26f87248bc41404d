"""Bring texts with marks into the canonical form of a document.

Why tuples and short loops instead of small objects: a description can contain ten thousand marked letters.
"""

from collections.abc import Iterable, Iterator

from boards.richtext.links import MENTION, PICTURE, split_at_addresses
from boards.richtext.nodes import ALT, CODE, LABEL, MARKS, Node

# The names of the marks on a text. A link is represented by its address, which is the only mark with a colon. A mention is
# the text "@" and its label, with `mention:` and the user's id as its only mark. A picture is the text "!" and its
# description, with `attachment:` and the attachment's id as its only mark.
Marks = frozenset[str]
PLAIN: Marks = frozenset()

Run = tuple[str, Marks]
Line = list[Run]


def address_in(marks: Marks) -> str:
    for mark in marks:
        if ":" in mark:
            return mark
    return ""


def mention_run(label: str, address: str) -> Run | None:
    """Return the run of a mention, whose address is `mention:` and an id; None if the label is blank."""
    label = " ".join(label.split())[:LABEL].strip()
    return (f"@{label}", frozenset([address])) if label else None


def picture_run(alt: str, address: str) -> Run:
    """Return the run of a picture, whose address is `attachment:` and an id. The description may be empty."""
    return f"!{' '.join(alt.split())[:ALT].strip()}", frozenset([address])


def mentioned(marks: Marks) -> str:
    """Return the id of the user if these are the marks of a mention; otherwise ""."""
    return address_in(marks).removeprefix(MENTION) if is_mention(marks) else ""


def is_mention(marks: Marks) -> bool:
    return len(marks) == 1 and address_in(marks).startswith(MENTION)


def is_picture(marks: Marks) -> bool:
    return len(marks) == 1 and address_in(marks).startswith(PICTURE)


def is_single(marks: Marks) -> bool:
    """Tell whether this is a mention or a picture: two in a row stay two."""
    return len(marks) == 1 and address_in(marks).startswith((MENTION, PICTURE))


def inline_nodes(lines: list[Line]) -> list[Node]:
    """Return the nodes of the lines, with hard breaks between them; [] when all lines are blank."""
    tidied = [tidy(line) for line in lines]
    while tidied and not tidied[-1]:
        tidied.pop()
    nodes: list[Node] = []
    for line in tidied:
        if nodes:
            nodes.append({"type": "hardBreak"})
        nodes += line
    return nodes


def lines_of(nodes: list[Node]) -> list[Line]:
    """Return the lines that these nodes consist of: the inverse of `inline_nodes`."""
    line: Line = []
    lines = [line]
    for node in nodes:
        if node["type"] == "hardBreak":
            line = []
            lines.append(line)
        elif node["type"] == "mention":
            line.append((f"@{node['attrs']['label']}", frozenset([MENTION + node["attrs"]["id"]])))
        elif node["type"] == "image":
            line.append((f"!{node['attrs']['alt']}", frozenset([PICTURE + node["attrs"]["attachment"]])))
        elif "marks" in node:
            line.append((node["text"], frozenset([_mark_name(mark) for mark in node["marks"]])))
        else:
            line.append((node["text"], PLAIN))
    return lines


def tidy(line: Line) -> list[Node]:
    """Return the nodes of one line, without spaces at its ends or marks on outer spaces, with addresses as links."""
    if len(line) == 1 and not line[0][1]:
        text = line[0][0].strip(" \t")
        if "://" not in text:
            return [{"type": "text", "text": text}] if text else []
    runs = _trimmed(_merged(_settled(line)))
    if any("://" in text for text, marks in runs):
        runs = _merged(_linked(runs))
    return [_text_node(text, marks) for text, marks in runs]


def _settled(line: Line) -> Iterator[Run]:
    """Yield the runs, where spaces between two texts keep only the marks that the spaces and both texts share."""
    before, gap, spaces = PLAIN, "", PLAIN
    for run in _words_and_spaces(line):
        text, marks = run
        if text.isspace() and CODE not in marks:
            spaces = spaces & marks if gap else marks
            gap += text
            continue
        if gap:
            yield gap, spaces & before & marks
            gap = ""
        yield run
        before = marks
    if gap:
        yield gap, PLAIN


def _words_and_spaces(line: Line) -> Iterator[Run]:
    for run in line:
        text, marks = run
        core = text if CODE in marks or not marks else text.strip()
        if core == text or not core:
            if text:
                yield run
            continue
        start = text.index(core)
        for piece in (text[:start], core, text[start + len(core) :]):
            if piece:
                yield piece, marks


def _merged(runs: Iterable[Run]) -> Line:
    merged: Line = []
    joined, before = "", PLAIN
    for text, marks in runs:
        if marks == before and not is_single(marks):
            joined += text
            continue
        if joined:
            merged.append((joined, before))
        joined, before = text, marks
    if joined:
        merged.append((joined, before))
    return merged


def _trimmed(runs: Line) -> Line:
    if runs and CODE not in runs[0][1]:
        runs[0] = (runs[0][0].lstrip(" \t"), runs[0][1])
    if runs and CODE not in runs[-1][1]:
        runs[-1] = (runs[-1][0].rstrip(" \t"), runs[-1][1])
    return [run for run in runs if run[0]]


def _linked(runs: Line) -> Iterator[Run]:
    for text, marks in runs:
        if "://" not in text or CODE in marks or address_in(marks):
            yield text, marks
            continue
        for piece, address in split_at_addresses(text):
            if piece:
                yield piece, marks | {address} if address else marks


def _text_node(text: str, marks: Marks) -> Node:
    if not marks:
        return {"type": "text", "text": text}
    if user_id := mentioned(marks):
        return {"type": "mention", "attrs": {"id": user_id, "label": text[1:]}}
    if is_picture(marks):
        return {"type": "image", "attrs": {"attachment": address_in(marks).removeprefix(PICTURE), "alt": text[1:]}}
    nodes: list[Node] = [{"type": name} for name in MARKS if name in marks]
    if address := address_in(marks):
        nodes.insert(0, {"type": "link", "attrs": {"href": address}})
    return {"type": "text", "text": text, "marks": nodes}


def _mark_name(mark: Node) -> str:
    return mark["attrs"]["href"] if mark["type"] == "link" else mark["type"]
