"""Board templates: their lists and labels, in the language of the account."""

import pytest
from django.conf import settings
from django.utils.functional import lazy
from django.utils.translation import get_language, override, to_locale

from boards.actions.boards.board import create_board
from boards.board_templates import LABELS, LISTS, Template
from boards.colours import Hue
from conftest import person, web

ENGLISH = {
    "blank": ([], []),
    "kanban": (["To do", "In progress", "Done"], ["Bug", "Feature", "Chore"]),
    "content": (["Ideas", "Drafting", "Review", "Published"], ["Article", "Video", "Social"]),
    "personal": (["Today", "This week", "Later", "Done"], ["Home", "Work", "Errands"]),
}
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def made(language, template):
    """Create a board for a user with this language; return the titles of its lists and the names of its labels."""
    board = create_board(actor=web(person("somebody", language=language)), title="Launch", template=template)
    return [row.title for row in board.lists.all()], [row.name for row in board.labels.all()]


@pytest.mark.django_db
@pytest.mark.parametrize("template", Template.values)
def test_english_boards_start_with_these_lists_and_labels(template):
    assert made("en", template) == ENGLISH[template]


@pytest.mark.django_db
@pytest.mark.parametrize("template", Template.values)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_is_made_in_the_language_of_the_account(language, template):
    with override(language):
        expected = (
            [str(title) for title in LISTS[Template(template)]],
            [str(name) for name, _ in LABELS[Template(template)]],
        )
    with override("ja" if language != "ja" else "en"):  # the language of the page does not matter
        assert made(language, template) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_are_translated_when_the_board_is_created(language, monkeypatch):
    in_language = lazy(get_language, str)()
    monkeypatch.setitem(LISTS, Template.KANBAN, [in_language])
    monkeypatch.setitem(LABELS, Template.KANBAN, [(in_language, Hue.RED)])
    assert made(language, "kanban") == ([language], [language])


def test_there_are_seven_languages():
    assert LANGUAGES == ["en", "de", "fr", "es", "pt-br", "ja", "zh-hans"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_that_has_a_catalogue_translates_the_templates(language):
    catalogue = settings.LOCALE_PATHS[0] / to_locale(language) / "LC_MESSAGES" / "django.mo"
    with override(language):
        for template in Template:
            translated = sum(here != there for here, there in zip(template.lists, ENGLISH[template][0], strict=True))
            assert translated >= len(template.lists) // 2 if catalogue.exists() else translated == 0


@pytest.mark.django_db
def test_the_language_of_the_page_is_restored():
    with override("fr"):
        made("de", "kanban")
        assert get_language() == "fr"


@pytest.mark.django_db
def test_lists_are_in_order_and_labels_have_their_hues():
    board = create_board(actor=web(person("somebody")), title="Launch", template="kanban")
    positions = [row.position for row in board.lists.all()]
    assert positions == sorted(set(positions))
    assert [row.hue for row in board.labels.all()] == [Hue.RED, Hue.GREEN, Hue.BLUE]
    assert {row.version for row in [*board.lists.all(), *board.labels.all()]} == {board.version}
