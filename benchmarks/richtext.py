"""Time each function of boards.richtext on the longest description in its worst shapes: the best of a few runs, in ms.

    python benchmarks/richtext.py [runs]
    python benchmarks/richtext.py search [seconds] [seed]

Needs no database. It measures processor time, which leaves out other processes, though on a busy
machine it is half as long again. No figure may exceed 100 ms: it ends with 1 then. The worst figure of each function is printed last, then
ordinary texts. `pyromark` is the parser that we had before, for comparison.

The second form looks for slower shapes: it repeats random pieces, and goes on with small changes of the slowest.
"""

import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")  # pictures are those of this site

from benchmarks.results import record
from benchmarks.richtext_shapes import AIMED, LENGTH, REPEATED, filled, shapes
from boards.richtext import from_markdown, to_html, to_markdown, to_plain
from boards.tests.pyromark_reader import from_markdown as by_pyromark
from boards.tests.richtext_strategies import PIECES
from boards.tests.test_richtext_differences import Author

LIMIT = 100  # ms
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "from_markdown": from_markdown,
    "to_markdown": to_markdown,
    "to_html": to_html,
    "to_plain": to_plain,
}


def milliseconds(function: Callable[[Any], Any], argument: object, runs: int) -> tuple[float, Any]:
    best, result = float("inf"), None
    for _ in range(runs):
        begin = time.process_time()
        result = function(argument)
        best = min(best, (time.process_time() - begin) * 1000)
    return best, result


def main(runs: int = 5) -> None:
    functions = FUNCTIONS | {"pyromark": by_pyromark}
    worst = dict.fromkeys(functions, (0.0, ""))
    print(" ".join(f"{name:>13}" for name in functions))
    for shape, text in shapes().items():
        cells = []
        document: object = None
        for name, function in functions.items():
            takes_text = function in (from_markdown, by_pyromark)
            took, result = milliseconds(function, text if takes_text else document, runs)
            document = result if name == "from_markdown" else document
            worst[name] = max(worst[name], (took, shape))
            cells.append(f"{took:13.1f}")
        print(*cells, f" {shape}", flush=True)
    for name, (took, shape) in worst.items():
        print(f"worst {name}: {took:.1f} ms for {shape}")
        record("richtext", f"worst {name}", {"Processor time": f"{took:.1f} ms"})
    ordinary(runs)
    if max(took for name, (took, _shape) in worst.items() if name in FUNCTIONS) > LIMIT:
        sys.exit(1)


def ordinary(runs: int) -> None:
    author = Author(0)
    text = "\n\n".join(author.text() for _ in range(40))
    for length in (500, 3_000, LENGTH):
        ours, _ = milliseconds(from_markdown, text[:length], runs)
        theirs, _ = milliseconds(by_pyromark, text[:length], runs)
        print(f"ordinary text of {length:,} characters: {ours:.2f} ms, by pyromark {theirs:.2f} ms")
        record("richtext", f"ordinary text of {length:,} characters", {"Processor time": f"{ours:.1f} ms"})


def search(seconds: float = 60, seed: int = 0) -> None:
    choose = random.Random(seed)
    slowest: list[tuple[float, tuple[str, ...]]] = []
    tried, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        unit = changed(choose, choose.choice(slowest)[1]) if slowest and choose.random() < 0.7 else fresh(choose)
        text = filled("".join(unit))
        took, document = milliseconds(from_markdown, text, 1)
        if not slowest or took > slowest[-1][0]:
            took, document = milliseconds(from_markdown, text, 3)
            took = max(took, milliseconds(to_markdown, document, 1)[0], milliseconds(to_html, document, 1)[0])
        tried += 1
        slowest = sorted({*slowest, (took, unit)}, reverse=True)[:20]
    print(f"{tried} shapes tried; the slowest:")
    for _took, unit in slowest[:5]:
        print(f"{milliseconds(from_markdown, filled(''.join(unit)), 5)[0]:8.1f} ms for {''.join(unit)!r} repeated")


def fresh(choose: random.Random) -> tuple[str, ...]:
    return tuple(choose.choices(PIECES + REPEATED + AIMED, k=choose.randint(1, 6)))


def changed(choose: random.Random, unit: tuple[str, ...]) -> tuple[str, ...]:
    """Return the unit with a piece more, less, or another one."""
    place = choose.randrange(len(unit))
    pieces = choose.choice([(), (unit[place], *fresh(choose)[:1]), fresh(choose)[:1]])
    return (unit[:place] + tuple(pieces) + unit[place + 1 :])[:40] or fresh(choose)


if __name__ == "__main__":
    if sys.argv[1:2] == ["search"]:
        search(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
