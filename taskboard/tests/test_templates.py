"""Templates are read by people too."""

from pathlib import Path

from django.conf import settings

LONGEST = 140


def test_no_line_of_a_template_is_too_long_to_read():
    folder = Path(settings.BASE_DIR, "templates")
    lines = {
        f"{path.relative_to(folder)}:{number}": len(line)
        for path in folder.rglob("*.*")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    }
    assert len(lines) > 1000
    assert {place: length for place, length in lines.items() if length > LONGEST} == {}
