"""Static files as they are served: collected under hashed names."""

import re

from taskboard.tests.prepared import prepared_static_files

IMPORT = re.compile(r"""\b(?:import|from)\s*\(?\s*["'](\./[^"']+)["']""")
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def test_scripts_import_each_other_by_hashed_names_only():
    """A module with two names would be loaded twice. Django rewrites only imports that end with a semicolon."""
    scripts = prepared_static_files() / "js"
    served = [path for path in scripts.iterdir() if HASHED.search(path.name)]
    imported = {name for path in served for name in IMPORT.findall(path.read_text())}
    assert len(imported) > 10
    assert [name for name in imported if not HASHED.search(name)] == []
    assert {name.removeprefix("./") for name in imported} <= {path.name for path in served}
