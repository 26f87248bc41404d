"""Build a document in its canonical form. Both readers, of Markdown and of the editor's documents, call the Builder."""

from dataclasses import dataclass, field

from boards.richtext.inline import PLAIN, Line, Marks, inline_nodes
from boards.richtext.nodes import CODE, MAX_DEPTH, Doc, Node, cell, code_block, paragraph

QUOTE, LIST, ITEM, TABLE, ROW, FLAT = "quote", "list", "item", "table", "row", "flat"


@dataclass(slots=True)
class Frame:
    """An open quote, list, item, table or row. A quote, list or item that is nested too deep is FLAT: its children go to the frame around it."""

    kind: str
    children: list[Node] = field(default_factory=list)
    start: int | None = None  # a numbered list's first number
    checked: bool | None = None  # for an item with a checkbox


class Builder:
    def __init__(self) -> None:
        self.frames = [Frame("doc")]
        self.depth = 0
        self.block: Node | None = None
        self.lines: list[Line] = []

    def document(self) -> Doc | None:
        self.end_block()
        return {"type": "doc", "content": self.frames[0].children} if self.frames[0].children else None

    # Quotes, lists and their items

    def open_quote(self) -> None:
        self._open_container(Frame(QUOTE))

    def open_list(self, start: int | None) -> None:
        self._open_container(Frame(LIST, start=start))

    def open_item(self, checked: bool | None = None) -> None:
        self.end_block()
        in_list = self.frames[-1].kind == LIST
        self.frames.append(Frame(ITEM, checked=checked) if in_list else self._flat())
        if checked is not None and not self._takes_checkbox():
            self._checkbox_as_text(checked)

    def checkbox(self, checked: bool) -> None:
        """Give the open item a checkbox; write it as text where there can be none."""
        if self._takes_checkbox():
            self.frames[-1].checked = checked
        else:
            self._checkbox_as_text(checked)

    def close(self) -> None:
        """Close the quote, list, item, table or row that was opened last."""
        self.end_block()
        frame = self.frames.pop()
        into = self.frames[-1].children
        if frame.kind == QUOTE:
            into.append({"type": "blockquote", "content": frame.children or [paragraph()]})
        elif frame.kind == LIST:
            into.extend(_lists(frame))
        elif frame.kind == ITEM:
            into.append(_item(frame))
        elif frame.kind == ROW:
            into.append({"type": "tableRow", "content": frame.children})
        elif frame.kind == TABLE:
            into.extend(_table(frame))
        self.depth -= frame.kind in (QUOTE, LIST)

    def _open_container(self, frame: Frame) -> None:
        self.end_block()
        if self.depth < MAX_DEPTH:
            self.depth += 1
            self.frames.append(frame)
        else:
            self.frames.append(self._flat())

    def _flat(self) -> Frame:
        around = self.frames[-1]
        return around if around.kind == FLAT else Frame(FLAT, around.children)

    def _takes_checkbox(self) -> bool:
        item = self.frames[-1]
        fresh = not item.children and not any(self.lines)
        return item.kind == ITEM and self.frames[-2].start is None and fresh

    def _checkbox_as_text(self, checked: bool) -> None:
        self.text("[x] " if checked else "[ ] ", PLAIN)

    # Tables

    def open_table(self) -> None:
        self.end_block()
        self.frames.append(Frame(TABLE))

    def open_row(self) -> None:
        self.end_block()
        self.frames.append(Frame(ROW))

    def open_cell(self) -> None:
        self.open_block({"type": "tableCell"})

    # Paragraphs, headings, cells and the texts in them

    def open_block(self, block: Node) -> None:
        self.end_block()
        self.block = block
        self.lines = [[]]

    def text(self, text: str, marks: Marks) -> None:
        if CODE in marks or self._is_one_line():
            text = text.replace("\n", " ")
        first, *others = text.split("\n") if "\n" in text else (text,)
        self._last_line().append((first, marks))
        for line in others:
            self.lines.append([(line, marks)])

    def line_break(self) -> None:
        """Begin a new line. A heading or a cell is one line, so there it is a space."""
        if self._is_one_line():
            self.lines[-1].append((" ", PLAIN))
        else:
            self._last_line()
            self.lines.append([])

    def _is_one_line(self) -> bool:
        return self.block is not None and self.block["type"] in ("heading", "tableCell")

    def _last_line(self) -> Line:
        """Return the line to append to. Text outside of any block opens a paragraph."""
        if self.block is None:
            self.open_block(paragraph())
        return self.lines[-1]

    def end_block(self) -> None:
        block, self.block = self.block, None
        if block is None:
            return
        nodes = inline_nodes(self.lines)
        self.lines = []
        if block["type"] == "tableCell":
            block = cell(nodes)
        elif nodes:
            block["content"] = nodes
        if nodes or block["type"] in ("heading", "tableCell"):
            self.frames[-1].children.append(block)

    # The rest

    def code(self, text: str, language: str) -> None:
        self.end_block()
        self.frames[-1].children.append(code_block(text, language))

    def rule(self) -> None:
        self.end_block()
        self.frames[-1].children.append({"type": "horizontalRule"})


def _item(frame: Frame) -> Node:
    content = frame.children
    if not content or content[0]["type"] != "paragraph":
        content = [paragraph(), *content]
    if frame.checked is None:
        return {"type": "listItem", "content": content}
    return {"type": "taskItem", "attrs": {"checked": frame.checked}, "content": content}


def _table(frame: Frame) -> list[Node]:
    """Return the table, with as many cells in each row as in the longest one; [] if it has no cells."""
    width = max((len(row["content"]) for row in frame.children), default=0)
    for row in frame.children:
        row["content"] += [cell([]) for _missing in range(width - len(row["content"]))]
    for header in frame.children[0]["content"] if width else ():
        header["type"] = "tableHeader"
    return [{"type": "table", "content": frame.children}] if width else []


def _lists(frame: Frame) -> list[Node]:
    """Return the lists that the frame becomes: several if only some items have checkboxes, otherwise one."""
    if frame.start is not None and frame.children:
        return [{"type": "orderedList", "attrs": {"start": frame.start}, "content": frame.children}]
    lists: list[Node] = []
    for item in frame.children:
        kind = "taskList" if item["type"] == "taskItem" else "bulletList"
        if not lists or lists[-1]["type"] != kind:
            lists.append({"type": kind, "content": []})
        lists[-1]["content"].append(item)
    return lists
