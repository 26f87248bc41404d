"""The tables of the benchmarks' pages are what their results say."""

import json
from pathlib import Path

import pytest

from benchmarks import report, results
from benchmarks.goals import GOALS
from benchmarks.report import main, read, with_tables

LINE = {"subject": "rest", "date": "2026-11-24"}
PAGE = "Each call:\n\n<!--results:rest-->\nold\n<!--end-->\n\nMore.\n"


def written(*lines: dict[str, object]) -> str:
    return "".join(f"{json.dumps({**LINE, **line})}\n" for line in lines)


def test_the_tables_are_what_the_results_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_every_subject_has_a_table_and_every_goal_a_row() -> None:
    subjects = read(results.FILE.read_text())
    shown = [found[2] for page in report.PAGES for found in report.TABLE.finditer(page.read_text())]
    assert sorted(shown) == sorted(subjects)
    assert not [(name, row) for name, goals in GOALS.items() for row in goals if row not in subjects[name]]


def test_the_newest_figure_of_each_row_and_column_stands_beside_its_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "GOALS", {"rest": {"GET me": "1 ms"}})
    first = {"what": "GET me", "figures": {"p50": "3 ms", "p99": "9 ms"}, "date": "2026-11-21"}
    other = {"what": "GET boards", "figures": {"p50": "4 ms"}, "date": "2026-11-22"}
    newest = {"what": "GET me", "figures": {"p50": "2 ms"}}
    assert with_tables(PAGE, read(written(first, other, newest))) == (
        "Each call:\n\n<!--results:rest-->\n\n"
        "| | p50 | p99 | Goal |\n|---|---|---|---|\n| GET me | 2 ms | 9 ms | 1 ms |\n| GET boards | 4 ms | | |\n\n"
        "Measured 2026-11-22 to 2026-11-24.\n\n<!--end-->\n\nMore.\n"
    )


def test_a_page_with_other_figures_is_told_and_not_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (page := tmp_path / "README.md").write_text(PAGE)
    (file := tmp_path / "results.jsonl").write_text(written({"what": "GET me", "figures": {"p50": "2 ms"}}))
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setattr(report, "PAGES", (page,))
    monkeypatch.setattr(report, "FILE", file)
    assert main(["--check"]) == 1
    assert capsys.readouterr().out.startswith("README.md has other figures than results.jsonl.")
    assert page.read_text() == PAGE
    assert main([]) == main(["--check"]) == 0


def test_a_run_is_kept_only_if_it_is_asked_for(
    processes: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(results, "FILE", tmp_path / "results.jsonl")
    monkeypatch.delenv("BENCHMARK_RECORD", raising=False)
    results.record("rest", "GET me", {"p50": "2 ms"})
    assert not results.FILE.exists()
    monkeypatch.setenv("BENCHMARK_RECORD", "1")
    results.record("rest", "GET me", {"p50": "2 ms"})
    [line] = map(json.loads, results.FILE.read_text().splitlines())
    assert (line["subject"], line["what"], line["figures"]) == ("rest", "GET me", {"p50": "2 ms"})
    assert line.keys() == {"subject", "what", "figures", "date", "commit", "python", "load"}
