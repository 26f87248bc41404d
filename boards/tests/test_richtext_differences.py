"""The reader of Markdown is compared with pyromark, another parser, by other people."""

import random
import re
from typing import NamedTuple

import pytest

from boards.richtext import from_markdown, to_markdown
from boards.richtext.nodes import MAX_DEPTH
from boards.tests import pyromark_reader
from boards.text import clean_text


class Known(NamedTuple):
    """A difference that is meant, or too rare to matter: a text and what it gives here, written as Markdown."""

    why: str
    text: str
    ours: str


KNOWN = [
    Known("marks nested deeper than the cap stay as typed", "> " * (MAX_DEPTH + 1) + "a", "> " * MAX_DEPTH + "\\> a"),
    Known("a box may end its line, as at GitHub", "- [x]\na", "- [x] a"),
    Known("spaces behind a box that is text, in a numbered list, stay", "1. [x]  a", "1. \\[x]  a"),
    Known("the specification removes spaces before a line, also from code that goes on", "`a\n   b`", "`a b`"),
    Known("an empty item begins no list in a paragraph; a line below it is not lazy", "- a\n  +\nb", "- a\n  \\+\n\nb"),
    Known("a break may end the text of a link", "[_\\\n](http://b)", "[\\_](http://b)"),
    Known("punctuation in tildes that touch a word", "é~~)~~", "é\\~\\~)\\~\\~"),
    Known("tildes of another number in tildes", "~a~~b~", "~~a\\~\\~b~~"),
    Known("blank lines below code that nothing ends", "```\na\n\n", "```\na\n\n```"),
    Known("a tab before the closing sign of a heading", "# a\t#", "# a"),
    Known("a tab at the end of a line of a heading", "a\t\nb\n-", "## a\t b"),
    Known("a tab that indents a mark", ">\n\t> a", "> &#32;\n\n```\n> a\n```"),
    Known("tabs between a mark and a box", "+\t\t[ ] a", "+ ```\n    [ ] a\n  ```"),
    Known("a tab behind the second mark of a line", "> - \ta", "> - a"),
    Known("tabs of indented code in an item are spaces", "- a\n\n      \tb", "- a\n\n  ```\n    b\n  ```"),
]

LETTERS = [*"*_[]()<>!&#;:\\-+=1.) \n|'\"a强é\u3000\u00a0☃aa  "]
SOME = ["\n\n", "\n- ", "\n> ", "\n1. ", "[ ] ", "[x] ", "\n# ", "\n---\n", "***", "**", "\\\n", "  \n", "~~word~~"]
LINKS = ["](http://a)", "[a](http://b)", "![", "http://a", "<http://q>", "<a@b.c>", "&#32;", "&amp;", "]: ", "word"]
CODE = ["`", "``", "`code`", "\n```\n", "\n```py\na\n```\n"]
INDENTED = ["    ", "\n  ", "\n    ", "\n      "]
# Texts that may differ for one of the reasons above
EXCUSED = re.compile(r"\[[ xX]\] *\n|[0-9][.)] \[[ xX]\]  |\\\n\]|`[^`]*\n +|\n[ >]*([-+*]|[0-9]+[.)]) *\n")


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.why)
def test_a_known_difference_is_still_one(known):
    assert from_markdown(known.text) == from_markdown(known.ours)
    assert from_markdown(known.text) != pyromark_reader.from_markdown(known.text)


@pytest.mark.parametrize("more", [CODE, INDENTED])
@pytest.mark.parametrize("seed", range(4))
def test_random_markdown_gives_the_same_document(more, seed):
    choose = random.Random(seed)
    pieces = LETTERS + SOME + LINKS + more
    texts = [clean("".join(choose.choices(pieces, k=choose.randint(1, 40)))) for _ in range(600)]
    differing = [text for text in texts if from_markdown(text) != pyromark_reader.from_markdown(text)]
    assert [text for text in differing if not EXCUSED.search(text)] == []
    assert len(differing) < 10


def clean(text):
    return clean_text(text, "text", 20_000)


WORDS = [
    "the",
    "plan",
    "for",
    "Launch",
    "review",
    "ship",
    "it",
    "München",
    "計画",
    "done?",
    "(soon)",
    "2026",
    "v1.2",
    "a_b",
    "C#",
    "R&D",
    "don't",
    "50%",
    "e.g.",
]
INLINE = ["**{}**", "*{}*", "~~{}~~", "`{}`", "[{}](https://example.org/a_(b)?q=1&r=2)", "__{}__", "_{}_", "**_{}_**"]


class Author:
    """Writes Markdown as people do, by chance."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        return clean("\n\n".join(self.block(0) for _ in range(self.random.randint(1, 12))))

    def block(self, depth):
        makers = [self.paragraph, self.paragraph, self.heading, self.code, lambda: "---"]
        if depth < 3:
            makers += [lambda: self.list(depth), lambda: self.list(depth), lambda: self.quote(depth)]
        return self.random.choice(makers)()

    def line(self):
        words = self.random.choices(WORDS, k=self.random.randint(1, 12))
        for place in range(len(words)):
            if self.random.random() < 0.15:
                words[place] = self.random.choice(INLINE).format(words[place])
        return " ".join(words + self.random.choices(["", "<a@example.org>", "see https://example.org/x."], [8, 1, 1]))

    def paragraph(self):
        return self.random.choice(["\n", "  \n", "\\\n"]).join(self.line() for _ in range(self.random.randint(1, 4)))

    def heading(self):
        return self.random.choice(["# {}", "## {} ##", "{}\n===", "{}\n---"]).format(self.line().strip())

    def code(self):
        return self.random.choice(["```\n{}\n```", "```py\n{}\n```", "~~~\n{}\n~~~"]).format(
            "if a:\n\tb = *c\n\n    <d>"
        )

    def quote(self, depth):
        inside = self.block(depth + 1) + "\n\n" + self.block(depth + 1)
        return "\n".join(f"> {line}".rstrip() for line in inside.split("\n"))

    def list(self, depth):
        mark = self.random.choice(["- ", "* ", "+ ", "1. ", "3) ", "- [ ] ", "- [x] "])
        width = 2 if mark.startswith("- [") else len(mark)
        gap = self.random.choice(["\n", "\n\n"])
        items = []
        for _ in range(self.random.randint(1, 4)):
            inside = self.line()
            if self.random.random() < 0.4:
                inside += self.random.choice(["\n\n", "\n\n", "\n"]) + self.block(depth + 1)
            items.append(mark + inside.replace("\n", "\n" + " " * width))
        return gap.join(items)


@pytest.mark.parametrize("seed", range(100))
def test_markdown_as_people_write_it_gives_the_same_document(seed):
    text = Author(seed).text()
    document = from_markdown(text)
    assert document == pyromark_reader.from_markdown(text)
    assert from_markdown(to_markdown(document)) == document
