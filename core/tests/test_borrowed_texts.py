"""Our translations of sentences from Django and allauth."""

from pathlib import Path

import allauth
import django
import polib
import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, to_locale

from core.borrowed_texts import SENTENCES

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_sentence_is_still_in_django_or_allauth(sentence):
    sources = (path for package in (django, allauth) for path in Path(package.__file__).parent.rglob("en/**/django.po"))
    assert any(polib.pofile(str(source)).find(sentence) for source in sources)


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_translation_takes_precedence(language):
    ours = polib.mofile(str(settings.LOCALE_PATHS[0] / to_locale(language) / "LC_MESSAGES" / "django.mo"))
    with translation.override(language):
        assert [gettext(sentence) for sentence in SENTENCES] == [ours.find(sentence).msgstr for sentence in SENTENCES]
