"""Descriptions of 20,000 characters in bad shapes: one unit repeated, nested, mirrored, in growing runs."""

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
    *(
        "> a\n",
        "> a\n\n",
        ">\n",
        "[a]: /b\n",
        "[a]: <b\n",
        "| a | b |\n|-|-|\n",
        "a|",
        "|-|\n",
        "a|\n-|\n\n",
        "999999999. a\n",
        "<div>\n",
    ),
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
# Aimed at mistune: what is quadratic in it, and what takes the most steps that our budget does not count well
AIMED = [
    *("*a ", "*a *b ", "***a ", "*a** ", "_a*", "~~*a", "~a~~", "*`a`", "*[a](b)", "**a\n", "a\n2. ", "a\n2.\n"),
    *(
        "\u2028\n    a\n",
        "    a\n\u3000\n",
        "\u00a0\n\ta\n",
        "     \n",
        "a\n     \n",
        "- a\n> b\n",
        "> a\n- b\n",
        "> - a\nb\n",
    ),
    *(
        "[a](b[a](b",
        "[a](b 'c' ",
        "[a](b 'c\\'",
        '[a](b "c',
        "[a](b (c",
        "[a](<b\\>",
        "](<",
        "[[a]",
        "![[",
        "[a][",
        "[](",
    ),
    *(
        "``a`",
        "`a``b```",
        "~~~\n",
        "```a`\n",
        "```\na\n",
        "- ```\n",
        "> ```\n",
        "=-\n",
        "# #",
        "#a #\n",
        "\\\n",
        "a\\\n",
    ),
    *(
        "<http:",
        "<mailto:a",
        "<a@",
        "a@b<",
        "&a;",
        "&#x1;&",
        "\\&amp;",
        "[a](&amp;",
        "- [ ]\n",
        "1.\ta\n",
        "-\t\ta\n",
        ">\t\ta\n",
    ),
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


def shapes() -> dict[str, str]:
    found = {repr(unit): filled(unit) for unit in REPEATED + AIMED}
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
    for units in (("|a", "|-", "|a" * 20), ("|*a*", "|-", "|*a*" * 20), ("|a", "|-", "|"), ("|", "|-|", "|a")):
        found[f"a table of {units!r}"] = table(*units)
    found["a row of spaces"] = "a|\n|-" + " " * (LENGTH - 7) + "a"
    found["a row of dashes"] = "a|\n|" + "-" * (LENGTH - 6) + " a"
    found["mentions"] = filled("[@a](mention:018f0000-0000-7000-8000-000000000001)")
    found["spaces"] = "a" + " " * (LENGTH - 2) + "a"
    found["spaces in a heading"] = "# a" + " " * (LENGTH - 4) + "b"
    found["marks over many lines"] = f"**~~_{'a' + chr(10)}{filled('a' + chr(10))[: LENGTH - 20]}a_~~**"
    found["a link over many lines"] = "[" + "a\n" * 4_000 + f"](http://{'b' * 11_000})"
    found["stairs of a list"] = "\n".join(f"{'  ' * step}- a" for step in range(138))
    found["a quote that goes on"] = filled("> " * 10 + "a\n" * 9_000)
    return found


def table(head: str, delimiter: str, row: str) -> str:
    return f"{head * 20}\n{delimiter * 20}\n" + filled(f"{row}\n")[: LENGTH - 400]


def filled(unit: str) -> str:
    return (unit * (LENGTH // len(unit) + 1))[:LENGTH]
