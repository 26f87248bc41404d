"""Descriptions: Markdown in and out, the editor's documents, HTML, plain text. Pure functions, no database.

A document is TipTap's JSON in a canonical form: every one that `from_markdown` or `check` returns can be written as
Markdown, and that Markdown read again gives the same document.
"""

from boards.richtext.checking import check
from boards.richtext.nodes import Doc
from boards.richtext.plain import to_plain
from boards.richtext.reading import from_markdown
from boards.richtext.rendering import to_html
from boards.richtext.writing import to_markdown

__all__ = ["Doc", "check", "from_markdown", "to_html", "to_markdown", "to_plain"]
