"""Node types of the document schema and its limits."""

import re
from typing import Any

Node = dict[str, Any]
Doc = dict[str, Any]

MAX_DEPTH = 10  # of nested lists and quotes; in the editor's documents anything deeper is put at this depth
LAST_NUMBER = 999_999_999  # the highest number in a Markdown list

LABEL = 100  # characters of a mention's label
ALT = 255  # characters of a picture's description, as many as a file's name may have

CODE = "code"
MARKS = ("bold", "italic", "strike", CODE)

LANGUAGE = re.compile(r"[A-Za-z0-9_.+#-]{1,40}")


def paragraph() -> Node:
    """Return an empty paragraph. The editor requires one in an empty quote, and at the start of each item."""
    return {"type": "paragraph"}


def cell(content: list[Node]) -> Node:
    """Return a cell of a table. Which cells are headers is decided when the table is complete."""
    return {"type": "tableCell", "content": [{"type": "paragraph", "content": content} if content else paragraph()]}


def is_list(node: Node) -> bool:
    return node["type"] in ("bulletList", "orderedList", "taskList")


def code_block(text: str, language: str) -> Node:
    """Return a block of code. `language` is the text after the fence; its first word is kept if it can be a name."""
    word = language.split(maxsplit=1)[0] if language.strip() else ""
    node: Node = {"type": "codeBlock", "attrs": {"language": word if LANGUAGE.fullmatch(word) else None}}
    if text:
        node["content"] = [{"type": "text", "text": text}]
    return node
