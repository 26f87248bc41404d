"""Words that are marked in a text, and the sentence around them."""

import pytest

from boards.reading.marks import LONGEST, cut_around, marked, sentence_with
from core.text.folding import fold


def marks(text: str, *words: str) -> str:
    """Return the text with the found words in brackets."""
    pieces = marked(text, [fold(word) for word in words])
    return "".join(f"[{piece.text}]" if piece.is_found else piece.text for piece in pieces)


@pytest.mark.parametrize(
    "text, words, expected",
    [
        ("Prices in yen", ["price"], "[Price]s in yen"),
        ("price, PRICE and pricing", ["price"], "[price], [PRICE] and pricing"),
        ("Print the flyer", ["flyer", "print"], "[Print] the [flyer]"),
        ("flyers", ["flyer", "yers"], "[flyers]"),
        ("Straße", ["STRASSE"], "[Straße]"),
        ("Straße", ["as"], "Str[aß]e"),
        ("e\u0301te\u0301", ["été"], "[e\u0301te\u0301]"),
        ("Ｐｒｉｃｅ", ["price"], "[Ｐｒｉｃｅ]"),
        ("会議の資料", ["資料"], "会議の[資料]"),
        ("ﾊﾞｽ", ["バス"], "[ﾊﾞｽ]"),
        ("İstanbul", ["istanbul"], "[İstanbul]"),
        ("100%_", ["%_"], "100[%_]"),
        ("Nothing", ["price"], "Nothing"),
        ("", ["price"], ""),
    ],
)
def test_words_are_marked_as_they_are_written(text, words, expected):
    assert marks(text, *words) == expected


def test_nothing_of_the_text_is_lost():
    text = "<b>price</b> & \u200f e\u0301 \U0001f600\u200d price"
    assert "".join(piece.text for piece in marked(text, ["price"])) == text


def test_the_sentence_with_most_of_the_words_is_shown_on_one_line():
    text = "First the price.\n\nThen the price\tlist. " + "x" * LONGEST
    assert sentence_with(text, ["price", "list"]) == "Then the price list."
    assert sentence_with(text, ["nothing"]) == ""
    assert sentence_with("", ["price"]) == ""


def test_a_short_sentence_goes_on_behind_its_end():
    assert sentence_with("Before. The price. After it, more!", ["price"]) == "The price. After it, more!"


def test_japanese_sentences_end_with_their_own_stops():
    assert sentence_with("前の文です。" + "会議の資料を送る。" + "次" * LONGEST, ["資料"]) == "会議の資料を送る。"


@pytest.mark.parametrize("between", [" ", ""])
def test_a_long_sentence_is_cut_around_the_word(between):
    text = between.join(["word"] * 2000 + ["price"] + ["word"] * 2000)
    shown = sentence_with(text, ["price"])
    assert "price" in shown
    assert len(shown) <= LONGEST + 2
    assert shown.startswith("…") or shown.endswith("…")


@pytest.mark.parametrize("longest", [40, 118])
def test_a_sentence_can_be_cut_shorter(longest):
    shown = cut_around(f"{'much was said ' * 20}about the price {'of everything ' * 20}", ["price"], longest)
    assert "price" in shown
    assert len(shown) <= longest + 2
    assert (shown[0], shown[-1]) == ("…", "…")
    assert cut_around("The price.", ["price"], longest) == "The price."
