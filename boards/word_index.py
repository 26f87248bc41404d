"""SQLite's index of the words of cards, comments, checklists and names of files (docs/decisions/search.md).

`boards_words` has the trigrams of each text, `boards_wordsource` says which card that is of. A card's title is there once more,
under the negative id. `boards_wordtitle` has the folded titles of cards, which are soon read through for words without a trigram.
Triggers keep them, whoever writes. No migration makes them: one that changes a table makes it anew, without its triggers.
"""

import re
import sqlite3
from functools import cache
from typing import Any, NamedTuple

from django.db import connection, transaction

from core.sql import is_postgresql

FIRST_WITH_TRIGRAMS = (3, 34)  # version of SQLite
# Chinese, Japanese and Korean signs, which have no upper and lower case. Each stands three times in SQLite's index, so that a word
# of one or two has a trigram.
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
FILL = (
    "INSERT INTO boards_wordsource (card, source) SELECT {card}, id FROM {table}",
    "INSERT INTO boards_words (rowid, text) SELECT place.id, with_tripled_signs(this.{text})"
    " FROM {table} this JOIN boards_wordsource place ON place.source = this.id",
)
TITLE = "substr({row}search_text, 1, instr({row}search_text, char(10)))"  # folded, as the first line of the text
PUT_TITLE = (
    f" INSERT INTO boards_words (rowid, text) SELECT -id, with_tripled_signs({TITLE.format(row='NEW.')})"  # noqa: S608 (own names)
    " FROM boards_wordsource WHERE source = NEW.id;"
)
TAKE_TITLE = (
    f"INSERT INTO boards_words (boards_words, rowid, text) SELECT 'delete', -id, with_tripled_signs({TITLE.format(row='OLD.')})"  # noqa: S608 (own names)
    " FROM boards_wordsource WHERE source = OLD.id; "
)
FILL_TITLES = (
    f"INSERT INTO boards_words (rowid, text) SELECT -place.id, with_tripled_signs({TITLE.format(row='this.')})"  # noqa: S608 (own names)
    " FROM boards_card this JOIN boards_wordsource place ON place.source = this.id"
)
TRIGGERS = {
    "put": "AFTER INSERT ON {table} BEGIN {put} END",
    "change": "AFTER UPDATE OF {text} ON {table} WHEN OLD.{text} <> NEW.{text} BEGIN {take}{put} END",
    "take": "AFTER DELETE ON {table} BEGIN {take} END",
}
TITLE_TABLE = (
    "CREATE TABLE boards_wordtitle (card char(32) PRIMARY KEY, title text NOT NULL) WITHOUT ROWID",
    "INSERT INTO boards_wordtitle SELECT id, {title} FROM boards_card",
)
TITLE_TRIGGERS = {
    "put": "AFTER INSERT ON boards_card BEGIN INSERT INTO boards_wordtitle VALUES (NEW.id, {new}); END",
    "change": "AFTER UPDATE OF search_text ON boards_card WHEN OLD.search_text <> NEW.search_text"
    " BEGIN UPDATE boards_wordtitle SET title = {new} WHERE card = NEW.id; END",
    "take": "AFTER DELETE ON boards_card BEGIN DELETE FROM boards_wordtitle WHERE card = OLD.id; END",
}


def with_tripled_signs(text: str) -> str:
    return text if text.isascii() else EACH_SIGN.sub(r"\1\1\1", text)


def add_function(connection: Any, **_sent: object) -> None:
    """Receive `connection_created`."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("with_tripled_signs", 1, with_tripled_signs, deterministic=True)


def keep_word_index(**_sent: object) -> None:
    """Receive `post_migrate`: make each index anew unless all of its triggers are there, as this version has them. Where none
    can be, remove them.
    """
    if is_postgresql():
        return
    can_keep, kept = can_keep_words(), _kept_triggers()
    for index in (_word_index(), _title_index()):
        if can_keep and index.is_kept_by(kept):
            continue
        with transaction.atomic(), connection.cursor() as cursor:
            for name in index.triggers:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            if can_keep:
                for sql in (*index.statements, *index.making_triggers):
                    cursor.execute(sql)


def has_word_index() -> bool:
    """Tell whether this is SQLite with the index."""
    if is_postgresql():
        return False
    kept = _kept_triggers()
    return _word_index().is_kept_by(kept) and _title_index().is_kept_by(kept)


def can_keep_words() -> bool:
    """Tell whether SQLite has FTS5 with trigrams, and the tables are those of this version."""
    return (
        sqlite3.sqlite_version_info >= FIRST_WITH_TRIGRAMS
        and "fts5" in _names("SELECT name FROM pragma_module_list")
        and TEXTS.keys() <= _names("SELECT name FROM sqlite_master")
    )


class Index(NamedTuple):
    statements: list[str]  # make and fill its tables
    triggers: dict[str, str]

    @property
    def making_triggers(self) -> list[str]:
        return [f"CREATE TRIGGER {name} {sql}" for name, sql in self.triggers.items()]

    def is_kept_by(self, triggers: set[str]) -> bool:
        return triggers.issuperset(self.making_triggers)


@cache
def _word_index() -> Index:
    making = ["DROP TABLE IF EXISTS boards_words", "DROP TABLE IF EXISTS boards_wordsource", *TABLES]
    triggers = {}
    for table, (card, text) in TEXTS.items():
        making += [sql.format(table=table, card=card, text=text) for sql in FILL]
        put, take = (sql.format(card=card, text=text) for sql in (PUT, TAKE))
        if table == "boards_card":
            making.append(FILL_TITLES)
            put, take = put + PUT_TITLE, TAKE_TITLE + take
        for name, sql in TRIGGERS.items():
            triggers[f"{table}_words_{name}"] = sql.format(table=table, text=text, put=put, take=take)
    making.append("INSERT INTO boards_words (boards_words) VALUES ('optimize')")
    for name, segments in MERGED.items():
        making.append(f"INSERT INTO boards_words (boards_words, rank) VALUES ('{name}', {segments})")  # noqa: S608 (own names)
    return Index(making, triggers)


@cache
def _title_index() -> Index:
    title, new = (TITLE.format(row=row) for row in ("", "NEW."))
    making = ["DROP TABLE IF EXISTS boards_wordtitle", *(sql.format(title=title) for sql in TITLE_TABLE)]
    return Index(making, {f"boards_card_title_{name}": sql.format(new=new) for name, sql in TITLE_TRIGGERS.items()})


def _kept_triggers() -> set[str]:
    return _names("SELECT sql FROM sqlite_master WHERE type = 'trigger'")


def _names(sql: str) -> set[str]:
    connection.ensure_connection()
    return {name for (name,) in connection.connection.execute(sql)}  # not by Django, as no statement of a page or call
