"""Rich text for descriptions and comments: Markdown in and out, the editor's documents, HTML, plain text. Pure functions, no
database.

A document is TipTap's JSON in a canonical form. Every document that `from_markdown` or `check` returns can be written
as Markdown, and reading that Markdown gives the same document (docs/decisions/rich-text.md).
"""

from boards.richtext.checking import check
from boards.richtext.html_writer import HTML_VERSION, to_html
from boards.richtext.markdown_reader import from_markdown
from boards.richtext.markdown_writer import to_markdown
from boards.richtext.nodes import Doc
from boards.richtext.plain_writer import to_plain

__all__ = ["HTML_VERSION", "Doc", "check", "from_markdown", "to_html", "to_markdown", "to_plain"]
