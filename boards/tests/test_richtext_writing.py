"""Markdown out, and the two laws: what is written reads back as the same document."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boards.richtext import check, from_markdown, to_markdown
from boards.tests.test_richtext import (
    BREAK,
    EMPTY,
    bullets,
    code,
    doc,
    heading,
    item,
    numbers,
    p,
    quote,
    task,
    tasks,
    text,
)
