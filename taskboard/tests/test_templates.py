"""Templates are read by people too."""

import re
from pathlib import Path

from django.conf import settings

LONGEST = 140
COMPARES_A_ROLE = re.compile(r"""role\s*[=!]=\s*["']""")


def lines() -> dict[str, str]:
    folder = Path(settings.BASE_DIR, "templates")
    found = {
        f"{path.relative_to(folder)}:{number}": line
        for path in folder.rglob("*.*")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    }
    assert len(found) > 1000
    return found


def test_no_line_is_too_long_to_read():
    assert {place: len(line) for place, line in lines().items() if len(line) > LONGEST} == {}


def test_templates_ask_the_role_for_permissions():
    assert [place for place, line in lines().items() if COMPARES_A_ROLE.search(line)] == []
