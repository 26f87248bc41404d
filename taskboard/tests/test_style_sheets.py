"""Groups of style sheets: one file each where static files are collected, single files where they are worked on."""

import re
import shutil
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template import Context, Template

from core.http.style_sheets import GROUPS, ON_PAPER, bundle, source
from taskboard.serving import static_files
from taskboard.tests.prepared import prepared_static_files

ROOT = Path(__file__).resolve().parents[2]
ALONE = {"admin"}  # of pages with the style sheets of others before them
RULES = """async (text) => {
  const sheet = await new CSSStyleSheet().replace(text)
  return [...sheet.cssRules].map(({ cssText }) => cssText.replace(/\\s+/g, " ").replace(/(?<=[,:(]) | (?=\\))/g, ""))
}"""
COLLECTED = {"staticfiles": {"BACKEND": "taskboard.static.Storage"}}


def links(group: str) -> list[str]:
    page = Template(f'{{% styles "{group}" %}}').render(Context())
    return re.findall(r'<link rel="stylesheet" href="/static/([^"]+)"', page)


@pytest.fixture
def sources(settings, tmp_path: Path) -> Path:
    """A copy of our style sheets, as the only static files."""
    shutil.copytree(ROOT / "static" / "css", tmp_path / "sources" / "css")
    settings.STATICFILES_DIRS = [tmp_path / "sources"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = {**settings.STORAGES, **COLLECTED}
    settings.STATIC_ROOT = tmp_path / "static"
    return tmp_path / "sources" / "css"


def collect() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


def test_each_style_sheet_is_in_a_group():
    named = {name for group in GROUPS.values() for name in group}
    assert named | ALONE == {path.stem for path in (ROOT / "static" / "css").glob("*.css")}


@pytest.mark.parametrize("group", GROUPS)
def test_the_file_of_a_group_has_the_rules_of_its_style_sheets_in_their_order(chrome, group):
    whole = (prepared_static_files() / bundle(group)).read_text()
    texts = [(name, (ROOT / "static" / source(name)).read_text()) for name in GROUPS[group]]
    expected = [f"@media print {{ {text} }}" if name in ON_PAPER else text for name, text in texts]
    page = chrome.new_page()
    assert page.evaluate(RULES, whole) == page.evaluate(RULES, "".join(expected))
    page.close()
    assert len(whole) < 0.9 * sum(map(len, expected))


def test_rules_for_paper_are_for_paper_alone_in_the_file_of_their_group(processes):
    whole = (prepared_static_files() / bundle("board")).read_text()
    assert re.search(r"@media print\{@layer components\{:root:root", whole)


def test_a_page_names_the_file_of_a_group_by_its_content(sources, settings):
    collect()
    [before] = links("site")
    assert re.fullmatch(r"css/site\.bundle\.[0-9a-f]{12}\.css", before)
    assert (settings.STATIC_ROOT / f"{before}.gz").exists()
    assert re.search(r'url\("chevron\.[0-9a-f]{12}\.svg"\)', (settings.STATIC_ROOT / before).read_text())
    with (sources / "utilities.css").open("a") as file:
        file.write("@layer utilities { .new { color: var(--ink); } }\n")
    collect()
    settings.STORAGES = {**settings.STORAGES}  # reads the names anew
    [after] = links("site")
    assert after != before
    assert ".new{" in (settings.STATIC_ROOT / after).read_text()


def test_pages_name_single_style_sheets_while_they_are_worked_on(sources, settings):
    collect()
    settings.DEBUG = True
    assert links("list") == ["css/boards.css", "css/board-page.css", "css/card-state.css"]
    assert 'href="/static/css/print.css" media="print"' in Template('{% styles "board" %}').render(Context())


def test_pages_name_single_style_sheets_where_groups_were_not_collected(settings):
    assert settings.STORAGES["staticfiles"] != COLLECTED["staticfiles"]
    assert links("list") == ["css/boards.css", "css/board-page.css", "css/card-state.css"]


def test_other_groups_are_collected_again(sources, monkeypatch, tmp_path):
    before = static_files.state_of_sources()
    other = tmp_path / "style_sheets.py"
    other.write_text("GROUPS = {}")
    monkeypatch.setattr(static_files.style_sheets, "__file__", str(other))
    assert static_files.state_of_sources() != before


def test_every_property_that_a_rule_uses_is_set_somewhere():
    """A token that was renamed would leave rules without a colour, and no browser says so."""
    sheets = [path.read_text() for path in (ROOT / "static" / "css").glob("*.css")]
    used = {name for text in sheets for name in re.findall(r"var\((--[a-z0-9-]+)", text)}
    given = {name for text in sheets for name in re.findall(r"(--[a-z0-9-]+):", text)}
    scripts = [path.read_text() for path in (ROOT / "static" / "js").rglob("*.js")]
    by_scripts = {name for text in scripts for name in re.findall(r'setProperty\("(--[a-z0-9-]+)"', text)}
    assert used - given - by_scripts == set()
