"""Names in a row, as the languages write them."""

import pytest
from django.template import Context, Template

from core.text import lists
from core.text.lists import join_items, join_with_and


@pytest.fixture
def japanese(monkeypatch):
    """The words of another language, whatever the catalogues have."""
    words = {", ": "、", "%(items)s and %(last)s": "%(items)s、%(last)s"}
    monkeypatch.setattr(lists, "pgettext", lambda context, text: words[text])


@pytest.mark.parametrize(
    "names, row, sentence",
    [
        ([], "", ""),
        (["Ed"], "Ed", "Ed"),
        (["Ed", "Mia"], "Ed, Mia", "Ed and Mia"),
        (["Ed", "Mia", "100 %"], "Ed, Mia, 100 %", "Ed, Mia and 100 %"),
    ],
)
def test_names_stand_in_a_row_and_in_a_sentence(names, row, sentence):
    assert (join_items(names), join_with_and(names)) == (row, sentence)


def test_the_language_says_what_stands_between(japanese):
    names = ["Ed", "Mia", "Ken"]
    assert (join_items(names), join_with_and(names)) == ("Ed、Mia、Ken", "Ed、Mia、Ken")


def test_templates_write_them_too_and_escape_what_people_typed(japanese):
    shown = Template("{{ names|join_items }}").render(Context({"names": ["<b>", "Mia"]}))
    assert shown == "&lt;b&gt;、Mia"
