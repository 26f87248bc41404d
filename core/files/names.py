"""Names for files that every system can unpack, made of titles that anybody may have written."""

import re
import unicodedata

LONGEST = 100  # bytes in UTF-8: unpacked in a deep folder, the whole path must not be too long for Windows
ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}\Z")
NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\s]+')
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])", re.IGNORECASE)  # devices of Windows
JOINER = "\u200d"  # holds the parts of an emoji together


def safe_name(title: str, otherwise: str, *, with_ending: bool = False) -> str:
    """Return one part of a path. Letters of all languages and emoji stay; `otherwise` is for titles of which nothing stays.

    With `with_ending` the title is a file's name, whose ending is kept when it is shortened.
    """
    text = NOT_IN_NAMES.sub(" ", "".join(one for one in unicodedata.normalize("NFC", title) if is_kept(one)))
    found = ENDING.search(text) if with_ending else None
    ending = found.group() if found else ""
    name = cut(text.removesuffix(ending), LONGEST - len(ending)).strip(f" .{JOINER}") or otherwise
    return f"{'_' if RESERVED.fullmatch(name.partition('.')[0].strip()) else ''}{name}{ending}"


def is_kept(character: str) -> bool:
    """Leave out invisible characters that turn text around or break it off: control, format, unassigned, lone
    surrogates.
    """
    return character in f" \t\n{JOINER}" or unicodedata.category(character)[0] != "C"


def cut(text: str, most: int) -> str:
    """Return what fits into so many bytes, without half a character."""
    return text.encode()[:most].decode(errors="ignore")


class Names:
    """Gives each title a name of its own, also where names that differ in capitals only are the same."""

    def __init__(self, otherwise: str) -> None:
        self.otherwise = otherwise
        self._taken: set[str] = set()

    def add(self, title: str) -> str:
        name = first = safe_name(title, self.otherwise)
        number = 1
        while (key := unicodedata.normalize("NFKC", name).casefold()) in self._taken:
            number += 1
            name = f"{first} ({number})"
        self._taken.add(key)
        return name
