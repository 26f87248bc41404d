"""Rich text for descriptions and comments: Markdown in and out, the editor's documents, HTML, plain text. Pure functions, no
database.

A document is TipTap's JSON in a canonical form. Every document that `from_markdown` or `check` returns can be written
as Markdown, and reading that Markdown gives the same document (docs/decisions/rich-text.md).
"""

from boards.richtext.boxes import box_at, with_box
from boards.richtext.checking import check
from boards.richtext.html_writer import HTML_VERSION, to_html
from boards.richtext.markdown_reader import from_markdown
from boards.richtext.markdown_writer import to_markdown
from boards.richtext.mentions import Mention, has_written, mentions_in, with_labels, with_written, without_ids
from boards.richtext.nodes import Doc
from boards.richtext.pictures import pictures_in, with_pictures
from boards.richtext.plain_writer import first_line, to_plain

__all__ = [
    "HTML_VERSION",
    "Doc",
    "Mention",
    "box_at",
    "check",
    "first_line",
    "from_markdown",
    "has_written",
    "mentions_in",
    "pictures_in",
    "to_html",
    "to_markdown",
    "to_plain",
    "with_box",
    "with_labels",
    "with_pictures",
    "with_written",
    "without_ids",
]
