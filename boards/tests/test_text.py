from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.errors import Invalid
from boards.text import clean_line, clean_text
from core.text.folding import fold

NO_STRINGS = [None, 7, 1.5, True, b"Title", ["Title"], {"title": "Title"}]
FORBIDDEN = ["\x00", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x1c", "\x1f", "\ud800", "\udfff", "\udc00\ud83d"]
texts = st.text(alphabet=st.one_of(st.sampled_from(" \t\r\n\u00a0\u3000ab"), st.characters(exclude_categories=["Cs"])))


def test_a_title_is_kept_as_it_is():
    assert clean_line("Buy 100 % of the 🥕s", "title", 500) == "Buy 100 % of the 🥕s"


@pytest.mark.parametrize("value", ["  Plan ", "\tPlan\t", "\nPlan\r\n", "\u3000Plan\u00a0"])
def test_a_title_is_trimmed(value):
    assert clean_line(value, "title", 200) == "Plan"


def test_a_title_keeps_a_tab_inside():
    assert clean_line("a\tb", "title", 200) == "a\tb"


@pytest.mark.parametrize("value", ["", " ", "\t", "\r\n", "\u3000"])
def test_an_empty_title_is_refused(value):
    with pytest.raises(Invalid, match=r"^title must not be empty\.$"):
        clean_line(value, "title", 200)


@pytest.mark.parametrize("value", ["two\nlines", "two\r\nlines", "two\rlines"])
def test_a_newline_inside_a_title_is_refused(value):
    with pytest.raises(Invalid, match=r"^title must be a single line\.$"):
        clean_line(value, "title", 200)


@pytest.mark.parametrize("rule", [clean_line, clean_text])
@pytest.mark.parametrize("value", NO_STRINGS)
def test_anything_but_a_string_is_refused(rule, value):
    with pytest.raises(Invalid, match=r"^title must be text\.$"):
        rule(value, "title", 200)


@pytest.mark.parametrize("rule", [clean_line, clean_text])
@pytest.mark.parametrize("character", FORBIDDEN)
@pytest.mark.parametrize("value", ["{}", "{}Plan", "Pl{}an", "Plan{}"])
def test_control_characters_and_lone_surrogates_are_refused_anywhere(rule, character, value):
    with pytest.raises(Invalid, match=r"^title contains a character that cannot be stored"):
        rule(value.format(character), "title", 200)


def test_the_refusal_names_the_character():
    with pytest.raises(Invalid, match=r"\(U\+001B\)"):
        clean_line("a\x1b[31m", "title", 200)


@pytest.mark.parametrize("rule", [clean_line, clean_text])
def test_length_counts_code_points(rule):
    assert rule("🥕" * 200, "title", 200) == "🥕" * 200


@pytest.mark.parametrize("rule", [clean_line, clean_text])
def test_the_refusal_of_a_long_text_names_field_limit_and_length(rule):
    with pytest.raises(Invalid) as refusal:
        rule("x" * 201, "title", 200)
    assert str(refusal.value) == "title must have at most 200 characters; this one has 201."
    assert refusal.value.field == "title"


def test_the_length_of_a_title_is_counted_after_trimming():
    assert clean_line("  " + "x" * 200 + "  ", "title", 200) == "x" * 200


@given(texts)
def test_a_title_that_was_read_is_accepted_unchanged(value):
    try:
        kept = clean_line(value, "title", 200)
    except Invalid:
        return
    assert clean_line(kept, "title", len(kept)) == kept


@pytest.mark.parametrize("value", ["one\ntwo", "one\r\ntwo", "one\rtwo"])
def test_every_line_end_becomes_a_newline(value):
    assert clean_text(value, "description", 20_000) == "one\ntwo"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("\n\nText\n\n", "Text"),
        (" \t\n\t\nText\n  \n\t", "Text"),
        ("\r\n\r\nText\r\n", "Text"),
        ("\n    code\nText  \n", "    code\nText  "),
        ("\tcode", "\tcode"),
        ("one\n\n \ntwo", "one\n\n \ntwo"),
        ("\u00a0\nText", "\u00a0\nText"),
    ],
)
def test_a_text_loses_only_blank_lines_at_its_ends(value, kept):
    assert clean_text(value, "description", 20_000) == kept


@pytest.mark.parametrize("value", ["", " ", "\n", " \n\t\r\n"])
def test_a_text_without_a_word_is_empty(value):
    assert clean_text(value, "description", 20_000) == ""


@pytest.mark.parametrize("value", ["", " ", "\n \r\n", "\u3000\n\u00a0"])
def test_an_empty_text_is_refused_where_one_is_required(value):
    with pytest.raises(Invalid, match=r"^body must not be empty\.$"):
        clean_text(value, "body", 20_000, required=True)


def test_a_required_text_is_kept_as_any_other():
    assert clean_text("\n  Done.\n", "body", 20_000, required=True) == "  Done."


def test_the_length_of_a_text_counts_its_blank_lines():
    with pytest.raises(Invalid, match="at most 5 characters; this one has 6"):
        clean_text("Text\n\n", "description", 5)


def test_the_length_of_a_text_counts_a_line_end_once():
    assert clean_text("a\r\nb\r\nc", "description", 5) == "a\nb\nc"


@given(texts)
def test_a_text_that_was_read_is_accepted_unchanged_also_through_a_browser(value):
    try:
        kept = clean_text(value, "description", 20_000)
    except Invalid:
        return
    assert clean_text(kept.replace("\n", "\r\n"), "description", len(kept)) == kept


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Quarterly REPORT", "report"),
        ("STRASSE", "straße"),
        ("ΟΔΟΣ", "οδος"),
        ("ΟΔΟΣ ΑΘΗΝΑ", "οδοσ"),
        ("МОСКВА", "москва"),
        ("ÅNGSTRÖM", "ångström"),
        ("Café", normalize("NFD", "CAFÉ")),
        (normalize("NFD", "プログラム"), "プログラム"),
        (normalize("NFD", "한국어"), "한국어"),
        ("ＡＢＣ１２３", "abc123"),
        ("ﾌﾟﾛｸﾞﾗﾑ", "プログラム"),
        ("ﬁnance", "finance"),
        ("İSTANBUL", "istanbul"),
        ("Isparta", "ısparta"),
        ("日本語", "本"),
    ],
)
def test_a_text_is_found_in_any_case_and_spelling_of_its_characters(text, query):
    assert fold(query) in fold(text)


@pytest.mark.parametrize(("text", "query"), [("schön", "schon"), ("ババ", "ハハ"), ("año", "ano")])
def test_a_different_letter_makes_a_different_word(text, query):
    assert fold(query) not in fold(text)


@given(st.text())
def test_folding_again_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_a_part_of_a_text_is_found_in_it(text, start, end):
    assert fold(text[start:end]) in fold(text)


def test_many_combining_marks_are_folded_without_losing_any():
    assert fold("Z" + "\u0323" * 100).count("\u0323") >= 99
