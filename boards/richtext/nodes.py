"""The words of a document, and how deep it may go."""

import re
from typing import Any

Node = dict[str, Any]
Doc = dict[str, Any]

MAX_DEPTH = 10  # lists and quotes inside each other; what is deeper stands at this depth
LAST_NUMBER = 999_999_999  # of a numbered list, in Markdown

# A character that no text has: U+FDD0 stands for nothing, by Unicode's own rule.
NOTHING = "\ufdd0"

CODE = "code"
MARKS = ("bold", "italic", "strike", CODE)

LANGUAGE = re.compile(r"[A-Za-z0-9_.+#-]{1,40}")


def paragraph() -> Node:
    """An empty one. The editor wants it where a quote has nothing and where an item does not begin with a paragraph."""
    return {"type": "paragraph"}


def is_list(node: Node) -> bool:
    return node["type"] in ("bulletList", "orderedList", "taskList")


def code_block(text: str, language: str) -> Node:
    """`language` is what the author wrote behind the fence; its first word counts, if it can be the name of one."""
    word = language.split(maxsplit=1)[0] if language.strip() else ""
    node: Node = {"type": "codeBlock", "attrs": {"language": word if LANGUAGE.fullmatch(word) else None}}
    if text:
        node["content"] = [{"type": "text", "text": text}]
    return node
