"""SQLite's index of the words of cards, comments, checklists and names of files (docs/decisions/search.md).

`boards_words` has the trigrams of each text, `boards_wordsource` says which card that is of. Triggers keep both, whoever writes. No
migration makes them: one that changes a table makes it anew, without its triggers.
"""

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction

from core.sql import is_postgresql

FIRST_WITH_TRIGRAMS = (3, 34)  # version of SQLite
# Chinese, Japanese and Korean signs, which have no upper and lower case. Each stands three times in the indexes of both databases,
# so that a word of one or two has a trigram.
SIGNS = "[\u2e80-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
EACH_SIGN = re.compile(f"({SIGNS})")
TEXTS = {  # by table: the columns of the card's id and of the text
    "boards_card": ("id", "search_text"),
    "boards_comment": ("card_id", "body"),
    "boards_checklist": ("card_id", "title"),
    "boards_checklistitem": ("card_id", "text"),
    "boards_attachment": ("card_id", "file_name"),
}
TABLES = (
    "CREATE TABLE boards_wordsource (id integer PRIMARY KEY, card char(32) NOT NULL, source char(32) NOT NULL UNIQUE)",
    "CREATE VIRTUAL TABLE boards_words USING fts5(text, content = '', tokenize = 'trigram', detail = none)",
)
MERGED = {"automerge": 16, "crisismerge": 64}  # segments that merge at once: with FTS5's 4 and 16 a new card costs more
PUT = (
    "INSERT INTO boards_wordsource (card, source) VALUES (NEW.{card}, NEW.id);"
    " INSERT INTO boards_words (rowid, text)"
    " SELECT id, with_tripled_signs(NEW.{text}) FROM boards_wordsource WHERE source = NEW.id;"
)
TAKE = (
    "INSERT INTO boards_words (boards_words, rowid, text)"
    " SELECT 'delete', id, with_tripled_signs(OLD.{text}) FROM boards_wordsource WHERE source = OLD.id;"
    " DELETE FROM boards_wordsource WHERE source = OLD.id;"
)
TRIGGERS = {
    "put": "AFTER INSERT ON {table} BEGIN " + PUT + " END",
    "change": "AFTER UPDATE OF {text} ON {table} WHEN OLD.{text} <> NEW.{text} BEGIN " + TAKE + PUT + " END",
    "take": "AFTER DELETE ON {table} BEGIN " + TAKE + " END",
}
FILL = (
    "INSERT INTO boards_wordsource (card, source) SELECT {card}, id FROM {table}",
    "INSERT INTO boards_words (rowid, text) SELECT place.id, with_tripled_signs(this.{text})"
    " FROM {table} this JOIN boards_wordsource place ON place.source = this.id",
)


def with_tripled_signs(text: str) -> str:
    return text if text.isascii() else EACH_SIGN.sub(r"\1\1\1", text)


def add_function(connection: Any, **_sent: object) -> None:
    """Receive `connection_created`."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("with_tripled_signs", 1, with_tripled_signs, deterministic=True)


def keep_word_index(**_sent: object) -> None:
    """Receive `post_migrate`: make the index anew unless all of its triggers are there. Where it cannot be, remove them."""
    if is_postgresql() or (can_keep_words() and has_word_index()):
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for name, _sql in _triggers():
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        if can_keep_words():
            for sql in _making():
                cursor.execute(sql)


def has_word_index() -> bool:
    """Tell whether this is SQLite with the index."""
    return not is_postgresql() and {name for name, _sql in _triggers()} <= _names("SELECT name FROM sqlite_master")


def can_keep_words() -> bool:
    """Tell whether SQLite has FTS5 with trigrams, and the tables are those of this version."""
    return (
        sqlite3.sqlite_version_info >= FIRST_WITH_TRIGRAMS
        and "fts5" in _names("SELECT name FROM pragma_module_list")
        and TEXTS.keys() <= _names("SELECT name FROM sqlite_master")
    )


def _making() -> Iterator[str]:
    yield from ("DROP TABLE IF EXISTS boards_words", "DROP TABLE IF EXISTS boards_wordsource", *TABLES)
    for table, (card, text) in TEXTS.items():
        yield from (sql.format(table=table, card=card, text=text) for sql in FILL)
    yield "INSERT INTO boards_words (boards_words) VALUES ('optimize')"
    for name, segments in MERGED.items():
        yield f"INSERT INTO boards_words (boards_words, rank) VALUES ('{name}', {segments})"  # noqa: S608 (own names)
    yield from (f"CREATE TRIGGER {name} {sql}" for name, sql in _triggers())


def _triggers() -> list[tuple[str, str]]:
    return [
        (f"{table}_words_{name}", sql.format(table=table, card=card, text=text))
        for table, (card, text) in TEXTS.items()
        for name, sql in TRIGGERS.items()
    ]


def _names(sql: str) -> set[str]:
    connection.ensure_connection()
    return {name for (name,) in connection.connection.execute(sql)}  # not by Django, as no statement of a page or call
