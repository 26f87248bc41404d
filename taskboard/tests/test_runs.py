"""Fixtures decide which tests a run has, and each is in a run of .ci/run."""

from argparse import Namespace
from types import SimpleNamespace

import pytest

from taskboard.tests import runs
from taskboard.tests.runs import Run, fixtures_of, further_parameters, is_changed_by_the_database, why_not, why_slow
from taskboard.tests.servers import ROOT

NODES = ["test_card.py::test_title[a]", "test_card.py::test_title[b]", "test_card.py::test_other"]


@pytest.mark.parametrize(
    "fixtures, why",
    [
        ({"olga", "board", "db"}, ""),
        ({"opened", "chrome", "chromium", "processes"}, "in Chromium"),
        ({"running", "processes"}, "with processes of their own"),
        ({"crowd", "every_address"}, "of every address"),
        ({"journey", "any_database", "processes", "chromium"}, ""),
    ],
)
def test_the_quick_run_leaves_out_what_takes_long_but_one_journey_through_each_door(fixtures, why):
    assert why_slow(fixtures) == why


@pytest.mark.parametrize(
    "fixtures, changed",
    [
        (set(), False),
        ({"db", "_uses_database"}, True),
        ({"services"}, True),
        ({"any_database", "processes", "chromium"}, True),
        ({"live_server", "_uses_database", "chromium", "processes"}, False),
        ({"processes"}, False),
        ({"db", "_uses_database", "every_address"}, False),
        ({"db", "_uses_database", "many_examples"}, False),
        ({"db", "_uses_database", "s3"}, False),
    ],
)
def test_another_database_can_change_what_uses_it_but_not_how_pages_look(fixtures, changed):
    assert is_changed_by_the_database(fixtures) is changed


@pytest.mark.parametrize(
    "fixture, left_out", [("db", 1), ("services", 0), ("any_database", 0), ("each_makes_statements", 0)]
)
def test_of_a_tests_parameters_another_database_has_the_first_unless_they_make_statements_or_need_it(fixture, left_out):
    items = [
        SimpleNamespace(nodeid=nodeid, fixturenames=[fixture], get_closest_marker=lambda _name: None)
        for nodeid in NODES
    ]
    assert [item.nodeid for item in further_parameters(items)] == NODES[1:2][:left_out]


def test_every_test_is_in_one_of_the_runs_of_ci(request):
    """On SQLite each is quick, without a browser or as a journey in one, or slow; what is skipped there, because it needs the
    services, is in the run on those, with all its parameters."""
    script = (ROOT / ".ci" / "run").read_text()
    commands = (
        '"$logs/clone/bin/test"\n',
        '/bin/test" --journeys -n 0\n',
        "bin/test --slow --durations 25\n",
        "bin/test --other-database\n",
    )
    for command in commands:
        assert command in script
    assert [item.nodeid for item in request.session.items if not is_run_by_ci(fixtures_of(item))] == []


def is_run_by_ci(fixtures: set[str]) -> bool:
    quick = Run.JOURNEYS if "chromium" in fixtures else Run.QUICK
    on_sqlite = "services" not in fixtures and any(not why_not(run, fixtures) for run in (quick, Run.SLOW))
    return on_sqlite or not why_not(Run.OTHER_DATABASE, fixtures)


def test_the_run_of_journeys_is_what_the_quick_run_does_in_a_browser():
    journey = {"journey", "processes", "chromium"}
    assert (why_not(Run.QUICK, journey), why_not(Run.JOURNEYS, journey)) == ("", "")
    assert why_not(Run.JOURNEYS, {"journey", "processes"}) == "without a browser"
    assert why_not(Run.JOURNEYS, {"chrome", "chromium"}) == "in Chromium"


@pytest.mark.parametrize(
    "given, names_a_path, run",
    [
        ({}, False, Run.QUICK),
        ({"run": "full"}, False, Run.FULL),
        ({"run": "other-database"}, True, Run.OTHER_DATABASE),
        ({}, True, Run.FULL),
        ({"keyword": "archive"}, False, Run.FULL),
        ({"stress": 30}, False, Run.FULL),
    ],
)
def test_a_run_without_arguments_is_quick_and_who_names_something_gets_all_of_it(given, names_a_path, run):
    option = Namespace(**{"run": None, "keyword": "", "markexpr": "", "stress": 0, **given})
    assert runs.chosen_run(option, names_a_path=names_a_path) is run


def test_the_quick_run_says_what_it_left_out_and_how_to_run_it():
    first, second = runs.summary({"in Chromium": 3, "of every address": 4})
    assert first == "This was the quick run. It left out 7 tests: 4 of every address, 3 in Chromium."
    assert "bin/test --full" in second
