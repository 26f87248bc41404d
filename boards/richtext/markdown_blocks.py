"""mistune's block parser, without the syntax that descriptions do not have, and in linear time
(docs/decisions/rich-text.md).
"""

import re
from re import Match

from mistune import BlockParser, BlockState

from boards.richtext.delimiters import Token
from boards.richtext.markdown_containers import FENCE, QUOTE, Container, columns, is_blank
from boards.richtext.markdown_effort import count_block, count_cells, count_line
from boards.richtext.markdown_tables import DELIMITERS, cells_of

LEFT_OUT = ("raw_html", "ref_link")  # HTML and reference definitions, which would take text away
NEVER = "(?!)"
BOX = re.compile(r"\[([ xX])\](?=[ \t\n]|\Z)[ \t]*")
# What a line can begin below a paragraph of a container that it does not belong to. Other lines go on with the paragraph.
ENDING = ["fenced_code", "atx_heading", "thematic_break", "block_quote", "list"]


class Blocks(BlockParser):
    DEFAULT_RULES = (  # type: ignore[assignment]
        *(rule for rule in BlockParser.DEFAULT_RULES if rule not in LEFT_OUT),
        "table",
    )
    SPECIFICATION = BlockParser.SPECIFICATION | {
        "fenced_code": rf"^(?P<fenced_1> {{0,3}}){FENCE}[ \t]*(?P<fenced_3>.*?)$",
        "indent_code": NEVER,  # see `_parse_indent_code_fast`
        "list": r"^(?P<list_1> {0,3})(?P<list_2>[*+-]|[0-9]{1,9}[.)])(?P<list_3>[ \t]*|[ \t].+)$",
        "setex_heading": r"^ {0,3}(?P<setext_1>[=-])(?P=setext_1)*[ \t]*$",  # for mistune `=-=-` is one
        "table": rf"^ {{0,3}}{DELIMITERS}$",
    }

    def parse(self, state: BlockState, rules: list[str] | None = None) -> None:
        """Parse the whole text, or the part of it that is in one quote or item."""
        count_block(state.env, state.src)
        super().parse(state, rules)

    def parse_atx_heading(self, m: Match[str], state: BlockState) -> int:
        """Remove the closing `#`s. mistune looks for them in quadratic time where there are many spaces."""
        text = m["atx_2"].strip(" \t")
        before = text.rstrip("#")
        if not before or before[-1] in " \t":
            text = before.rstrip(" \t")
        state.append_token({"type": "heading", "text": text, "attrs": {"level": len(m["atx_1"])}})
        return m.end() + 1

    def _parse_indent_code_fast(self, state: BlockState) -> int | None:
        """Read indented code, or go on with a paragraph. For mistune, a line of spaces is code too."""
        line = state.get_line(state.cursor)
        if is_blank(line) or columns(line) < 4:
            return None
        if end := state.append_paragraph():
            return end
        lines, end = [], state.cursor
        while end < state.cursor_max and (is_blank(line) or columns(line) >= 4):
            lines.append(_outdented(line))
            end += len(line)
            line = state.get_line(end)
        while is_blank(lines[-1]):
            lines.pop()
        state.append_token({"type": "block_code", "raw": "".join(lines)})
        return end

    def extract_block_quote(self, m: Match[str], state: BlockState) -> tuple[str, int | None, set[int]]:
        quote = Container()
        while state.cursor < state.cursor_max:
            line = state.get_line(state.cursor)
            if mark := QUOTE.match(line):
                quote.add(line, mark.end(), mark.end() + line.startswith((" ", "\t"), mark.end()))
            elif self._goes_on(quote, line):
                quote.add_lazy(line)
            else:
                break
            state.cursor += len(line)
        return quote.text, None, quote.lazy

    def parse_list(self, m: Match[str], state: BlockState) -> int:
        marker = m["list_2"]
        start = int(marker[:-1]) if len(marker) > 1 else None
        if (is_blank(m["list_3"]) or start not in (None, 1)) and (end := state.append_paragraph()):
            count_line(state.env)  # an empty item, or another number, begins no list within a paragraph
            return end
        rules = self.list_rules
        if state.depth() >= self.max_nested_level - 1:
            rules = [rule for rule in rules if rule not in ("block_quote", "list")]
        items: list[Token] = []
        following: Match[str] | None = m
        while following:
            item, following = self._item(following, state)
            child = state.child_state(item.text, item.lazy)
            self.parse(child, rules)
            items.append({"type": "list_item", "children": child.tokens})
            if start is None:
                _take_box(items[-1])
        state.append_token({"type": "list", "children": items, "attrs": {"start": start}})
        return state.cursor

    def _item(self, m: Match[str], state: BlockState) -> tuple[Container, Match[str] | None]:
        """Return the item that begins here, and the match of the next one in the same list."""
        line = state.get_line(m.start())
        mark = m.end("list_2") - m.start()
        width = mark + columns(line[:mark].replace(m["list_2"], " " * len(m["list_2"])) + line[mark:]) - mark
        if is_blank(m["list_3"]) or width > mark + 4:
            width = mark + 1
        item, is_over = Container(), False
        item.add(line, mark, width)
        state.cursor = m.start() + len(line)
        while state.cursor < state.cursor_max:
            line = state.get_line(state.cursor)
            if is_blank(line):
                is_over = is_over or is_blank(item.text)  # an item begins with one blank line at most
                item.add(line, 0, width)
            elif columns(line) >= width and not is_over and state.cursor not in state.lazy_line_starts:
                item.add(line, 0, width)
            elif self._goes_on(item, line):
                item.add_lazy(line)
            else:
                break
            state.cursor += len(line)
        return item, self._sibling(m["list_2"], state)

    def parse_table(self, m: Match[str], state: BlockState) -> int | None:
        """Read the table whose second line this is. Its first line is the last one of the paragraph before."""
        count_line(state.env)
        above = state.last_token()
        if above is None or above["type"] != "paragraph" or state.cursor in state.lazy_line_starts:
            return None
        before, _newline, header = above["text"].rstrip("\n").rpartition("\n")
        rows = [cells_of(header)]
        if len(rows[0]) != len(cells_of(m[0])):
            return None
        end = m.end() + 1
        while end < state.cursor_max and self._is_row(end, state):
            line = state.get_line(end)
            rows.append(cells_of(line))
            end += len(line)
        count_cells(state.env, len(rows) * max(map(len, rows)))
        if before:
            above["text"] = f"{before}\n"
        else:
            state.tokens.pop()
        children = [{"type": "table_row", "children": [_cell(text) for text in row]} for row in rows]
        state.append_token({"type": "table", "children": children})
        return end

    def _is_row(self, start: int, state: BlockState) -> bool:
        """Tell whether the line that starts here goes on with a table: every line does, up to another block."""
        line = state.get_line(start)
        begins_block = is_blank(line) or columns(line) >= 4 or self.compile_sc(ENDING).match(state.src, start)
        return not begins_block and start not in state.lazy_line_starts

    def _sibling(self, marker: str, state: BlockState) -> Match[str] | None:
        found = self.compile_sc(["thematic_break", "list"]).match(state.src, state.cursor)
        return found if found and found.lastgroup == "list" and found["list_2"][-1] == marker[-1] else None

    def _goes_on(self, container: Container, line: str) -> bool:
        """Tell whether a line without the container's mark goes on with its last paragraph: is "lazy"."""
        return container.in_paragraph and not is_blank(line) and not self.compile_sc(ENDING).match(line)


def _cell(text: str) -> Token:
    return {"type": "table_cell", "text": text}


def _outdented(line: str) -> str:
    """Return a line of indented code, without the four columns that make it code."""
    if is_blank(line):
        return line[4:] if line.startswith("    ") else "\n"
    for end in range(1, 5):
        if line[end - 1] == "\t":
            return line[end:]
    return line[4:]


def _take_box(item: Token) -> None:
    """Note whether the item begins with a box. mistune's plugin takes every kind of space behind the box too."""
    first = item["children"][0] if item["children"] else {}
    if first.get("type") == "paragraph" or first.get("style") == "setext":
        text = first["text"]
        box = BOX.match(text)
        if box and (first["type"] == "paragraph" or not is_blank(text[box.end() :])):
            item["checked"] = box[1] != " "
            first["text"] = text[box.end() :]
