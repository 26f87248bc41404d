"""Check a document from the browser against the schema, and bring it into the canonical form."""

from typing import Any, NoReturn

from django.utils.translation import gettext as _

from boards.errors import Malformed
from boards.richtext.builder import Builder
from boards.richtext.inline import Marks, Run, mention_run, picture_run
from boards.richtext.links import FILES, MENTION, mention_address, picture_address, safe_address
from boards.richtext.nodes import LAST_NUMBER, MARKS, Doc, Node, paragraph
from boards.text import FORBIDDEN

MAX_NODES = 50_000  # Markdown of 20,000 characters never has more
MAX_LEVELS = 100

# The attributes that the editor sends. Those in NOT_KEPT are accepted as a string or null, then dropped.
ATTRIBUTES = {
    "heading": {"level"},
    "orderedList": {"start", "type"},
    "taskItem": {"checked"},
    "codeBlock": {"language"},
    "tableHeader": {"colspan", "rowspan", "colwidth", "align"},
    "tableCell": {"colspan", "rowspan", "colwidth", "align"},
    "mention": {"id", "label", "mentionSuggestionChar"},
    "image": {"attachment", "alt"},
    "link": {"href", "target", "rel", "class", "title"},
}
NOT_KEPT = {"type", "target", "rel", "class", "title", "align", "mentionSuggestionChar"}
KEYS = {
    "text": {"type", "text", "marks"},
    "horizontalRule": {"type", "attrs"},
    "hardBreak": {"type", "attrs", "marks"},
    "mention": {"type", "attrs", "marks"},
    "image": {"type", "attrs", "marks"},
}
OF_A_BLOCK = {"type", "attrs", "content"}
ITEMS = {"bulletList": "listItem", "orderedList": "listItem", "taskList": "taskItem"}


def check(value: object) -> Doc | None:
    """Return the canonical document; None for null or an empty one. Raises Malformed for anything not in the schema."""
    if value is None:
        return None
    checker = _Checker()
    node = checker.node(value)
    if node["type"] != "doc":
        _refuse('its type is not "doc"')
    checker.blocks(node, 0)
    return checker.builder.document()


def _refuse(what: str) -> NoReturn:
    what = what.encode(errors="backslashreplace").decode()  # JSON can name half a character, which no answer can hold
    raise Malformed.of("description", _("%(field)s is not in the editor's format: %(what)s."), what=what)


class _Checker:
    def __init__(self) -> None:
        self.builder = Builder()
        self.nodes = 0

    def node(self, value: object) -> Node:
        """Return the value as a node; refuse it without a type, or with keys that its type does not have."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            _refuse("it has too many parts")
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            _refuse("a part of it has no type")
        kind = value["type"]
        if unknown := value.keys() - KEYS.get(kind, OF_A_BLOCK):
            _refuse(f"{kind[:40]} with {sorted(map(str, unknown))[0][:40]}")
        return value

    def blocks(self, around: Node, level: int) -> None:
        if level > MAX_LEVELS:
            _refuse("its parts are nested too deep")
        for child in _content(around):
            self.block(self.node(child), level + 1)

    def block(self, node: Node, level: int) -> None:
        kind = node["type"]
        attributes = _attributes(node)
        if kind == "paragraph":
            self.inline(node, paragraph())
        elif kind == "heading":
            self.inline(node, {"type": "heading", "attrs": {"level": _whole_number(attributes.get("level"), 1, 6)}})
        elif kind == "blockquote":
            self.builder.open_quote()
            self.blocks(node, level)
            self.builder.close()
        elif kind in ITEMS:
            self.items(node, attributes, level)
        elif kind == "codeBlock":
            self.code(node, attributes)
        elif kind == "table":
            self.table(node)
        elif kind == "horizontalRule":
            self.builder.rule()
        else:
            _refuse(f"{kind[:40]} is unknown or in a wrong place")

    def items(self, around: Node, attributes: dict[str, Any], level: int) -> None:
        start = None
        if around["type"] == "orderedList":
            start = _whole_number(attributes.get("start", 1), 0, LAST_NUMBER)
        self.builder.open_list(start)
        for child in _content(around):
            item = self.node(child)
            if item["type"] != ITEMS[around["type"]]:
                _refuse(f"{item['type'][:40]} in {around['type']}")
            checked = _attributes(item).get("checked", False)
            if not isinstance(checked, bool):
                _refuse("checked is not true or false")
            self.builder.open_item(checked if item["type"] == "taskItem" else None)
            self.blocks(item, level + 1)
            self.builder.close()
        self.builder.close()

    def table(self, around: Node) -> None:
        rows = [self.part(child, ("tableRow",), around) for child in _content(around)]
        if len({len(_content(row)) for row in rows}) > 1:
            _refuse("a table whose rows have different numbers of cells")
        self.builder.open_table()
        for row in rows:
            self.builder.open_row()
            for child in _content(row):
                self.cell(self.part(child, ("tableHeader", "tableCell"), row))
            self.builder.close()
        self.builder.close()

    def cell(self, node: Node) -> None:
        attributes = _attributes(node)
        for name in ("colspan", "rowspan"):
            _whole_number(attributes.get(name, 1), 1, 1)
        if "colwidth" in attributes:
            _refuse("a cell of a table has a width")
        blocks = [self.part(child, ("paragraph",), node) for child in _content(node)] or [paragraph()]
        if len(blocks) > 1:
            _refuse("a cell of a table with more than one paragraph")
        self.builder.open_cell()
        self.texts(blocks[0])

    def part(self, value: object, kinds: tuple[str, ...], around: Node) -> Node:
        """Return the value as a node of one of these types."""
        node = self.node(value)
        if node["type"] not in kinds:
            _refuse(f"{node['type'][:40]} in {around['type']}")
        _attributes(node)
        return node

    def inline(self, around: Node, block: Node) -> None:
        self.builder.open_block(block)
        self.texts(around)

    def texts(self, around: Node) -> None:
        for child in _content(around):
            node = self.node(child)
            marks = _marks(node)
            if node["type"] == "text":
                self.builder.text(_string(node.get("text")), marks)
            elif node["type"] == "mention":
                self.builder.text(*_mention(node))
            elif node["type"] == "image":
                self.builder.text(*_picture(node))
            elif node["type"] == "hardBreak":
                _attributes(node)
                self.builder.line_break()
            else:
                _refuse(f"{node['type'][:40]} in {around['type']}")
        self.builder.end_block()

    def code(self, around: Node, attributes: dict[str, Any]) -> None:
        nodes = [self.node(child) for child in _content(around)]
        if any(node["type"] != "text" or node.get("marks") for node in nodes):
            _refuse("codeBlock with more than text")
        language = _string(attributes.get("language", ""))
        self.builder.code("".join([_string(node.get("text")) for node in nodes]), language)


def _mention(node: Node) -> Run:
    attributes = _attributes(node)
    address = mention_address(f"{MENTION}{_string(attributes.get('id'))}")
    return (address and mention_run(_string(attributes.get("label")), address)) or _refuse("a mention of nobody")


def _picture(node: Node) -> Run:
    attributes = _attributes(node)
    address = picture_address(f"{FILES}{_string(attributes.get('attachment'))}")
    return picture_run(_string(attributes.get("alt", "")), address) if address else _refuse("an image of no attachment")


def _content(node: Node) -> list[object]:
    content = node.get("content", [])
    if not isinstance(content, list):
        _refuse("content is not a list")
    return content


def _attributes(node: Node) -> dict[str, Any]:
    """Return the node's attributes without those that are null: null is the same as absent."""
    attributes = {} if node.get("attrs") is None else node["attrs"]
    if not isinstance(attributes, dict) or attributes.keys() - ATTRIBUTES.get(node["type"], set()):
        _refuse(f"{node['type'][:40]} with unknown attrs")
    present = {name: value for name, value in attributes.items() if value is not None}
    for name in NOT_KEPT & present.keys():
        _string(present[name])
    return present


def _marks(node: Node) -> Marks:
    marks = [] if node.get("marks") is None else node["marks"]
    if not isinstance(marks, list):
        _refuse("marks is not a list")
    names = frozenset([_mark(mark) for mark in marks])
    if len(names - set(MARKS)) > 1:
        _refuse("a text with two links")
    return names


def _mark(mark: object) -> str:
    """Return the mark's name, or for a link its address."""
    if not isinstance(mark, dict) or mark.keys() - {"type", "attrs"} or not isinstance(mark.get("type"), str):
        _refuse("an unknown mark")
    attributes = _attributes(mark)
    if mark["type"] == "link":
        address = safe_address(_string(attributes.get("href")))
        return address or _refuse("a link must begin with http://, https:// or mailto:")
    return mark["type"] if mark["type"] in MARKS else _refuse(f"the mark {mark['type'][:40]} is unknown")


def _string(value: object) -> str:
    if not isinstance(value, str):
        _refuse("a text is not a string")
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    if found := FORBIDDEN.search(text):
        _refuse(f"it contains the character U+{ord(found[0]):04X}")
    return text


def _whole_number(value: object, lowest: int, highest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        _refuse(f"a number is not between {lowest} and {highest}")
    return value
