"""Names of fields and query parameters that a call does not know: which it refuses, and how it names the others.

A field that is dropped is data that somebody loses. The calls of the first version have always ignored such names, so
they go on, and refuse only a misspelt field: docs/decisions/api.md.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice
from urllib.parse import parse_qsl, quote

from boards.errors import Invalid
from core.text.nearest import SHOWN, nearest, shown

BEGINNING = 3  # letters that are enough to mean a field, as in `due`
LOOKED_AT = 1_000  # names of a body: one with more was not misspelt
TOLD = 5  # names in one sentence
HEADER = 1_000  # characters


def unknown_among(given: Iterable[str], known: Container[str]) -> list[str]:
    return list(islice((name for name in given if name not in known), LOOKED_AT))


def query_names(query: str) -> Counter[str]:
    """Return how often each name occurs."""
    return Counter(name for name, _value in parse_qsl(query, keep_blank_values=True))


def refuse_misspelt(unknown: Iterable[str], known: Sequence[str]) -> None:
    """Raise Invalid for names that are close to a known field."""
    _refuse((name, meant) for name in unknown if (meant := _misspelt(name, known)))


def refuse_unknown(unknown: Iterable[str], known: Sequence[str], kind: str = "field") -> None:
    """Raise Invalid for every name, with the known one that is nearest."""
    takes = f"This call takes {', '.join(known) or 'none'}."
    _refuse(((name, _misspelt(name, known) or nearest(name, known)) for name in unknown), kind, takes)


def refuse_repeated(given: Mapping[str, int], repeatable: Container[str]) -> None:
    """Raise Invalid for a name that is given more than once: all of its values but one would be dropped."""
    for name, times in given.items():
        if times > 1 and name not in repeatable:
            raise Invalid(f"{name} is given {times} times. Give it once.", name)


def header_of(names: Iterable[str]) -> str:
    """Return the names for a header: percent-encoded but for letters, digits and `_.-~`, and cut where they are long."""
    text = ""
    for name in names:
        cut = "..." if len(name) > SHOWN else ""
        longer = f"{text}{', ' if text else ''}{quote(name[:SHOWN], safe='', errors='replace') or chr(34) * 2}{cut}"
        if len(longer) > HEADER:
            return f"{text}, ..."
        text = longer
    return text


def _refuse(names: Iterable[tuple[str, str | None]], kind: str = "field", otherwise: str = "") -> None:
    told = list(islice(names, TOLD))
    if told:
        sentences = (f"Unknown {kind} {shown(name)}. {_hint(meant) if meant else otherwise}" for name, meant in told)
        raise Invalid(" ".join(sentences), told[0][0])


def _hint(meant: str) -> str:
    return f"The nearest known one is {meant}."


def _misspelt(sent: str, known: Iterable[str]) -> str | None:
    """Return the field that the name misspells: letters and digits alone count, in any case.

    They are those of the field, its beginning, or differ from it in one place.
    """
    given = _folded(sent)
    return next((name for name in known if _is_close(given, _folded(name))), None)


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name[:SHOWN].casefold()))


def _is_close(given: str, name: str) -> bool:
    begins = len(given) >= BEGINNING and name.startswith(given)
    return begins or (abs(len(given) - len(name)) <= 1 and _is_one_slip(given, name))


def _is_one_slip(given: str, name: str) -> bool:
    """Return whether one letter is missing, too many or another, or two neighbours have changed places."""
    while given and name and given[0] == name[0]:
        given, name = given[1:], name[1:]
    slips = given[1:] == name or given == name[1:] or given[1:] == name[1:]
    return slips or (given[:2] == name[1::-1] and given[2:] == name[2:])
