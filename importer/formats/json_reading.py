"""JSON files of any size, piece by piece: no more than one piece is in memory, and a hostile file ends with a sentence.

for piece in pieces(file, ["cards.item", "labels.item"]):
    piece.path, piece.where, piece.value  # "cards.item", "cards[3]", {...}

A path names members by their names and the items of an array by `item`, so `boards.item.lists.item.title`.
"""

import codecs
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import IO, Any, NamedTuple

import ijson
from django.utils.translation import gettext as _
from ijson.common import IncompleteJSONError, JSONError

from importer.formats.rows import RowCounter
from importer.formats.source import Unreadable

DEEPEST = 64  # arrays and objects inside each other
LARGEST = 200_000  # values in one piece
LONGEST = 5_000_000  # characters of the texts in one piece
LONGEST_NAME = 1000  # characters of a member's name
LOOKED_AT = 10_000_000  # names, values and brackets that `outer_values` looks at: three seconds
READ_AT_ONCE = 1_000_000  # bytes, in the middle of a long text: the parser begins it anew with each part that comes

STARTS = {"start_map": dict, "start_array": list}
IN_OBJECT = ["start_map"]
IN_OBJECT_OF_ARRAY = ["start_map", "start_array", "start_map"]


class Piece(NamedTuple):
    path: str
    indexes: tuple[int, ...]  # its place in each of the arrays around it, the outermost first
    value: Any
    weight: int = 0  # roughly how much memory it takes, in characters

    @property
    def where(self) -> str:
        """Return the place for people: `boards[0].cards[3]`."""
        left = iter(self.indexes)
        return "".join(f"[{next(left)}]" if name == "item" else f".{name}" for name in self.path.split(".")).lstrip(".")


def pieces(
    file: IO[bytes],
    wanted: Collection[str],
    skipped: Collection[str] = (),
    longest: int = LONGEST,
    longest_skipped: int = LONGEST,
    still_wanted: Callable[[], None] = lambda: None,
    rows: RowCounter | None = None,
) -> Iterator[Piece]:
    """Yield every value at one of the paths `wanted`, in the order of the file. What is inside a piece is not yielded again.

    Values at the paths `skipped` are left out of the pieces around them. The texts of a piece have at most `longest`
    characters together, each text elsewhere `longest_skipped`. `still_wanted` is called before each part of the file is
    read, and raises to stop. `rows` counts all objects in arrays, those in and outside of pieces. Raises Unreadable.
    """
    counted = _Counted(file, 2 * max(longest, longest_skipped), still_wanted)
    try:
        yield from _Walk(wanted, skipped, longest, counted, rows).walk(ijson.basic_parse(counted, use_float=True))
    except IncompleteJSONError as error:
        raise Unreadable(
            _("This file is incomplete or isn't valid JSON (near byte %(byte)s). Export it again.")
            % {"byte": counted.read_so_far}
        ) from error
    except Unreadable:  # which is a ValueError too
        raise
    except (JSONError, UnicodeError, ValueError, OverflowError) as error:
        raise Unreadable(
            _("This file isn't valid JSON (near byte %(byte)s).") % {"byte": counted.read_so_far}
        ) from error


def outer_values(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of each member of the outermost object, and of the objects in its arrays, for `looks_like`.

    The value of an object or an array is None. Never raises for the content of the file.
    """
    counted = _Counted(file, 2 * LONGEST, lambda: None)
    opened: list[str] = []
    names: dict[int, str] = {}
    try:
        for event, value in islice(ijson.basic_parse(counted, use_float=True), LOOKED_AT):
            counted.since_value = 0
            if event == "map_key":
                names[len(opened)] = value
            elif event in ("end_map", "end_array"):
                opened.pop()
            else:
                if opened == IN_OBJECT:
                    yield names[1], value
                elif opened == IN_OBJECT_OF_ARRAY:
                    yield f"{names[1]}.item.{names[3]}", value
                if event in STARTS:
                    opened.append(event)
                if len(opened) > DEEPEST or opened[:1] == ["start_array"]:
                    return
    except (JSONError, ValueError, OverflowError):  # Unreadable and UnicodeError are ValueErrors
        return


def storable(value: Any) -> Any:
    """Return a text without what no database holds: NUL, halves of surrogate pairs. Return other values as they are."""
    if not isinstance(value, str):
        return value
    text = value.replace("\0", "")
    return text if text.isascii() else text.encode(errors="ignore").decode()


class _Counted:
    """A file that knows how much of it was read, and how much of that since the last value: the parser keeps all of this.

    Raises Unreadable where it is more than `most` bytes.
    """

    def __init__(self, file: IO[bytes], most: int, still_wanted: Callable[[], None]) -> None:
        self._file, self._most, self._still_wanted = file, most, still_wanted
        self.read_so_far = 0
        self.since_value = 0

    def read(self, size: int = -1) -> bytes:
        self._still_wanted()
        if self.since_value > self._most:
            raise too_large()
        found = self._file.read(min(max(size, self.since_value), max(size, READ_AT_ONCE)))
        is_first = not self.read_so_far
        self.read_so_far += len(found)
        self.since_value += len(found)
        return found.removeprefix(codecs.BOM_UTF8) if is_first else found


class _Walk:
    def __init__(
        self,
        wanted: Collection[str],
        skipped: Collection[str],
        longest: int,
        counted: _Counted,
        rows: RowCounter | None,
    ) -> None:
        self._longest, self._counted, self._rows = longest, counted, rows
        self._wanted, self._skipped = frozenset(wanted), frozenset(skipped)
        self._names: list[str] = []  # of the values that are open: members' names, "item"
        self._paths: list[str] = [""]  # of the open values; the last one is that around the next value
        self._indexes: list[int | None] = []  # of each open value: in an array the place of its newest item, else None
        self._builder: _Builder | None = None
        self._piece_depth = 0
        self._skip_depth = 0
        self._key = ""

    def walk(self, events: Any) -> Iterator[Piece]:
        for event, raw in events:
            self._counted.since_value = 0
            value = storable(raw)
            if event == "map_key":
                if len(value) > LONGEST_NAME:
                    raise too_large()
                self._key = value
                if self._builder is not None:
                    self._builder.spend(len(value))
                continue
            if event in ("end_map", "end_array"):
                self._indexes.pop()
                self._paths.pop()
                depth = len(self._indexes)
                if self._rows:
                    self._rows.end(depth)
                if self._skip_depth:
                    if depth < self._skip_depth:
                        self._skip_depth = 0
                elif self._builder is not None:
                    self._builder.end()
                    if depth < self._piece_depth:
                        yield self._finished()
                continue
            path, key = self._path_of_next()
            starts = event in STARTS
            if self._rows and event == "start_map" and self._indexes and self._indexes[-1] is not None:
                self._rows.begin(path, len(self._indexes))
            if not self._skip_depth and path in self._skipped:
                if starts:
                    self._skip_depth = len(self._indexes) + 1
            elif not self._skip_depth:
                if self._builder is None and path in self._wanted:
                    self._builder, self._piece_depth = _Builder(self._longest), len(self._indexes) + 1
                    self._piece_path, self._piece_indexes = path, self._places()
                if self._builder is not None:
                    self._builder.put(key, STARTS[event]() if starts else value, opens=starts)
                    if not starts and len(self._indexes) < self._piece_depth:
                        yield self._finished()
            if starts:
                self._paths.append(path)
                self._indexes.append(-1 if event == "start_array" else None)
                if len(self._indexes) > DEEPEST:
                    raise Unreadable(_("The values in this file are nested too deeply, so it can't be an export."))

    def _path_of_next(self) -> tuple[str, str]:
        if not self._indexes:
            return "", ""
        if self._indexes[-1] is None:
            name = key = self._key
        else:
            self._indexes[-1] += 1
            name, key = "item", ""
        around = self._paths[-1]
        return (f"{around}.{name}" if around else name), key

    def _places(self) -> tuple[int, ...]:
        return tuple(index for index in self._indexes if index is not None)

    def _finished(self) -> Piece:
        made, self._builder = self._builder, None
        return Piece(self._piece_path, self._piece_indexes, made.made if made else None, made.weight if made else 0)


class _Builder:
    """Builds one piece, and refuses one that is too large."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self.made: Any = None
        self._open: list[Any] = []
        self._values = 0
        self._characters = 0

    @property
    def weight(self) -> int:
        return self._characters + 50 * self._values

    def put(self, key: str, value: Any, *, opens: bool) -> None:
        self._values += 1
        if isinstance(value, str):
            self._characters += len(value)
        if self._values > LARGEST or self._characters > self._longest:
            raise too_large()
        if not self._open:
            self.made = value
        elif isinstance(self._open[-1], list):
            self._open[-1].append(value)
        else:
            self._open[-1][key] = value
        if opens:
            self._open.append(value)

    def spend(self, characters: int) -> None:
        self._characters += characters

    def end(self) -> None:
        self._open.pop()


def too_large() -> Unreadable:
    return Unreadable(_("One part of this file is far too large, so it can't be an export."))
