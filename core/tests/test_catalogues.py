"""Rules of writing that all texts of a language keep (docs/translating.md)."""

import re
from collections.abc import Iterator

import polib
import pytest
from django.conf import settings


def translations(language: str) -> Iterator[str]:
    for entry in catalogue(language):
        yield from (entry.msgstr, *entry.msgstr_plural.values())


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po"))


def test_english_has_straight_apostrophes():
    assert [entry.msgid for entry in catalogue("de") if re.search(r"\w’\w", entry.msgid + entry.msgid_plural)] == []


@pytest.mark.parametrize(
    "language,unwanted",
    [
        pytest.param("ja", "：", id="a Japanese colon is narrow and has a space behind it"),
        pytest.param(
            "ja", r"(\d|[)}]s?) (件|人|枚|日|段落|分|時間)", id="Japanese has no space between number and counter"
        ),
        pytest.param("ja", " さん", id="Japanese has no space between name and さん"),
        pytest.param("ja", "サインイン|ブラウザ(?!ー)", id="Japanese says ログイン and ブラウザー"),
        pytest.param("zh_Hans", "代理", id="a Chinese agent is no proxy"),
    ],
)
def test_no_translation_breaks_the_rule(language, unwanted):
    assert [text for text in translations(language) if re.search(unwanted, text)] == []
