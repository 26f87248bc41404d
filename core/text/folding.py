"""The form in which texts and names are compared."""

import re
from unicodedata import normalize


def fold(text: str) -> str:
    """Return the form in which texts are searched. The stored text and the query are both folded.

    NFKC unites the ways to write one character: é as one code point or two, full-width Latin, half-width kana. Case
    folding unites ß and SS, and ς and σ, which lower-casing does not. Turkish İ and ı are found by i, as other
    keyboards have neither. Accents are kept, because they distinguish words.
    """
    return "".join(map(_fold, PILE.split(text)))


# NFKC sorts the combining marks of a letter, in quadratic time: half a second for 20,000 of them. No language puts
# thirty on one letter, so longer runs are split. The two half-width marks are letters to `\w` but combining marks to
# NFKC.
PILE = re.compile(r"((?:[^\w\s!-~]|[\uff9e\uff9f]){30})")
I_OF_TURKISH = str.maketrans("İı", "ii")


def _fold(piece: str) -> str:
    return normalize("NFKC", normalize("NFKC", piece).translate(I_OF_TURKISH).casefold())
