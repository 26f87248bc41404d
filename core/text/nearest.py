"""Find the known name that a misspelt one may mean, and show the sent one."""

import difflib
from collections.abc import Iterable

SHOWN = 60  # characters of a name that somebody sent


def nearest(sent: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like the one sent, in any case; None when none is like it."""
    by_lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(sent[:SHOWN].lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[near[0]] if near else None


def shown(sent: str) -> str:
    """Return the name for a sentence: in quotes, cut, and with ? for what cannot be printed."""
    text = "".join(c if c.isprintable() else "?" for c in sent[:SHOWN])
    return f"'{text}…'" if len(sent) > SHOWN else f"'{text}'"
