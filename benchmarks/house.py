"""Measure the code itself: a Markdown table of sizes, with a column for each checkout.

    .venv/bin/python -m benchmarks.house [checkout ...]

Only tracked files count. Code is Python without tests (folders `tests`, conftest.py), without migrations and without
empty files; benchmarks and scripts in bin/ that end in .py are code. Lines of a file are those that are not empty. A
function is as long as the lines from its `def` to its last one. Comments are those after a #, docstrings are not. A test
function may stand for many tests, where it has parameters. Imports inside functions count outside of benchmarks, and
not in `ready` of an app, which Django calls when models may be imported. Words are separated by spaces, in files that
end in .md. Style sheets of others (static/vendor) do not count.
"""

import ast
import io
import statistics
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG_FUNCTION = 40  # lines
LONG_LINE = 120  # characters
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def main(folders: Sequence[str]) -> None:
    checkouts = [Path(folder) for folder in folders] or [ROOT]
    columns = [measured(checkout) for checkout in checkouts]
    print(f"| | {' | '.join(commit(checkout) for checkout in checkouts)} |")
    print("|---" * (len(columns) + 1) + "|")
    for name in columns[0]:
        print(f"| {name} | {' | '.join(column[name] for column in columns)} |")


def measured(checkout: Path) -> dict[str, str]:
    """Return the figures of a checkout by name, as people read them."""
    names = tracked(checkout)
    texts = {name: (checkout / name).read_text() for name in names if name.endswith((".py", ".md", ".css"))}
    python = {name: text for name, text in texts.items() if name.endswith(".py") and text.strip()}
    tests = {name: text for name, text in python.items() if is_test(name)}
    code = {name: text for name, text in python.items() if name not in tests and "migrations" not in name.split("/")}
    lines = {name: count_lines(text) for name, text in code.items()}
    total = sum(lines.values())
    functions = [length for text in code.values() for length in function_lengths(ast.parse(text))]
    comments = sum(count_comments(text) for text in code.values())
    test_functions = sum(count_test_functions(ast.parse(text)) for text in tests.values())
    words = sum(len(text.split()) for name, text in texts.items() if name.endswith(".md"))
    sheets = [text for name, text in texts.items() if name.endswith(".css") and not name.startswith("static/vendor/")]
    too_long = sum(length > LONG_FUNCTION for length in functions)
    return {
        "files / lines that are not empty": f"{len(code)} / {total:,}",
        "lines of a file: median / p90 / max": spread(lines.values()),
        "lines of a function: median / p90 / max": f"{spread(functions)}, {too_long} over {LONG_FUNCTION}",
        "comments per 1,000 lines": f"{1000 * comments / total:.0f}",
        "test : code, test functions": f"{sum(map(count_lines, tests.values())) / total:.2f}, {test_functions:,}",
        "imports inside functions": str(
            sum(count_inner_imports(ast.parse(text)) for name, text in code.items() if not is_benchmark(name))
        ),
        "folders at the top": str(len({name.split("/")[0] for name in names if "/" in name and name[0] != "."})),
        "words of documents": f"{words:,}",
        f"lines of CSS over {LONG_LINE} characters": str(sum(map(count_long_lines, sheets))),
    }


def tracked(checkout: Path) -> list[str]:
    """Return the names of the files that git tracks and the checkout has, without links."""
    names = git(checkout, "ls-files", "-z").split("\0")
    return [name for name in names if (checkout / name).is_file() and not (checkout / name).is_symlink()]


def commit(checkout: Path) -> str:
    return git(checkout, "rev-parse", "--short", "HEAD").strip()


def git(checkout: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(checkout), *arguments], check=True, capture_output=True, text=True).stdout


def is_test(name: str) -> bool:
    return "tests" in name.split("/") or name.split("/")[-1] == "conftest.py"


def is_benchmark(name: str) -> bool:
    return name.startswith("benchmarks/")


def count_lines(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


def count_long_lines(text: str) -> int:
    return sum(len(line) > LONG_LINE for line in text.splitlines())


def count_comments(text: str) -> int:
    return sum(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(text).readline))


def functions_of(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))


def function_lengths(tree: ast.AST) -> Iterator[int]:
    return (node.end_lineno - node.lineno + 1 for node in functions_of(tree))


def count_test_functions(tree: ast.AST) -> int:
    return sum(node.name.startswith("test_") for node in functions_of(tree))


def count_inner_imports(tree: ast.AST) -> int:
    """Count statements, each once, also where one function is inside of another."""
    functions = (function for function in functions_of(tree) if function.name != "ready")
    inner = {id(node): node for function in functions for node in ast.walk(function)}
    return sum(isinstance(node, ast.Import | ast.ImportFrom) for node in inner.values())


def spread(figures: Iterable[int]) -> str:
    ordered = sorted(figures)
    return f"{statistics.median(ordered):.0f} / {ordered[len(ordered) * 9 // 10]} / {ordered[-1]}"


if __name__ == "__main__":
    main(sys.argv[1:])
