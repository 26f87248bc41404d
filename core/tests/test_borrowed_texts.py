"""Our translations of sentences from Django and allauth."""

import re
from collections.abc import Iterator
from pathlib import Path

import allauth
import django
import polib
import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, to_locale

from core.text.borrowed_texts import COUNTING_SENTENCES, SENTENCES

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]


def english() -> Iterator[polib.POEntry]:
    for package in (django, allauth):
        for path in Path(package.__file__).parent.rglob("en/**/django.po"):
            yield from polib.pofile(str(path))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_sentence_is_still_in_django_or_allauth(sentence):
    assert any(entry.msgid == sentence for entry in english())


@pytest.mark.parametrize("number", [1, 8])
def test_the_sentences_with_a_number_are_still_in_django_or_allauth(number):
    written = {with_number(form, number) for entry in english() for form in (entry.msgid, entry.msgid_plural)}
    assert spoken(number) <= written


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_translation_takes_precedence(language):
    ours = polib.mofile(str(settings.LOCALE_PATHS[0] / to_locale(language) / "LC_MESSAGES" / "django.mo"))
    with translation.override(language):
        assert [gettext(sentence) for sentence in SENTENCES] == [ours.find(sentence).msgstr for sentence in SENTENCES]


@pytest.mark.parametrize("number", [1, 8])
@pytest.mark.parametrize("language", LANGUAGES)
def test_our_translation_of_a_sentence_with_a_number_takes_precedence(language, number):
    ours = polib.mofile(str(settings.LOCALE_PATHS[0] / to_locale(language) / "LC_MESSAGES" / "django.mo"))
    with translation.override(language):
        assert spoken(number) <= {with_number(form, number) for entry in ours for form in entry.msgstr_plural.values()}


def with_number(form: str, number: int) -> str:
    return re.sub(r"%(\(\w+\))?d", str(number), form)


def spoken(number: int) -> set[str]:
    too_long, too_short = COUNTING_SENTENCES
    return {too_long % {"limit_value": number, "show_value": number}, too_short % number}
