"""Time each function of boards.richtext on the longest description in its worst shapes: the best of a few runs, in ms.

    python benchmarks/richtext.py [runs]

Needs neither settings nor a database. It measures processor time, which leaves out other processes on a busy machine.
No figure may exceed 100 ms. The worst figure of each function is printed last.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from boards.richtext import from_markdown, to_html, to_markdown, to_plain

LENGTH = 20_000

REPEATED = [
    # Blocks
    *(
        "\n",
        "a\n",
        "a\n\n",
        "\t",
        "\ta\n",
        "    a\n\n",
        "#\n",
        "# a\n",
        "a\n-\n",
        "a\n===\n",
        "---\n",
        "* * *\n",
        "```\n",
    ),
    *("- a\n", "-\n", "1. a\n", "1)\n", "- [ ] a\n", "+\n-\n*\n", "- a\n  - b\n", "- > a\n", "- - - - a\n", "a\n- a\n"),
    *("> a\n", "> a\n\n", ">\n", "[a]: /b\n", "[a]: <b\n", "| a | b |\n|-|-|\n", "a|", "999999999. a\n", "<div>\n"),
    # Emphasis and code
    *("*", "_", "~", "*a", "*a* ", "_a_ ", "**a** ", "a**b", "a**b**", "*_", "*_*_", "*a_", "a*_b_*", "*a _b"),
    *(
        "~~a",
        "~~a~~ ",
        "~~**_a_**~~ ",
        "~~*a*~~",
        "`",
        "`a",
        "`a` ",
        "a`b",
        "*a`b*",
        "`a```",
        "\\",
        "\\*",
        "*日本*",
        "**]*:",
    ),
    # Links, HTML and references
    *(
        "[",
        "[a",
        "[](",
        "![",
        "[[",
        "[a](",
        "[a](<",
        "[a](b 'c",
        "[a](http://b) ",
        "[[a](b)](c)",
        "[*",
        "*[",
        "[`",
        "*[a*](b)",
    ),
    *(
        "<",
        "<a",
        "<a>",
        "<!--",
        "<![CDATA[",
        "<?",
        "<http://a>",
        "http://a ",
        "http://",
        "&",
        "&amp;",
        "&a",
        "&#1;",
        "](",
    ),
    # Characters
    *("a", "a ", "é", "😀 ", "\u0301", "\u3000", "\u00a0"),
]
NESTED = [">", "> ", "- ", "-\t", "1. ", "* - + ", "> - ", "- > "]
GROWING = "`*_~[<&\\!(#>-+="
MIRRORED = [
    ("[", "](b)"),
    ("![", "](b)"),
    ("*a ", "a*"),
    ("**a ", "a**"),
    ("*a _a ", "a_ a*"),
    ("(", ")"),
    ("a*", "*a"),
]

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "from_markdown": from_markdown,
    "to_markdown": to_markdown,
    "to_html": to_html,
    "to_plain": to_plain,
}


def shapes() -> dict[str, str]:
    found = {repr(unit): filled(unit) for unit in REPEATED}
    for unit in NESTED:
        found[f"{unit!r} nested without end"] = filled(unit)[:-1] + "a"
        for depth in (5, 10, 20, 50):
            found[f"{unit!r} nested {depth} deep, again and again"] = filled(unit * depth + "a\n")
    for character in GROWING:
        found[f"{character!r} in growing runs"] = "".join(f"{character * length}a " for length in range(1, 200))[
            :LENGTH
        ]
    for opening, closing in MIRRORED:
        times = (LENGTH - 1) // (len(opening) + len(closing))
        found[f"{opening!r} closed by {closing!r}"] = f"{opening * times}a{closing * times}"
    found["spaces"] = "a" + " " * (LENGTH - 2) + "a"
    found["stairs of a list"] = "\n".join(f"{'  ' * step}- a" for step in range(138))
    found["a quote that goes on"] = filled("> " * 10 + "a\n" * 9_000)
    return found


def filled(unit: str) -> str:
    return (unit * (LENGTH // len(unit) + 1))[:LENGTH]


def milliseconds(function: Callable[[Any], Any], argument: object, runs: int) -> tuple[float, Any]:
    best, result = float("inf"), None
    for _ in range(runs):
        begin = time.process_time()
        result = function(argument)
        best = min(best, (time.process_time() - begin) * 1000)
    return best, result


def main(runs: int = 5) -> None:
    worst = dict.fromkeys(FUNCTIONS, (0.0, ""))
    print(" ".join(f"{name:>13}" for name in FUNCTIONS))
    for shape, text in shapes().items():
        cells = []
        argument: object = text
        for name, function in FUNCTIONS.items():
            took, result = milliseconds(function, argument, runs)
            argument = result if name == "from_markdown" else argument
            worst[name] = max(worst[name], (took, shape))
            cells.append(f"{took:13.1f}")
        print(*cells, f" {shape}")
    for name, (took, shape) in worst.items():
        print(f"worst {name}: {took:.1f} ms for {shape}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
