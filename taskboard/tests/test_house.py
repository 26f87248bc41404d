"""benchmarks/house.py measures what git tracks in a checkout."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.house import main, measured

CODE = '''"""A docstring is not a comment."""

import json


@property
def short():  # a comment
    from pathlib import Path

    return Path(json.dumps(""))
'''
LONG = "def long():\n" + "    pass\n" * 40
FILES = {
    "cards/actions.py": CODE,
    "cards/__init__.py": "",
    "cards/apps.py": "class Cards:\n    def ready(self):\n        import cards.actions\n",
    "cards/migrations/0001_first.py": LONG,
    "cards/tests/test_actions.py": "def test_one():\n    pass\n\n\ndef test_two():\n    pass\n",
    "benchmarks/long.py": LONG,
    "conftest.py": "def lend():\n    pass\n",
    "README.md": "# Four words are here\n",
    "static/board.css": f"a {{\n}}\n/* {'x' * 120} */\n",
    "static/vendor/theirs.css": "x" * 121,
    ".gitignore": "",
}


@pytest.fixture
def checkout(processes: None, tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=Olga", "-c", "user.email=olga@example.com"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "cards: Add a card"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "cards" / "untracked.py").write_text(LONG)
    return tmp_path


def test_tracked_files_are_measured(checkout: Path) -> None:
    assert measured(checkout) == {
        "files / lines that are not empty": "3 / 50",
        "lines of a file: median / p90 / max": "6 / 41 / 41",
        "lines of a function: median / p90 / max": "4 / 41 / 41, 1 over 40",
        "comments per 1,000 lines": "20",
        "test : code, test functions": "0.12, 2",
        "imports inside functions": "1",
        "folders at the top": "3",
        "words of documents": "5",
        "lines of CSS over 120 characters": "1",
    }


def test_checkouts_stand_side_by_side(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(checkout), str(checkout)])
    table = capsys.readouterr().out.splitlines()
    assert table[1] == "|---|---|---|"
    assert table[2] == "| files / lines that are not empty | 3 / 50 | 3 / 50 |"
